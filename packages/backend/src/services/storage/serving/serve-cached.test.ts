import { halves, noise } from '@fabrica/backend/testing/storage/build-test-images.ts';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaOf } from '../../../database/index.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await buildTestStorage();
});
afterAll(() => storage.close());

async function publish(path: string, bytes: Uint8Array): Promise<string> {
  const response = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes, path, fields: { upsert: 'true' } }),
  );
  return (await response.json()).publicUrl.slice(PUBLIC_URL.length);
}

const AVIF = { accept: 'image/avif,image/webp,*/*' };

/** Returns the response that needs neither the routes nor the database. */
function readCached(url: string, headers: Record<string, string> = AVIF, method = 'GET') {
  return storage.serveCached({ method, url, header: (name) => headers[name] });
}

/** Reads a variant by the routes, which cache it. */
async function ask(url: string, headers: Record<string, string> = AVIF) {
  const response = await storage.app.request(url, { headers });
  return { headers: Object.fromEntries(response.headers), bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('the variant cache', () => {
  it('a cached variant is served with the same response as by the routes', async () => {
    const url = `${await publish('a.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    expect(readCached(url)).toBeUndefined();
    const asked = await ask(url);
    const cached = readCached(url);
    expect(cached?.status).toBe(200);
    const { 'x-request-id': id, ...headers } = Object.fromEntries(cached?.headers ?? []);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).toEqual(asked.headers);
    expect(asked.bytes.equals(Buffer.from((await cached?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(true);
    const again = readCached(`https://journal.example${url}`, {
      ...AVIF,
      'if-none-match': asked.headers.etag ?? '',
    });
    expect([again?.status, again?.body]).toEqual([304, null]);
  });

  it('a variant is cached for each format of the Accept header', async () => {
    const url = `${await publish('b.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    await ask(url);
    expect(readCached(url, { accept: '*/*' })).toBeUndefined();
    await ask(url, { accept: '*/*' });
    expect(readCached(url, { accept: '*/*' })?.headers.get('content-type')).toBe('image/jpeg');
    expect(readCached(url)?.headers.get('content-type')).toBe('image/avif');
    await ask(`${url}&format=webp`, {});
    expect(readCached(`${url}&format=webp`)?.headers.get('content-type')).toBe('image/webp');
  });

  it('a variant is not cached under other URLs than ours, nor when it is large', async () => {
    const url = await publish('c.jpg', await noise(1920, 1400).jpeg().toBuffer());
    for (const query of ['&w=320&x=1', '&x=1&w=320', '&w=1920&format=png', '&w=320&download=a']) {
      await ask(url + query);
      expect(readCached(url + query), query).toBeUndefined();
    }
    const other = `${url.replace(/v=\w+/, 'v=00000000')}&w=320`;
    await ask(other);
    expect(readCached(other)).toBeUndefined();
  });

  it('requests for ranges and other methods are left to the routes', async () => {
    const url = `${await publish('d.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    await ask(url);
    expect(readCached(url, { ...AVIF, range: 'bytes=0-1' })).toBeUndefined();
    expect(readCached(url, AVIF, 'HEAD')).toBeUndefined();
    expect(readCached(url, AVIF, 'POST')).toBeUndefined();
  });

  it('a cached variant is dropped when its file is removed or replaced', async () => {
    const first = `${await publish('e.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    const stays = `${await publish('f.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    await Promise.all([ask(first), ask(stays)]);
    await publish('e.jpg', await halves(640, 500).jpeg().toBuffer());
    expect(readCached(first)).toBeUndefined();
    expect(readCached(stays)?.status).toBe(200);
    await storage.app.request('/api/storage/journal/remove', {
      method: 'DELETE',
      body: JSON.stringify({ paths: ['f.jpg'] }),
      headers: { 'content-type': 'application/json', 'x-caller': 'user_ana' },
    });
    expect(readCached(stays)).toBeUndefined();
  });

  it('cached variants are dropped when another process changes the database', async () => {
    const url = `${await publish('g.jpg', await halves(640, 400).jpeg().toBuffer())}&w=320`;
    await storage.prepared();
    await ask(url);
    expect(readCached(url)?.status).toBe(200);
    const engine = storage.engine.another();
    const other = await engine.open({ id: 'journal', schema: schemaOf(storage.project.definition) });
    await other.writer.deleteFrom('files').where('path', '=', 'g.jpg').execute();
    await other.close();
    await engine.close();
    await expect.poll(() => readCached(url)).toBeUndefined();
    expect((await storage.app.request(url)).status).toBe(404);
  });
});

import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEnvironment } from '../../../http/environment.ts';
import { presentError } from '../../../http/present-error.ts';
import { createRateLimits } from '../../../http/rate-limit.ts';
import { restRoutes } from '../../rest/routes.ts';

let storage: TestStorage;
let app: Hono<AppEnvironment>;

beforeEach(async () => {
  storage = await buildTestStorage();
  const { project, bus } = storage;
  app = new Hono<AppEnvironment>();
  app.onError(presentError);
  app.use(async (c, next) => {
    c.set('project', project);
    c.set('caller', { kind: 'service' });
    await next();
  });
  app.route(
    '/api/db/journal',
    restRoutes({ bus, limits: createRateLimits({ enabled: false }), rowsQuota: 0 }),
  );
});
afterEach(() => storage.close());

/** Uploads a file, and returns its public URL. */
async function upload(path: string): Promise<string> {
  const response = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes: `the words of ${path}`, path, as: 'user_ana' }),
  );
  return (await response.json()).publicUrl;
}

async function sql(query: string, ...params: unknown[]): Promise<void> {
  const body = JSON.stringify({ query, params });
  const response = await app.request('/api/db/journal/sql', { method: 'POST', body });
  expect(response.status).toBe(200);
}

const status = async (url: string) => (await storage.app.request(url.slice(PUBLIC_URL.length))).status;

describe('files and their rows', () => {
  it('a file is removed when the row that refers to it is deleted or changed in SQL', async () => {
    const [deleted, changed, kept] = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(upload));
    const insert = 'INSERT INTO posts (id, user_id, image_url) VALUES (?, ?, ?)';
    for (const url of [deleted, changed, kept]) await sql(insert, url, 'user_ana', url);
    await sql('DELETE FROM posts WHERE id = ?', deleted);
    await sql('UPDATE posts SET image_url = ? WHERE id = ?', kept, changed);
    await storage.stop();
    expect(await Promise.all([deleted, changed, kept].map((url) => status(String(url))))).toEqual([
      404, 404, 200,
    ]);
  });

  it('the bytes of a file are removed when its own row is deleted in SQL', async () => {
    const gone = await upload('a.txt');
    const kept = await upload('b.txt');
    await sql(`DELETE FROM files WHERE path = 'a.txt'`);
    await storage.stop();
    expect([await status(gone), await status(kept)]).toEqual([404, 200]);
    expect(storage.filesOnDisk()).toHaveLength(1);
  });

  it('bytes are not removed while another file has them', async () => {
    await upload('a.txt');
    await sql(`UPDATE files SET path = 'moved.txt' WHERE path = 'a.txt'`);
    await sql(
      `INSERT INTO files (path, "blob", content_type, size, hash, created_at, updated_at)
       SELECT 'copy.txt', "blob", content_type, size, hash, created_at, updated_at FROM files`,
    );
    await sql(`DELETE FROM files WHERE path = 'moved.txt'`);
    await storage.stop();
    expect(storage.filesOnDisk()).toHaveLength(1);
    expect(await status(`${PUBLIC_URL}/storage/journal/copy.txt`)).toBe(200);
  });
});

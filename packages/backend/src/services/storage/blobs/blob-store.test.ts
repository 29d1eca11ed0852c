import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type S3Server, startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { createDiskBlobStore } from './disk.ts';
import { withLocalCopy } from './local-copy.ts';
import { createS3BlobStore } from './s3.ts';

const folder = mkdtempSync(join(tmpdir(), 'fabrica-blobs-'));
const MEBIBYTE = 1024 * 1024;
let s3: S3Server;
let count = 0;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true });
});

const openS3 = (prefix = '') => createS3BlobStore({ ...s3, region: 'us-east-1', prefix });

/** A file of this machine, to be put. */
async function fileOf(bytes: Uint8Array | string): Promise<string> {
  count += 1;
  const path = join(folder, `local-${count}`);
  await writeFile(path, bytes);
  return path;
}

async function bytesOf(blobs: BlobStore, key: string, range?: { start: number; end: number }) {
  const body = await blobs.read(key, range);
  return body && (await buffer(body));
}

async function listed(blobs: BlobStore, prefix: string) {
  const found = [];
  for await (const blob of blobs.list(prefix)) found.push(blob);
  return found.sort((a, b) => a.key.localeCompare(b.key));
}

const stores: [string, () => BlobStore][] = [
  ['a folder', () => createDiskBlobStore(join(folder, 'files'))],
  ['an S3-compatible server', () => openS3()],
  ['a part of a bucket', () => openS3('shared/fabrica')],
];

describe.each(stores)('blobs in %s', (_, open) => {
  let blobs: BlobStore;
  beforeAll(() => {
    blobs = open();
  });

  it('a blob is read as it was put, and the local file is gone', async () => {
    const bytes = randomBytes(100_000);
    const path = await fileOf(bytes);
    await blobs.put('journal/ab/first', path);
    expect(existsSync(path)).toBe(false);
    expect((await bytesOf(blobs, 'journal/ab/first'))?.equals(bytes)).toBe(true);
    expect(await blobs.stat('journal/ab/first')).toEqual({ size: 100_000 });
  });

  it('a blob may be empty', async () => {
    await blobs.put('journal/ab/empty', await fileOf(''));
    expect((await bytesOf(blobs, 'journal/ab/empty'))?.byteLength).toBe(0);
    expect(await blobs.stat('journal/ab/empty')).toEqual({ size: 0 });
  });

  it('a blob may be large', async () => {
    const bytes = randomBytes(21 * MEBIBYTE + 5);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await blobs.put('journal/ab/large', await fileOf(bytes));
    const found = await bytesOf(blobs, 'journal/ab/large');
    expect(
      createHash('sha256')
        .update(found ?? '')
        .digest('hex'),
    ).toBe(hash);
    expect(await blobs.stat('journal/ab/large')).toEqual({ size: bytes.byteLength });
  });

  it('a range of a blob is read with both its ends', async () => {
    await blobs.put('journal/ab/part', await fileOf('0123456789'));
    expect(String(await bytesOf(blobs, 'journal/ab/part', { start: 2, end: 5 }))).toBe('2345');
    expect(String(await bytesOf(blobs, 'journal/ab/part', { start: 9, end: 9 }))).toBe('9');
  });

  it('a put replaces a blob completely', async () => {
    await blobs.put('journal/ab/twice', await fileOf('the first and longer one'));
    await blobs.put('journal/ab/twice', await fileOf('the second'));
    expect(String(await bytesOf(blobs, 'journal/ab/twice'))).toBe('the second');
  });

  it('a removed blob is gone, and removing it again is no error', async () => {
    await blobs.put('journal/ab/gone', await fileOf('x'));
    await blobs.remove('journal/ab/gone');
    await blobs.remove('journal/ab/gone');
    expect(await blobs.read('journal/ab/gone')).toBeNull();
    expect(await blobs.stat('journal/ab/gone')).toBeNull();
  });

  it('a missing blob is distinguished from an empty one', async () => {
    expect(await blobs.read('journal/no/such')).toBeNull();
    expect(await blobs.read('journal/no/such', { start: 0, end: 1 })).toBeNull();
    expect(await blobs.stat('journal/no/such')).toBeNull();
    expect(await withLocalCopy(blobs, 'journal/no/such', async () => 'read')).toBeNull();
  });

  it('blobs are listed by the prefix of their keys', async () => {
    const before = Date.now();
    const keys = ['list/aa/one', 'list/ab/two', 'list-of-others/aa/three'];
    for (const key of keys) await blobs.put(key, await fileOf(key));
    expect((await listed(blobs, 'list/')).map(({ key, size }) => [key, size])).toEqual([
      ['list/aa/one', 11],
      ['list/ab/two', 11],
    ]);
    expect((await listed(blobs, 'list')).map(({ key }) => key)).toEqual([...keys].sort());
    expect((await listed(blobs, 'list/ab/t')).map(({ key }) => key)).toEqual(['list/ab/two']);
    expect(await listed(blobs, 'nothing/')).toEqual([]);
    const [{ modifiedAt = 0 } = {}] = await listed(blobs, 'list/aa/');
    expect(Math.abs(modifiedAt - before)).toBeLessThan(60_000);
  });

  it.each([
    '',
    '../outside',
    'journal/../../outside',
    '/journal',
    'journal/',
    'journal//x',
    'JOURNAL/x',
    '.incoming/x',
  ])('a blob cannot have the key %j', async (key) => {
    const path = await fileOf('x');
    await expect(blobs.put(key, path)).rejects.toThrow('cannot be the key of a blob');
    await expect(Promise.resolve().then(() => blobs.read(key))).rejects.toThrow(
      'cannot be the key of a blob',
    );
    await expect(Promise.resolve().then(() => blobs.remove(key))).rejects.toThrow(
      'cannot be the key of a blob',
    );
  });

  it('a local copy of a blob is removed unless it is the store’s own file', async () => {
    await blobs.put('journal/ab/lent', await fileOf('lent'));
    const lent = await withLocalCopy(blobs, 'journal/ab/lent', async (path) => ({
      path,
      text: readFileSync(path, 'utf8'),
    }));
    expect(lent?.text).toBe('lent');
    expect(existsSync(lent?.path ?? '')).toBe(blobs.localPath('journal/ab/lent') !== undefined);
    expect(String(await bytesOf(blobs, 'journal/ab/lent'))).toBe('lent');
  });
});

describe('an S3-compatible store', () => {
  it('a list of more than one page is complete', async () => {
    const blobs = openS3();
    const keys = Array.from({ length: 1_010 }, (_, at) => `many/${at % 10}/${at}`);
    await Promise.all(keys.map(async (key) => blobs.put(key, await fileOf('x'))));
    expect((await listed(blobs, 'many/')).map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('a presigned URL downloads a blob under a name until it expires', async () => {
    const blobs = openS3();
    await blobs.put('journal/ab/shared', await fileOf('plate'));
    const url = await blobs.presign?.('journal/ab/shared', {
      filename: 'Ölbild “1”.txt',
      contentType: 'text/plain',
      seconds: 60,
    });
    const { searchParams } = new URL(url ?? '');
    expect(searchParams.get('X-Amz-Expires')).toBe('60');
    expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
    const response = await fetch(url ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; .*filename\*=UTF-8''%C3%96lbild/,
    );
    expect(await response.text()).toBe('plate');
  });

  it('a store with a prefix lists only its part of the bucket', async () => {
    const part = openS3('parts/one');
    await part.put('journal/ab/mine', await fileOf('mine'));
    expect(await openS3('parts/two').stat('journal/ab/mine')).toBeNull();
    expect(await listed(openS3('parts'), 'one/')).toMatchObject([{ key: 'one/journal/ab/mine' }]);
  });

  it('a missing bucket and an unknown access key are errors, not an empty store', async () => {
    const settings = { ...s3, region: 'us-east-1', prefix: '' };
    const nowhere = createS3BlobStore({ ...settings, bucket: 'no-such-bucket' });
    await expect(nowhere.read('journal/ab/first')).rejects.toThrow();
    await expect(nowhere.put('journal/ab/first', await fileOf('x'))).rejects.toThrow();
    const credentials = { accessKeyId: 'UNKNOWN', secretAccessKey: 'S3RVER' };
    const refused = createS3BlobStore({ ...settings, credentials });
    await expect(refused.stat('journal/ab/first')).rejects.toThrow();
  });

  it('the local file stays when a put fails', async () => {
    const path = await fileOf(randomBytes(17 * MEBIBYTE));
    const nowhere = createS3BlobStore({ ...s3, region: 'us-east-1', prefix: '', bucket: 'no-such-bucket' });
    await expect(nowhere.put('journal/ab/kept', path)).rejects.toThrow();
    expect(existsSync(path)).toBe(true);
  });
});

describe('a folder of blobs', () => {
  it('the folder of a disk store contains nothing but its keys', async () => {
    const root = join(folder, 'plain');
    const blobs = createDiskBlobStore(root);
    await blobs.put('journal/ab/one', await fileOf('x'));
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      'journal',
      'journal/ab',
      'journal/ab/one',
    ]);
    expect(blobs.localPath('journal/ab/one')).toBe(join(root, 'journal/ab/one'));
  });
});

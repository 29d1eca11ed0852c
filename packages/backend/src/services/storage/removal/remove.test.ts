import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../auth/accounts/delete-account.ts';

let storage: TestStorage;

beforeEach(async () => {
  storage = await buildTestStorage();
});
afterEach(() => storage.close());

/** Uploads a file, and returns its public URL. */
async function upload(path: string, as = 'user_ana'): Promise<string> {
  const response = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes: `the words of ${path}`, path, as }),
  );
  return (await response.json()).publicUrl;
}

async function remove(paths: unknown, as = 'user_ana') {
  const response = await storage.app.request('/api/storage/journal/remove', {
    method: 'DELETE',
    body: JSON.stringify({ paths }),
    headers: { 'content-type': 'application/json', ...(as && { 'x-caller': as }) },
  });
  return { status: response.status, body: await response.json() };
}

const status = async (url: string) => (await storage.app.request(url.slice(PUBLIC_URL.length))).status;

describe('removing files', () => {
  it('removing a file removes its URL and its bytes', async () => {
    const url = await upload('a.txt');
    await upload('b.txt');
    expect(await remove(['a.txt', 'a.txt', 'none.txt'])).toEqual({
      status: 200,
      body: { removed: ['a.txt'] },
    });
    expect(await status(url)).toBe(404);
    expect(storage.filesOnDisk()).toHaveLength(1);
  });

  it('only the uploader and the service role may remove files, all or none', async () => {
    const hers = await upload('hers.txt');
    const his = await upload('his.txt', 'user_ben');
    expect(await remove(['his.txt', 'hers.txt'], 'user_ben')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await remove(['hers.txt'], '')).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect([await status(hers), await status(his)]).toEqual([200, 200]);
    expect((await remove(['his.txt', 'hers.txt'], 'service')).body.removed).toEqual(['his.txt', 'hers.txt']);
  });

  it('a user may not remove a file of the service role', async () => {
    await upload('plate.txt', 'service');
    expect((await remove(['plate.txt'])).status).toBe(403);
  });

  it.each([[[]], [['']], [[1]], ['a.txt'], [undefined], [['../journal.sqlite']], [['/etc/passwd']]])(
    'removing files needs at least one valid path: %j',
    async (paths) => {
      expect((await remove(paths)).status).toBe(400);
    },
  );
});

describe('files of a changed row', () => {
  const row = { id: 'post_1', user_id: 'user_ana' };

  it('a file is removed when its row refers to another', async () => {
    const [first, second] = [await upload('posts/first.txt'), await upload('posts/second.txt')];
    await storage.createPost({ ...row, image_url: first });
    await storage.updatePost({ ...row, image_url: first }, { image_url: second });
    await expect.poll(() => status(first)).toBe(404);
    expect(await status(second)).toBe(200);
    await expect.poll(() => storage.filesOnDisk()).toHaveLength(1);
  });

  it('a file stays when another row refers to it, or the same row by another URL', async () => {
    const shared = await upload('posts/shared.txt');
    const own = await upload('posts/own.txt');
    await storage.createPost({ ...row, image_url: shared });
    await storage.createPost({ id: 'post_2', user_id: 'user_ana', image_url: shared });
    await storage.updatePost({ ...row, image_url: shared }, { image_url: own });
    await storage.updatePost({ ...row, image_url: own }, { image_url: own.replace(/\?.*/, '') });
    // The removal of a last one tells when those before it have been looked at.
    const last = await upload('posts/last.txt');
    await storage.createPost({ id: 'post_3', user_id: 'user_ana', image_url: last });
    await storage.updatePost({ id: 'post_3', user_id: 'user_ana', image_url: last }, { image_url: '' });
    await expect.poll(() => status(last)).toBe(404);
    expect([await status(shared), await status(own)]).toEqual([200, 200]);
  });
});

describe('files of a deleted row', () => {
  it('a file is removed with the row of its uploader', async () => {
    const url = await upload('posts/1.txt');
    const row = { id: 'post_1', user_id: 'user_ana', image_url: url };
    await storage.createPost(row);
    await storage.deletePost(row);
    await expect.poll(() => status(url)).toBe(404);
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });

  it('a file is removed by a URL without a version or with an earlier origin', async () => {
    await upload('posts/öl 1.txt');
    const row = {
      id: 'post_1',
      user_id: 'user_ana',
      image_url: 'http://old.example/storage/journal/posts/%C3%B6l%201.txt',
    };
    await storage.createPost(row);
    await storage.deletePost(row);
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });

  // Each deletion is followed by one that does take a file away, so that the wait has an end.
  async function settle() {
    const witness = await upload('witness.txt');
    const row = { id: 'post_witness', user_id: 'user_ana', image_url: witness };
    await storage.createPost(row);
    await storage.deletePost(row);
    await expect.poll(() => status(witness)).toBe(404);
  }

  it('a file stays while another row refers to it', async () => {
    const url = await upload('posts/shared.txt');
    const first = { id: 'post_1', user_id: 'user_ana', image_url: url };
    const second = { id: 'post_2', user_id: 'user_ben', image_url: url.replace(/\?.*/, '') };
    await storage.createPost(first);
    await storage.createPost(second);
    await storage.deletePost(first);
    await settle();
    expect(await status(url)).toBe(200);
  });

  it('a file stays when another user uploaded it', async () => {
    const url = await upload('posts/hers.txt', 'user_ana');
    const row = { id: 'post_1', user_id: 'user_ben', image_url: url };
    await storage.createPost(row);
    await storage.deletePost(row);
    await settle();
    expect(await status(url)).toBe(200);
  });

  it.each([
    '',
    'not a URL',
    'https://elsewhere.example/a.png',
    '/storage/other/posts/kept.txt',
    '/storage/journal/%',
  ])('no file is removed for the URL "%s" of a deleted row', async (image_url) => {
    const url = await upload('posts/kept.txt');
    const row = { id: 'post_1', user_id: 'user_ana', image_url };
    await storage.createPost(row);
    await storage.deletePost(row);
    await settle();
    expect(await status(url)).toBe(200);
  });
});

describe('the files of a deleted account', () => {
  beforeEach(async () => {
    for (const id of ['user_ana', 'user_ben']) await storage.createAccount(id);
  });

  const deleteAna = () => deleteAccount({ ...storage, userId: 'user_ana' });

  it('the files of a deleted account are removed with their bytes, whichever rows refer to them', async () => {
    const hers = await Promise.all(
      ['posts/own.txt', 'posts/shared.txt', 'unnamed.txt'].map((path) => upload(path)),
    );
    const his = await upload('his.txt', 'user_ben');
    await storage.createPost({ id: 'post_1', user_id: 'user_ana', image_url: hers[0] ?? '' });
    await storage.createPost({ id: 'post_2', user_id: 'user_ben', image_url: hers[1] ?? '' });
    expect(await deleteAna()).toBe(true);
    expect(await Promise.all([...hers, his].map(status))).toEqual([404, 404, 404, 200]);
    await expect.poll(() => storage.filesOnDisk()).toHaveLength(1);
    expect(await status(his)).toBe(200);
  });

  it('the bytes of a deleted account’s files are removed when storage has closed', async () => {
    for (let at = 0; at < 20; at += 1) await upload(`${at}.txt`);
    await deleteAna();
    await storage.stop();
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('the paths of a deleted account’s files are free for others', async () => {
    await upload('a.txt');
    await deleteAna();
    expect(await status(await upload('a.txt', 'user_ben'))).toBe(200);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { startTestProxy, type TestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { type Author, buildPost, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { type S3Server, startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { type RunningServer, runServerToEnd, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';

/** The set-up of docs/operators.md, "On several machines". */
let folder: string;
let shared: Record<string, string>;
/** The way of the second machine to the database. */
let proxy: TestProxy;
let redis: RedisServer;
let s3: S3Server;
let here: RunningServer;
let there: RunningServer;
let author: Author;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-machines-'));
  [redis, s3] = await Promise.all([startRedisServer(), startS3Server()]);
  shared = {
    ...(await testDatabaseSettings(folder)),
    ...s3.environment,
    REDIS_URL: redis.url,
    MASTER_KEY: 'a secret that both machines have in their settings',
    DEMO: 'off',
    RATE_LIMIT: 'off',
  };
  const url = new URL(shared.DATABASE_URL ?? '');
  proxy = await startTestProxy(Number(url.port));
  url.port = String(proxy.port);
  [here, there] = await Promise.all([
    startServer(shared, join(folder, 'here')),
    startServer({ ...shared, DATABASE_URL: url.href }, join(folder, 'there')),
  ]);
  author = await signUp(here);
});

afterAll(async () => {
  for (const part of [there, here, proxy, redis, s3]) await part?.close();
  // Each server also has an unused database of its own.
  for (const owner of [folder, join(folder, 'here'), join(folder, 'there')]) await removeDatabase(owner);
  await rm(folder, { recursive: true, force: true });
});

/** Subscribes to a channel at this server, and returns the types of its messages. */
async function listen({ url }: RunningServer, channel: string): Promise<{ types: string[]; end(): void }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/realtime?project_id=journal`);
  const types: string[] = [];
  socket.on('message', (frame) => types.push(JSON.parse(String(frame)).payload.type ?? ''));
  const joined = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (frame) => {
      if (JSON.parse(String(frame)).type === 'subscribed') resolve();
    });
  });
  socket.once('open', () => socket.send(JSON.stringify({ type: 'subscribe', payload: { channel } })));
  await joined;
  return { types, end: () => socket.close() };
}

test('two machines share sessions, files, rows, pages and live messages', async () => {
  const me = await fetch(`${there.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${author.token}` },
  });
  expect(me.status).toBe(200);

  const gallery = await listen(there, 'gallery');
  const bytes = new TextEncoder().encode('A heart, drawn in words.');
  await uploadFile(here, author.token, { path: 'posts/heart.txt', bytes });
  const path = '/storage/journal/posts/heart.txt';
  expect(await (await fetch(`${there.url}${path}`)).text()).toBe('A heart, drawn in words.');

  const post = buildPost(author, { title_en: 'One heart, two machines', image_url: path });
  expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
  await expect.poll(() => gallery.types).toContain('post.published');
  gallery.end();
  await expect
    .poll(async () => (await fetch(`${there.url}/post/${post.id}`)).text())
    .toContain('One heart, two machines');
  expect(await (await fetch(`${there.url}/readyz`)).json()).toMatchObject({ status: 'ok' });
});

test('a machine with another master key says so and does not start', async () => {
  const { exitCode, stderr } = await runServerToEnd({
    ...shared,
    DATA_DIR: join(folder, 'stranger'),
    MASTER_KEY: 'a secret that the other machines do not know of',
  });
  expect(exitCode).toBe(78);
  expect(stderr).toContain('Fabrica cannot start. The keys in the database are sealed with another secret');
});

test('pages of a machine without its database say that they will be back, and other machines go on', async () => {
  // Its pages are not kept by this machine yet.
  const { id, ...post } = buildPost(author);
  expect((await author.rest('POST', 'journal_posts', { id, ...post })).status).toBe(201);
  proxy.interfere(() => 'cut');
  for (const path of [`/post/${id}`, '/gallery?search=heart']) {
    const page = await fetch(`${there.url}${path}`);
    expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '2']);
    expect((await fetch(`${here.url}${path}`)).status).toBe(200);
  }
  proxy.interfere(() => 'pass');
  await expect.poll(async () => (await fetch(`${there.url}/post/${id}`)).status).toBe(200);
});

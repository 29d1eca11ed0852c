import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBook } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  startTestPostgres,
  type TestPostgres,
  withPostgresClient,
} from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { testPages } from '@fabrica/backend/testing/test-pages.ts';
import type { PostgresServer } from '@fabrica/test-peers/postgres-server.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createBackend } from '../../../backend.ts';
import { parseConfig } from '../../../config.ts';
import { describeUrl, hostUrls } from './sessions/login.ts';

let primary: TestPostgres;
let standby: PostgresServer;

beforeAll(async () => {
  primary = await startTestPostgres();
  await (await primary.openLibrary()).close();
  standby = await primary.startStandby();
});
afterAll(async () => {
  await standby?.close();
  await primary?.close();
});

test('the doctor looks at each host of DATABASE_URL, and at the keys of no file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fabrica-doctor-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const examine = async (hosts: string, role = 'fabrica') => {
    const settings = { DATA_DIR: dataDir, DATABASE_URL: `postgres://${role}:${role}@${hosts}/fabrica` };
    const { exitCode, stdout } = await runFabricaHere(['doctor', '--json'], settings);
    const findings: { name: string; state: string; text: string }[] = JSON.parse(stdout).findings;
    return { exitCode, named: (name: string) => findings.find((one) => one.name === name) };
  };
  const [first, second] = [`127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`];
  const both = await examine(`${first},${second}`);
  expect([both.exitCode, both.named('database')?.state]).toEqual([0, 'ok']);
  expect(both.named('hosts')).toMatchObject({
    state: 'ok',
    text: `${first} is a standby, ${second} takes writes.`,
  });
  const oneAway = await examine(`${second},127.0.0.1:1`);
  expect([oneAway.exitCode, oneAway.named('hosts')]).toMatchObject([
    0,
    { state: 'warning', text: `${second} takes writes, 127.0.0.1:1 cannot be reached.` },
  ]);
  const noPrimary = await examine(`${first},127.0.0.1:1`);
  expect([noPrimary.exitCode, noPrimary.named('database')]).toMatchObject([
    1,
    { state: 'failed', text: expect.stringContaining(`${first}/fabrica is a standby`) },
  ]);
  await withPostgresClient(primary.url, (superuser) =>
    superuser.query(`CREATE ROLE modest LOGIN PASSWORD 'modest'`),
  );
  const modest = await examine(second, 'modest');
  expect([modest.exitCode, modest.named('database')]).toMatchObject([
    1,
    { state: 'failed', text: expect.stringContaining('may not create roles and schemas') },
  ]);
  expect(await readdir(dataDir)).not.toContain('keys');
});

test('a replica that nobody reaches is logged, at the start too, and said at /readyz, while the primary answers its readers', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fabrica-replica-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const id = 'empty';
  const lines: string[] = [];
  const open = async () => {
    const backend = await createBackend({
      pages: testPages,
      config: parseConfig({
        DATA_DIR: dataDir,
        DATABASE_URL: primary.adminUrl,
        DATABASE_REPLICA_URL: primary.adminUrl.replace(`:${primary.port}`, `:${standby.port}`),
        PROJECT_ID: id,
      }),
      projects: [{ id, tables: {}, roles: {}, signUpRole: '', origins: [], migrations: {} }],
      log: pino({}, { write: (line) => lines.push(line) }),
      renderMail: async () => ({ subject: '', html: '', text: '' }),
    });
    onTestFinished(() => backend.close());
    return async () => {
      const response = await backend.fetch(new Request('http://localhost/readyz'));
      const { status, parts } = await response.json();
      return { code: response.status, status, replica: parts.replica };
    };
  };
  const ready = await open();
  await expect.poll(ready).toEqual({ code: 200, status: 'ok', replica: 'ok' });
  await standby.stop('immediate');
  const fault = 'The replica cannot be reached: the primary answers readers who are not signed in.';
  const degraded = { code: 200, status: 'degraded', replica: fault };
  await expect.poll(ready).toEqual(degraded);
  expect(await (await open())()).toEqual(degraded);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)).filter(({ part }) => part === 'replica'))
    .toMatchObject([{ fault }, { fault }]);
  await standby.start();
  await expect.poll(ready).toEqual({ code: 200, status: 'ok', replica: 'ok' });
});

test('a standby that is promoted takes over within ten seconds, without a restart', async () => {
  // The standby comes first: the server is chosen by whether it takes writes.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
  const url = `postgres://fabrica:fabrica@${hosts}/fabrica?target_session_attrs=read-write`;
  const library = await primary.openLibrary({ url });
  const write = async () => (await library.service('POST', 'books', { body: buildBook({}) })).status;
  expect(await write()).toBe(201);
  const written = async () => (await library.service('GET', 'books?select=id')).body?.length;
  expect(await written()).toBe(1);
  await withPostgresClient(standby.url.replace(/postgres$/, 'fabrica'), (superuser) =>
    expect
      .poll(
        async () => (await superuser.query('SELECT count(*)::int FROM project_library.books')).rows[0].count,
      )
      .toBe(1),
  );

  await primary.stop('immediate');
  const crashed = performance.now();
  const late = await library.service('POST', 'books', { body: buildBook({}) });
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
  await withPostgresClient(standby.url, (superuser) => superuser.query('SELECT pg_promote()'));
  await expect.poll(write, { timeout: 10_000 }).toBe(201);
  expect(performance.now() - crashed).toBeLessThan(10_000);
  expect(await written()).toBe(2);
  await library.close();
});

test('a URL of several hosts is understood as libpq understands it, and none of its passwords is shown', () => {
  const url =
    'postgres://fabrica:s3cret@db1:5432,db2/fabrica?sslmode=require&target_session_attrs=read-write';
  expect(hostUrls(url)).toEqual([
    'postgres://fabrica:s3cret@db1:5432/fabrica?sslmode=require',
    'postgres://fabrica:s3cret@db2/fabrica?sslmode=require',
  ]);
  expect(describeUrl(url)).toBe('db1:5432 or db2/fabrica');
  expect(parseConfig({ DATABASE_URL: url }).database.url).toBe(url);
  expect(() => parseConfig({ DATABASE_URL: 'postgres://a,b c:x/d' })).toThrow('must be an address such as');
});

import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, buildUser } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  startTestPostgres,
  type TestPostgres,
  withPostgresClient,
} from '@fabrica/backend/testing/database/build-test-postgres.ts';
import type { PostgresServer } from '@fabrica/test-peers/postgres-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const DELAY_MS = 100;
const soon = { timeout: 30_000 };

let primary: TestPostgres;
let standby: PostgresServer;
let library: TestDatabase;
/** The number of rows before a test. */
let rows = 0;

beforeAll(async () => {
  primary = await startTestPostgres();
  await (await primary.openLibrary()).close();
  standby = await primary.startStandby({ recovery_min_apply_delay: `${DELAY_MS}ms` });
});
afterAll(async () => {
  await standby.close();
  await primary.close();
});

const replicaUrl = () => primary.adminUrl.replace(`:${primary.port}/`, `:${standby.port}/`);

beforeEach(async () => {
  library = await primary.openLibrary({ replicaUrl: replicaUrl() });
  rows = (await library.service('GET', 'books')).body.length;
});
afterEach(() => library.close());

/** A different limit for each request keeps responses from being cached ones. */
let asked = 0;
const count = async (send = library.anonymous) => {
  asked += 1;
  return (await send('GET', `books?limit=${1_000 + asked}`)).body.length;
};

/** Returns the number of statements that sessions of the project have begun on a server. */
async function sessionsOn(server: PostgresServer): Promise<number> {
  const { rows: found } = await withPostgresClient(server.url, (superuser) =>
    superuser.query(`SELECT count(*)::int AS total FROM pg_stat_activity WHERE usename LIKE 'fabrica.%'`),
  );
  return found[0].total;
}

/** Waits until the replica has replayed everything. */
async function untilReplayed(): Promise<void> {
  const positionOn = async (server: PostgresServer, expression: string) => {
    const { rows: found } = await withPostgresClient(server.url, (superuser) =>
      superuser.query(`SELECT ${expression} - '0/0' AS bytes`),
    );
    return Number(found[0].bytes);
  };
  const written = await positionOn(primary, 'pg_current_wal_insert_lsn()');
  await expect
    .poll(() => positionOn(standby, 'pg_last_wal_replay_lsn()'), soon)
    .toBeGreaterThanOrEqual(written);
}

test('the replica serves anonymous callers and nobody else', async () => {
  await untilReplayed();
  for (const send of [library.service, library.as(buildUser('ada'))]) expect(await count(send)).toBe(rows);
  expect(await sessionsOn(standby)).toBe(0);
  expect(await count()).toBe(rows);
  expect(await sessionsOn(standby)).toBe(1);
});

test('a write is visible in the next read, both while the replica is behind and later', async () => {
  await untilReplayed();
  for (let at = 1; at <= 3; at += 1) {
    expect((await library.service('POST', 'books', { body: buildBook({}) })).status).toBe(201);
    const until = Date.now() + 2 * DELAY_MS;
    while (Date.now() < until) {
      expect(await count()).toBe(rows + at);
      await wait(5);
    }
  }
});

test('a write of another process is visible once it is announced, and remains visible', async () => {
  const elsewhere = await library.openElsewhere();
  await untilReplayed();
  expect(await count()).toBe(rows);
  const before = library.database.foreignCommits();
  await elsewhere.writer
    .insertInto('books')
    .values({ ...buildBook({ id: 'elsewhere' }), shelf: 0, created_at: 1, updated_at: 1 })
    .execute();
  await expect.poll(() => library.database.foreignCommits()).toBeGreaterThan(before);
  const until = Date.now() + 2 * DELAY_MS;
  while (Date.now() < until) {
    expect(await count()).toBe(rows + 1);
    await wait(5);
  }
});

test('a new process reads what others committed before it started', async () => {
  await untilReplayed();
  await library.service('POST', 'books', { body: buildBook({}) });
  const later = await primary.openLibrary({ replicaUrl: replicaUrl() });
  expect(await count(later.anonymous)).toBe(rows + 1);
  await later.close();
});

describe('an unusable replica', () => {
  test('reads go on without a replica that has stopped, and use it again once it is back', async () => {
    await untilReplayed();
    expect(await count()).toBe(rows);
    await standby.stop('immediate');
    for (let at = 0; at < 20; at += 1) expect(await count()).toBe(rows);
    await standby.start();
    await expect
      .poll(async () => {
        expect(await count()).toBe(rows);
        return sessionsOn(standby);
      }, soon)
      .toBeGreaterThan(0);
  });

  test('reads go on without a replica that does not respond', async () => {
    await untilReplayed();
    expect(await count()).toBe(rows);
    standby.pause();
    expect(await count()).toBe(rows);
    // If each of them waited for the replica, the test would time out.
    for (let at = 0; at < 60; at += 1) expect(await count()).toBe(rows);
    standby.resume();
  });

  test('reads go on when the replica is the primary itself', async () => {
    const confused = await primary.openLibrary({ replicaUrl: primary.adminUrl });
    expect(await count(confused.anonymous)).toBe(rows);
    await confused.close();
  });
});

test('strangers are served by the replica while the primary has crashed, though it lacks the last commit', async () => {
  await untilReplayed();
  expect(await count()).toBe(rows);
  expect((await library.service('POST', 'books', { body: buildBook({}) })).status).toBe(201);
  await primary.stop('immediate');
  const statuses = new Set<number>();
  const until = performance.now() + 2 * DELAY_MS;
  while (performance.now() < until) {
    asked += 1;
    statuses.add((await library.anonymous('GET', `books?limit=${1_000 + asked}`)).status);
  }
  expect([...statuses]).toEqual([200]);
  await primary.start();
  await expect.poll(() => count(library.service), soon).toBe(rows + 1);
});

test('strangers are served by the replica within ten seconds while the primary is frozen, and writers are told when to try again', async () => {
  await untilReplayed();
  const hasty = await primary.openLibrary({ replicaUrl: replicaUrl(), writeTimeout: 1_000 });
  onTestFinished(() => hasty.close());
  await expect.poll(() => count(hasty.anonymous), soon).toBe(rows);
  // The replica lacks this one for a moment, and it may have to be asked without the primary.
  expect((await hasty.service('POST', 'books', { body: buildBook({}) })).status).toBe(201);
  primary.pause();
  try {
    const writing = hasty.service('POST', 'books', { body: buildBook({}) });
    const isRead = async () => {
      asked += 1;
      return (await hasty.anonymous('GET', `books?limit=${1_000 + asked}`)).status;
    };
    await expect.poll(isRead, soon).toBe(200);
    for (let at = 0; at < 10; at += 1) expect(await isRead()).toBe(200);
    const { status, headers } = await writing;
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
  } finally {
    primary.resume();
  }
  await expect.poll(() => hasty.service('GET', 'books').then(({ status }) => status), soon).toBe(200);
}, 60_000);

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@fabrica/backend';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { runFabrica, runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort, runServerToEnd, startServer } from '@fabrica/test-peers/start-server.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../../packages/backend/src/database/create-engine.ts';

const SERVER = { DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };

let dataDir: string;
let settings: Record<string, string>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fabrica-migrate-'));
  settings = { DATA_DIR: dataDir, ...(await testDatabaseSettings(dataDir)) };
});

afterEach(async () => {
  await removeDatabase(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

const fabrica = (...args: string[]) => runFabricaHere(args, settings);

async function succeed(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await fabrica(...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

interface Listed {
  name: string;
  ranAt: string | null;
}

const list = async (): Promise<Listed[]> => JSON.parse(await succeed('migrate', 'status', '--json'));

describe('fabrica migrate', () => {
  it('the migration status lists all migrations and creates nothing', async () => {
    const { exitCode, stdout } = await runFabrica(['migrate', 'status'], settings);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^MIGRATION +RAN +REMARK\n0001-users +- +to be run\n0002-files +- +to be run\n/);
    expect((await list()).every(({ ranAt }) => ranAt === null)).toBe(true);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('the last migration, or all after a named one, are rolled back after a confirmation', async () => {
    await succeed('migrate', 'up');
    const names = (await list()).map(({ name }) => name);
    const last = names.at(-1);
    expect(await fabrica('migrate', 'down')).toMatchObject({
      exitCode: 1,
      stderr: `Nobody can be asked here whether ${last} may be taken back: say so with --yes.`,
    });
    expect(await succeed('migrate', 'down', '--yes')).toBe(`Took back ${last}.`);
    expect((await list()).at(-1)).toMatchObject({ name: last, ranAt: null });
    const back = await succeed('migrate', 'down', '--to', '0001-users', '--yes');
    expect(back).toBe(`Took back ${names.slice(1, -1).toReversed().join(', ')}.`);
    expect(await succeed('migrate', 'down', '--yes', '--json')).toBe(
      '{\n  "takenBack": [\n    "0001-users"\n  ]\n}',
    );
    expect(await succeed('migrate', 'down', '--yes')).toBe('There is nothing to take back.');
    expect(await succeed('migrate', 'up')).toBe(`Ran ${names.join(', ')}.`);
  });

  it('posts keep their texts when the last migration is rolled back and run again', async () => {
    const server = await startServer(SERVER, dataDir);
    const author = await signUp(server);
    for (const title of ['Coronaries', 'The lung of the forest']) {
      const post = buildPost(author, { title, content_de: `${title}, auf Deutsch.` });
      expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
    }
    const posts = async (url: string) => {
      const columns = 'id,title,content,content_de,created_at';
      return (await fetch(`${url}/api/db/journal/rest/v1/journal_posts?select=${columns}&order=id`)).json();
    };
    const before = await posts(server.url);
    expect(before).toHaveLength(2);
    await server.stop();
    await succeed('migrate', 'down', '--yes');
    const again = await startServer(SERVER, dataDir);
    expect(await posts(again.url)).toEqual(before);
    await again.stop();
  });

  it('an unknown migration cannot be rolled back', async () => {
    expect(await fabrica('migrate', 'down', '--to', 'teatime')).toMatchObject({
      exitCode: 64,
      stderr: 'No migration "teatime" has run here: see "fabrica migrate status".',
    });
    expect(await fabrica('migrate')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringMatching(
        /^Usage: fabrica migrate <command>.* migrate status .* migrate up .* migrate down /s,
      ),
    });
  });

  it('a database that a newer version has migrated is refused by the server and the commands', async () => {
    await succeed('migrate', 'up');
    const engine = createEngine(parseConfig(settings));
    const database = await engine.open({ id: 'journal', schema: new Map() });
    await sql`INSERT INTO kysely_migration VALUES ('journal-0099-later', '2030-01-01T00:00:00.000Z')`.execute(
      database.writer,
    );
    await database.close();
    await engine.close();
    const message =
      'A newer version has changed this database (its migration "journal-0099-later" is unknown here): start that version, or restore a backup of before.';
    const server = { ...settings, ...SERVER, PORT: String(await freePort()) };
    // A supervisor does not try again.
    expect(await runServerToEnd(server)).toEqual({
      exitCode: 78,
      stderr: `Fabrica cannot start. Project "journal": ${message}`,
    });
    for (const args of [
      ['migrate', 'up'],
      ['migrate', 'down', '--yes'],
    ]) {
      expect(await fabrica(...args)).toMatchObject({ exitCode: 1, stderr: message });
    }
    expect(await succeed('migrate', 'status')).toMatch(
      /^journal-0099-later +2030-01-01 00:00:00Z +unknown here: of a newer version$/m,
    );
  });

  it('the plan of an upgrade names what waits, and whether older nodes go on', async () => {
    const planned = await succeed('upgrade', '--check');
    expect(planned).toMatch(/^journal +0001-users +nothing +go on$/m);
    await succeed('migrate', 'up');
    expect(await succeed('upgrade', '--check')).toMatch(
      /^This is Fabrica \S+ Connected: .*\nNo migration is pending: nodes may be replaced one by one\.$/,
    );
    await succeed('migrate', 'down', '--to', 'journal-0010-languages', '--yes');
    const before = await list();
    const { pending } = JSON.parse(await succeed('upgrade', '--check', '--json'));
    expect(await list()).toEqual(before);
    const rows = new Map<string, Record<string, unknown>>(
      pending.map((one: { name: string }) => [one.name, one]),
    );
    expect(rows.get('journal-0011-desk')).toMatchObject({
      locks: [{ table: 'journal_posts', waits: 'all' }],
      olderNodes: 'stop',
    });
    expect(rows.get('journal-0014-search-case-texts')).toMatchObject({
      locks: [],
      inSteps: true,
      olderNodes: 'go on',
    });
    expect(rows.get('journal-0015-page-assets')).toMatchObject({ locks: [], olderNodes: 'go on' });
    // Triggers of SQLite call functions of the program, which older ones do not have.
    expect(rows.get('journal-0017-search-words')).toMatchObject({
      olderNodes: process.env.TEST_ENGINE === 'postgres' ? 'go on' : 'stop',
    });
    expect(await succeed('upgrade')).toContain('journal-0011-desk');
    expect((await list()).every(({ ranAt }) => ranAt !== null)).toBe(true);
  });

  it('two servers that start at the same time run each migration once', async () => {
    const servers = await Promise.all([startServer(SERVER, dataDir), startServer(SERVER, dataDir)]);
    for (const { url } of servers) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    // On SQLite, the second one to serve a folder says so.
    const warnings = servers.filter((server) =>
      server.output().includes('Another server has the same DATA_DIR'),
    );
    expect(warnings).toHaveLength(process.env.TEST_ENGINE === 'postgres' ? 0 : 1);
    for (const server of servers) expect(await server.stop()).toBe(0);
    expect((await list()).every(({ ranAt }) => ranAt !== null)).toBe(true);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTestAccounts, type TestAccounts } from '@fabrica/backend/testing/auth/build-test-accounts.ts';
import { buildTestKeyStore } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import { buildBook } from '@fabrica/backend/testing/database/build-test-library.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadKeys } from '../../../core/keys.ts';
import { listEvents, recordEvent } from '../audit.ts';
import { issueToken } from '../mail-links/one-time-token.ts';
import { authReader, authWriter, findUser } from '../queries.ts';
import { openSession } from '../sessions/open-session.ts';
import { deleteAccount } from './delete-account.ts';

let library: TestAccounts;

beforeEach(async () => {
  library = await openTestAccounts();
  for (const id of ['ada', 'ben']) await library.createAccount(id);
});

afterEach(() => library.close());

const deleteAda = () => deleteAccount({ ...library, userId: 'ada' });

async function create(table: string, rows: readonly unknown[]): Promise<void> {
  expect((await library.service('POST', table, { body: rows })).status).toBe(201);
}

async function ids(path: string): Promise<string[]> {
  const { body } = await library.service('GET', `${path}${path.includes('?') ? '&' : '?'}limit=10000`);
  return body.map(({ id }: { id: string }) => id);
}

/** Everything that the file holds, table by table. */
async function everything(): Promise<Record<string, unknown[]>> {
  const { reader } = library.database;
  const found: Record<string, unknown[]> = {};
  for (const { name, columns } of await reader.introspection.getTables()) {
    const order = sql.join(columns.slice(0, 2).map((column) => sql.ref(column.name)));
    found[name] = (await sql`SELECT * FROM ${sql.table(name)} ORDER BY ${order}`.execute(reader)).rows;
  }
  return found;
}

describe('rows of a deleted account', () => {
  beforeEach(async () => {
    await create('books', [
      buildBook({ id: 'b-ada', user_id: 'ada' }),
      buildBook({ id: 'b-ben', user_id: 'ben' }),
    ]);
    await create('loans', [
      { id: 'l-ada', book_id: 'b-ben', user_id: 'ada' },
      { id: 'l-ben', book_id: 'b-ada', user_id: 'ben' },
      { id: 'l-ben-own', book_id: 'b-ben', user_id: 'ben' },
    ]);
    await create('notes', [
      { id: 'n-1', loan_id: 'l-ben' },
      { id: 'n-2', loan_id: 'l-ben-own' },
    ]);
    await create('reviews', [
      { id: 'r-ada', book_id: 'b-ben', user_id: 'ada', reader: 'Ada' },
      { id: 'r-ada-own', book_id: 'b-ada', user_id: 'ada', reader: 'Ada' },
      { id: 'r-ben', book_id: 'b-ben', user_id: 'ben', reader: 'Ben' },
    ]);
  });

  test('the rows of a deleted account are deleted or reassigned as the project defines, and those of others stay', async () => {
    expect(await deleteAda()).toBe(true);
    expect(await ids('books')).toEqual(['b-ben']);
    expect(await ids('loans')).toEqual(['l-ben-own']);
    expect(await ids('notes')).toEqual(['n-2']);
    expect((await library.service('GET', 'reviews?order=id')).body).toEqual([
      {
        id: 'r-ada',
        book_id: 'b-ben',
        user_id: expect.stringMatching(/^nobody_[0-9a-f]{20}$/),
        reader: 'Anonymous',
      },
      { id: 'r-ben', book_id: 'b-ben', user_id: 'ben', reader: 'Ben' },
    ]);
    expect(await ids('members')).toEqual(['ben']);
  });

  test('every row that a deleted account takes along, cascades and profile included, is published after the commit', async () => {
    const seen: unknown[] = [];
    library.bus.subscribe(() => seen.push(library.database.query(`SELECT id FROM users`, [])));
    await deleteAda();
    const published = library.events.map(({ table, operation, id }) => `${operation} ${table}/${id}`);
    expect(new Set(published)).toEqual(
      new Set([
        'update reviews/r-ada',
        'update reviews/r-ada-own',
        'delete reviews/r-ada-own',
        'delete loans/l-ada',
        'delete loans/l-ben',
        'delete notes/n-1',
        'delete books/b-ada',
        'delete members/ada',
      ]),
    );
    expect(published).toHaveLength(8);
    expect(library.events.at(-1)).toEqual({
      projectId: 'library',
      table: 'members',
      operation: 'delete',
      id: 'ada',
      changed: ['id', 'display_name'],
      before: { id: 'ada', display_name: 'ada' },
      after: null,
    });
    expect(await Promise.all(seen)).toEqual(published.map(() => [{ id: 'ben' }]));
  });

  test('an account with ten thousand rows is deleted while other requests are served', async () => {
    const numbers = sql`WITH RECURSIVE numbers AS (SELECT 1 AS at UNION ALL SELECT at + 1 FROM numbers WHERE at < 10000)`;
    const { writer } = library.database;
    await sql`INSERT INTO books (id, user_id, title, shelf, created_at, updated_at) ${numbers}
      SELECT 'many-' || at, 'ben', 'Untitled', 0, 1, 1 FROM numbers`.execute(writer);
    await sql`INSERT INTO loans (id, book_id, user_id) ${numbers}
      SELECT 'likes-' || at, 'many-' || at, 'ada' FROM numbers`.execute(writer);
    library.events.length = 0;
    let done = false;
    let answered = 0;
    const deletion = deleteAda().finally(() => {
      done = true;
    });
    while (!done) {
      expect((await library.service('GET', 'books?id=eq.b-ben')).status).toBe(200);
      answered += 1;
      // Responses come from memory: without a pause, asking would take the processor from the deletion.
      await wait(2);
    }
    expect(await deletion).toBe(true);
    expect(answered).toBeGreaterThan(10);
    expect(await ids('loans')).toEqual(['l-ben-own']);
    expect(library.events.filter(({ table }) => table === 'loans')).toHaveLength(10_002);
  });
});

describe('a deleted account', () => {
  test('a deleted account leaves nothing to sign in with, and other accounts keep theirs', async () => {
    const keys = await loadKeys(buildTestKeyStore());
    await authWriter(library.database)
      .transaction()
      .execute(async (transaction) => {
        for (const id of ['ada', 'ben']) {
          const user = await findUser(transaction, id);
          if (!user) throw new Error('There are two accounts.');
          const order = { projectId: 'library', lifetimeMs: 60_000, email: user.email };
          const context = { keys, settings: { secondFactorRoles: [] } };
          const signIn = { user, method: 'password', ip: null, device: 'Firefox' } as const;
          await openSession(context, transaction, library.project, signIn);
          await issueToken(keys, transaction, { ...order, kind: 'reset-password', userId: id, email: null });
          await issueToken(keys, transaction, { ...order, kind: 'magic-link' });
          const created_at = 1;
          const identity = { provider: 'google', subject: id, user_id: id, email: null, created_at };
          await transaction.insertInto('identities').values(identity).execute();
        }
      });
    const before = await everything();
    expect(await deleteAda()).toBe(true);
    const after = await everything();
    for (const table of ['users', 'sessions', 'refresh_tokens', 'identities', 'one_time_tokens']) {
      expect(after[table], table).toHaveLength((before[table]?.length ?? 0) / 2);
      expect(JSON.stringify(after[table]), table).not.toContain('"ada"');
    }
  });

  test('a deleted account leaves nothing but its id in the audit log', async () => {
    const { database } = library;
    const source = { ip: '203.0.113.7', device: 'Firefox, Linux' };
    for (const userId of ['ada', 'ben']) {
      await recordEvent(authWriter(database), { event: 'sign-in', userId, ...source });
    }
    await deleteAda();
    const events = await listEvents(authReader(database), { limit: 10 });
    const bare = { address: null, device: null, details: null };
    expect(events.filter(({ user_id }) => user_id === 'ada')).toMatchObject([
      { event: 'account-deleted', ...bare },
      { event: 'sign-in', ...bare },
    ]);
    expect(events.filter(({ user_id }) => user_id === 'ben')).toMatchObject([
      { address: source.ip, device: source.device },
    ]);
  });

  test('an account that was deleted, or never existed, cannot be deleted', async () => {
    expect(await deleteAda()).toBe(true);
    const events = [...library.events];
    expect(await deleteAda()).toBe(false);
    expect(await deleteAccount({ ...library, userId: '' })).toBe(false);
    expect(library.events).toEqual(events);
  });

  test('an account that two requests delete at once is deleted once', async () => {
    const responses = await Promise.all([deleteAda(), deleteAda()]);
    expect(responses.sort()).toEqual([false, true]);
    expect(library.events).toHaveLength(1);
  });
});

test('a deleted account takes its readers’ statistics along, and the totals stay', async () => {
  const figures = { dimension: 'total', day: '2026-11-20', value: '', views: 3, readers: 2, completed: 1 };
  await library.database.writer
    .insertInto('analytics_days')
    .values(['', 'ada', 'ben'].map((scope) => ({ scope, ...figures })))
    .execute();
  await deleteAda();
  const left = await library.database.reader.selectFrom('analytics_days').select('scope').execute();
  expect(left.map(({ scope }) => scope).sort()).toEqual(['', 'ben']);
});

describe('an unfinished deletion', () => {
  beforeEach(async () => {
    await create(
      'books',
      Array.from({ length: 1_000 }, (_, at) => buildBook({ id: `b-${at}`, user_id: 'ada' })),
    );
    await create('reviews', [{ id: 'r-ada', book_id: null, user_id: 'ada', reader: 'Ada' }]);
  });

  test('a deletion that the database refuses changes nothing and publishes nothing', async () => {
    const { writer } = library.database;
    await writer.schema
      .createTable('keepsakes')
      .addColumn('id', 'text')
      .addColumn('user_id', 'text', (column) => column.references('users.id'))
      .execute();
    await writer.insertInto('keepsakes').values({ id: 'k', user_id: 'ada' }).execute();
    const before = await everything();
    await expect(deleteAda()).rejects.toSatisfy(
      (error) => library.database.violation(error) === 'foreign-key',
    );
    expect(await everything()).toEqual(before);
    expect(library.events).toEqual([]);
  });

  test('a deletion whose process is killed half way changes nothing', async () => {
    const before = await everything();
    const child = spawn(process.execPath, ['--input-type=module', '--eval', KILLED_HALF_WAY], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { PATH: process.env.PATH, ...library.settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    expect(output).toBe('half way');
    expect(await everything()).toEqual(before);
    expect(await deleteAda()).toBe(true);
  });
});

/** Deletes Ada's account, and kills itself once some of her books are gone. */
const KILLED_HALF_WAY = `
  import { createInProcessBus } from '../../../core/bus.ts';
  import { parseConfig } from '../../../config.ts';
  import { createEngine, schemaOf } from '../../../database/index.ts';
  import { accountLibrary as definition } from '@fabrica/backend/testing/auth/build-test-accounts.ts';
  import { deleteAccount } from './delete-account.ts';

  const engine = createEngine(parseConfig(process.env));
  const database = await engine.open({ id: definition.id, schema: schemaOf(definition) });
  let gone = 0;
  const dying = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      gone += Number(result.numAffectedRows ?? 0);
      if (gone > 500) process.stdout.write('half way', () => process.kill(process.pid, 'SIGKILL'));
      return gone > 500 ? new Promise(() => {}) : result;
    },
  };
  const project = { definition, secretKey: '', database: { ...database, writer: database.writer.withPlugin(dying) } };
  deleteAccount({ project, bus: createInProcessBus(), userId: 'ada' });
`;

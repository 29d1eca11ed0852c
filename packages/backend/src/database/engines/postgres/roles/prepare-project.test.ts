import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  projectUrl,
  startTestPostgres,
  type TestPostgres,
  withPostgresClient,
} from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateToLatest } from '../../../migrate.ts';
import { schemaOf } from '../../../schema.ts';
import { createPostgresEngine } from '../postgres-engine.ts';

const project = { id: 'library', schema: schemaOf(library) };

describe('a new project', () => {
  let engine: TestEngine;
  let url: string;

  beforeEach(async () => {
    engine = await openTestEngine();
    url = engine.settings.DATABASE_URL ?? '';
  });
  afterEach(() => engine.close());

  test('a project exists from when it is first opened', async () => {
    expect(await engine.has('library')).toBe(false);
    await (await engine.open(project)).close();
    expect(await engine.has('library')).toBe(true);
    expect(await engine.has('libraries')).toBe(false);
  });

  test('several processes that open a new project at once migrate it once', async () => {
    const engines = Array.from({ length: 4 }, () => engine.another());
    const ran = await Promise.all(
      engines.map(async (one) => {
        const database = await one.open(project);
        const names = await migrateToLatest(database, library.migrations);
        await database.close();
        await one.close();
        return names;
      }),
    );
    expect(ran.flat()).toEqual(Object.keys(library.migrations));
  });

  test('the role of a project may log in and nothing else', async () => {
    await (await engine.open(project)).close();
    const [role] = await withPostgresClient(url, async (admin) => {
      const { rows } = await admin.query(
        `SELECT pg_roles.*, (SELECT count(*) FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
         FROM pg_roles JOIN fabrica.project_roles ON role = rolname`,
      );
      return rows;
    });
    expect(role).toMatchObject({
      rolcanlogin: true,
      rolsuper: false,
      rolinherit: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      memberships: '0',
    });
    expect(role.rolname).toMatch(/^fabrica\.library\.test_[0-9a-f]{16}$/);
  });

  test('the names of a role and a schema fit, however long the id and the database’s name are', async () => {
    const id = 'a-project_with-a-long-name'.padEnd(63, 'x');
    for (const one of [id, `${id.slice(0, -1)}y`]) {
      const database = await engine.open({ ...project, id: one });
      await migrateToLatest(database, library.migrations);
      expect(await database.columns('books')).toHaveLength(8);
      await database.close();
    }
    const { rows } = await withPostgresClient(url, (admin) =>
      admin.query('SELECT octet_length(role) AS length FROM fabrica.project_roles'),
    );
    expect(rows).toHaveLength(2);
    for (const { length } of rows) expect(length).toBeLessThanOrEqual(63);
  });

  test('opening a project restores the settings that its role has changed', async () => {
    const database = await engine.open(project);
    await migrateToLatest(database, library.migrations);
    await database.close();
    await withPostgresClient(await projectUrl(url, 'library'), async (own) => {
      await own.query(`ALTER ROLE CURRENT_USER SET default_transaction_read_only = on`);
      await own.query(`ALTER ROLE CURRENT_USER SET search_path = pg_catalog`);
      await own.query(`ALTER ROLE CURRENT_USER PASSWORD 'mine alone'`);
    });
    const again = await engine.open(project);
    expect(await again.columns('books')).toHaveLength(8);
    expect(
      (await again.writer.deleteFrom('books').where('id', '=', 'none').executeTakeFirst()).numDeletedRows,
    ).toBe(0n);
    await again.close();
  });

  test('a project whose role was granted more rights is not opened', async () => {
    await (await engine.open(project)).close();
    const { username } = new URL(await projectUrl(url, 'library'));
    const superuser = process.env.TEST_POSTGRES_SUPERUSER_URL ?? '';
    await withPostgresClient(superuser, (admin) => admin.query(`GRANT pg_read_all_data TO "${username}"`));
    await expect(engine.open(project)).rejects.toThrow(
      `The role "${username}" of a project has more rights than its own: take them away.`,
    );
  });
});

describe('an unusable DATABASE_URL', () => {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.close());

  const openAs = (url: string) => createPostgresEngine({ url }).open(project);

  test('the error says that the role may not create roles, and how to allow it', async () => {
    await withPostgresClient(server.url, async (superuser) => {
      await superuser.query(`CREATE ROLE modest LOGIN PASSWORD 'modest'`);
      await superuser.query('CREATE DATABASE modest OWNER modest');
    });
    await expect(openAs(`postgres://modest:modest@127.0.0.1:${server.port}/modest`)).rejects.toThrow(
      'The role "modest" of DATABASE_URL may not create roles, and each project needs one of its own: ALTER ROLE "modest" CREATEROLE.',
    );
    // Nothing is left behind.
    const { rows } = await withPostgresClient(server.url.replace(/postgres$/, 'modest'), (superuser) =>
      superuser.query(`SELECT nspname FROM pg_namespace WHERE nspname ~ '^(fabrica|project)'`),
    );
    expect(rows).toEqual([]);
  });

  test('the error says that the role may not create schemas', async () => {
    await withPostgresClient(server.url, (superuser) => superuser.query('CREATE DATABASE foreign_owned'));
    await expect(openAs(server.adminUrl.replace(/fabrica$/, 'foreign_owned'))).rejects.toThrow(
      'The role "fabrica" of DATABASE_URL may not create schemas in the database "foreign_owned": GRANT CREATE ON DATABASE "foreign_owned" TO "fabrica".',
    );
  });

  test('the error says that the database has another encoding than UTF-8', async () => {
    await withPostgresClient(server.url, (superuser) =>
      superuser.query(
        `CREATE DATABASE latin OWNER fabrica ENCODING LATIN1 LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
      ),
    );
    await expect(openAs(server.adminUrl.replace(/fabrica$/, 'latin'))).rejects.toThrow(
      'The database of DATABASE_URL is in LATIN1: Fabrica needs UTF8.',
    );
  });

  test.each([
    ['a wrong password', 'postgres://fabrica:wrong-secret@HOST/fabrica', /password authentication failed/],
    ['no such database', 'postgres://fabrica:fabrica@HOST/nothing', /database "nothing" does not exist/],
    ['a password that is no address', 'postgres://fabrica:100%@HOST/fabrica', /cannot be connected to/],
  ])(
    'the error says at once what is wrong with the URL, without the password: %s',
    async (_, url, reason) => {
      const error = await openAs(url.replace('HOST', `127.0.0.1:${server.port}`)).catch((reason) => reason);
      expect(error.message).toMatch(reason);
      expect(error.message).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ \(DATABASE_URL\)/);
      expect(error.message).not.toMatch(/secret|100%/);
    },
  );

  test('opening a project waits for a server that is starting', async () => {
    await server.stop();
    const opening = openAs(server.adminUrl);
    await server.start();
    const opened = await opening;
    await expect(opened.close()).resolves.toBeUndefined();
  });

  test('the error says that the server is a replica', async () => {
    const standby = await server.startStandby();
    const url = server.adminUrl.replace(`:${server.port}/`, `:${standby.port}/`);
    await expect(openAs(url)).rejects.toThrow(
      'DATABASE_URL leads to a copy that cannot be written to: name the primary server.',
    );
    await standby.close();
  });
});

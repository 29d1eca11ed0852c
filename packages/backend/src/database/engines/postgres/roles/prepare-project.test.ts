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
import type { Database } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import { createPostgresEngine } from '../postgres-engine.ts';

const project = { id: 'library', schema: schemaOf(library) };

const select = (database: Database) =>
  database.run({
    mode: 'read',
    statements: [{ sql: 'SELECT * FROM books', parameters: [], verb: 'SELECT' }],
  });

/** Returns the role that runs the SQL of the library's clients. */
async function statementRole(url: string): Promise<string> {
  const { rows } = await withPostgresClient(url, (admin) =>
    admin.query(
      `SELECT rolname AS role FROM pg_roles WHERE rolname = 'fabrica-sql.library.' || current_database()`,
    ),
  );
  return rows[0].role;
}

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

  test('the roles of a project may log in and nothing else', async () => {
    await (await engine.open(project)).close();
    const roles = await withPostgresClient(url, async (admin) => {
      const { rows } = await admin.query(
        `SELECT pg_roles.*, (SELECT count(*) FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
         FROM pg_roles WHERE rolname LIKE 'fabrica%.library.' || current_database() ORDER BY rolname`,
      );
      return rows;
    });
    expect(roles.map(({ rolname }) => rolname.replace(/[0-9a-f]{16}$/, ''))).toEqual([
      'fabrica-sql.library.test_',
      'fabrica.library.test_',
    ]);
    for (const role of roles) {
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
    }
  });

  test('SQL responds with the reason while the server does not let its role in, and runs again once the project is opened anew', async () => {
    const database = await engine.open(project);
    await migrateToLatest(database, library.migrations);
    const role = await statementRole(url);
    await withPostgresClient(url, (admin) => admin.query(`ALTER ROLE "${role}" NOLOGIN`));
    await expect(select(database)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: `PostgreSQL does not let the role for SQL in: role "${role}" is not permitted to log in.`,
    });
    expect(await database.columns('books')).toHaveLength(8);
    await database.close();
    const again = await engine.open(project);
    expect((await select(again)).results).toMatchObject([{ rowCount: 0 }]);
    await again.close();
  });

  test('what a former version created for clients is handed over, and nodes of that version go on with it', async () => {
    const database = await engine.open(project);
    await migrateToLatest(database, library.migrations);
    await database.close();
    const own = await projectUrl(url, 'library');
    await withPostgresClient(own, async (former) => {
      await former.query(
        `CREATE TABLE marks (id text PRIMARY KEY, n int); CREATE VIEW seen AS SELECT id FROM marks`,
      );
      await former.query(
        `COMMENT ON TABLE marks IS '(made through /sql)'; COMMENT ON VIEW seen IS 'x (made through /sql)'`,
      );
      await former.query(`CREATE VIEW ours AS SELECT id FROM books`);
    });
    const again = await engine.open(project);
    expect(await again.clientColumns('marks')).toHaveLength(2);
    expect(await again.clientColumns('seen')).toHaveLength(1);
    expect(await again.clientColumns('ours')).toEqual([]);
    await withPostgresClient(own, (former) => former.query(`INSERT INTO marks VALUES ('a', 1)`));
    const { results } = await again.run({
      mode: 'write',
      statements: [
        'ALTER TABLE marks ADD COLUMN more text',
        'SELECT * FROM seen',
        'DROP TABLE marks CASCADE',
      ].map((sql) => ({ sql, parameters: [], verb: '' })),
    });
    expect(results[1]?.rows).toEqual([{ id: 'a' }]);
    await again.close();
  });

  test('rights that somebody took from the role for SQL are granted again when the project is opened', async () => {
    const database = await engine.open(project);
    await migrateToLatest(database, library.migrations);
    await database.close();
    const role = await statementRole(url);
    await withPostgresClient(await projectUrl(url, 'library'), (own) =>
      own.query(
        `REVOKE ALL ON SCHEMA project_library FROM "${role}"; REVOKE ALL ON ALL TABLES IN SCHEMA project_library FROM "${role}"`,
      ),
    );
    const again = await engine.open(project);
    expect((await select(again)).results).toMatchObject([{ rowCount: 0 }]);
    await again.close();
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

  test('a project that exists is not opened either while the role may not create roles', async () => {
    await withPostgresClient(server.url, async (superuser) => {
      await superuser.query(`CREATE ROLE former LOGIN CREATEROLE PASSWORD 'former'`);
      await superuser.query('CREATE DATABASE former OWNER former');
    });
    const url = `postgres://former:former@127.0.0.1:${server.port}/former`;
    await (await openAs(url)).close();
    await withPostgresClient(server.url, (superuser) => superuser.query('ALTER ROLE former NOCREATEROLE'));
    await expect(openAs(url)).rejects.toThrow('The role "former" of DATABASE_URL may not create roles, ');
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

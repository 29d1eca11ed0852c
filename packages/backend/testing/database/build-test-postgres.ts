import { type PostgresServer, startPostgres } from '@fabrica/test-peers/postgres-server.ts';
import { Client } from 'pg';
import {
  createPostgresEngine,
  type PostgresEngineOptions,
} from '../../src/database/engines/postgres/postgres-engine.ts';
import { openTestDatabase, type TestDatabase } from './build-test-database.ts';
import { library } from './build-test-library.ts';

/** A server that a test stops, starts and suspends; no other test uses it. */
export interface TestPostgres extends PostgresServer {
  /** `postgres://…` of its database `fabrica`, with a role that is not a superuser. */
  adminUrl: string;
  /** Opens the library there, behind the real routes. */
  openLibrary(options?: Partial<PostgresEngineOptions>): Promise<TestDatabase>;
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const server = await startPostgres();
  await withPostgresClient(server.url, async (superuser) => {
    await superuser.query(`CREATE ROLE fabrica LOGIN CREATEROLE PASSWORD 'fabrica'`);
    await superuser.query('CREATE DATABASE fabrica OWNER fabrica');
  });
  const adminUrl = `postgres://fabrica:fabrica@127.0.0.1:${server.port}/fabrica`;
  return {
    ...server,
    adminUrl,
    openLibrary(options) {
      const another = () => createPostgresEngine({ url: adminUrl, ...options });
      return openTestDatabase(library, { ...another(), settings: { DATABASE_URL: adminUrl }, another });
    },
  };
}

/** Runs `act` with a client of its own, as the role that the URL names. */
export async function withPostgresClient<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Returns the URL with which a project itself logs in; `url` is that of the settings. */
export async function projectUrl(url: string, projectId: string): Promise<string> {
  const { rows } = await withPostgresClient(url, (admin) =>
    admin.query('SELECT role, password FROM fabrica.project_roles WHERE project = $1', [projectId]),
  );
  const login = new URL(url);
  login.username = rows[0].role;
  login.password = rows[0].password;
  return login.href;
}

import { type PostgresServer, startPostgres } from '@fabrica/test-peers/postgres-server.ts';
import { Client } from 'pg';
import {
  createPostgresEngine,
  type PostgresEngineOptions,
} from '../../src/database/engines/postgres/postgres-engine.ts';
import { openTestDatabase, type TestDatabase } from './build-test-database.ts';
import { library } from './build-test-library.ts';

/** A server that tests stop, start and hold up; no other test uses it. */
export interface TestPostgres extends PostgresServer {
  /** `postgres://…` of its database `fabrica`, as a role that is no superuser. */
  address: string;
  /** The library's tables there, behind the real routes. */
  openLibrary(options?: Partial<PostgresEngineOptions>): Promise<TestDatabase>;
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const server = await startPostgres();
  await asRole(server.url, async (superuser) => {
    await superuser.query(`CREATE ROLE fabrica LOGIN CREATEROLE PASSWORD 'fabrica'`);
    await superuser.query('CREATE DATABASE fabrica OWNER fabrica');
  });
  const address = `postgres://fabrica:fabrica@127.0.0.1:${server.port}/fabrica`;
  return {
    ...server,
    address,
    openLibrary(options) {
      const another = () => createPostgresEngine({ url: address, ...options });
      return openTestDatabase(library, { ...another(), settings: { DATABASE_URL: address }, another });
    },
  };
}

/** Statements by a client of its own, as whoever an address names. */
export async function asRole<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** The address by which a project itself logs in; `url` is that of the settings. */
export async function projectAddress(url: string, projectId: string): Promise<string> {
  const { rows } = await asRole(url, (admin) =>
    admin.query('SELECT role, password FROM fabrica.project_roles WHERE project = $1', [projectId]),
  );
  const address = new URL(url);
  address.username = rows[0].role;
  address.password = rows[0].password;
  return address.href;
}

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { startPostgres } from './postgres-server.ts';

/**
 * Starts the PostgreSQL server of a whole run. Every test creates a database of its own there, with a role that may create
 * roles and databases and is no superuser. If the server cannot be started, the tests that need it fail with the
 * reason, and the others run.
 */
export async function setup(): Promise<() => Promise<void>> {
  try {
    const server = await startPostgres();
    const password = randomBytes(12).toString('hex');
    const superuser = new Client(server.url);
    await superuser.connect();
    await superuser.query(`CREATE ROLE fabrica LOGIN CREATEROLE CREATEDB PASSWORD '${password}'`);
    await superuser.end();
    const url = new URL(server.url);
    url.username = 'fabrica';
    url.password = password;
    process.env.TEST_POSTGRES_URL = url.href;
    process.env.TEST_POSTGRES_SUPERUSER_URL = server.url;
    return () => server.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.env.TEST_POSTGRES_FAULT = `The PostgreSQL server for the tests could not be started: ${reason}`;
    return async () => undefined;
  }
}

import type { Kysely } from 'kysely';
import { seal, unseal } from '../../../core/seal.ts';
import type { Project } from '../../../database/project.ts';

interface SecretRow {
  name: string;
  /** The encrypted value. */
  sealed: string;
  /** `host` or `host:port`, separated by commas. */
  hosts: string;
  /** Epoch ms, both. */
  created_at: number;
  updated_at: number;
}

interface SecretTables {
  secrets: SecretRow;
}

/** A value that requests of a project may use without knowing it. */
export interface Secret {
  name: string;
  value: string;
  /** Hosts that may receive it, as `hostPortOf` writes them: `host` (at the port of https) or `host:port`. */
  hosts: readonly string[];
}

export const SECRET_NAME = /^[A-Za-z_]\w{0,99}$/;

/** Stores a secret, and replaces one of the same name. */
export async function saveSecret(
  { database, definition }: Project,
  key: Buffer,
  { name, value, hosts }: Secret,
): Promise<void> {
  const writer: Kysely<SecretTables> = database.writer;
  const now = Date.now();
  const changes = {
    sealed: seal(key, value, contextOf(definition.id, name)),
    hosts: hosts.join(','),
    updated_at: now,
  };
  await writer
    .insertInto('secrets')
    .values({ name, created_at: now, ...changes })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute();
}

/** Returns the secrets of these names that exist. Throws an Error when they were encrypted with another key. */
export async function findSecrets(
  { database, definition }: Project,
  key: Buffer,
  names: readonly string[],
): Promise<Secret[]> {
  if (names.length === 0) return [];
  const reader: Kysely<SecretTables> = database.reader;
  const rows = await reader.selectFrom('secrets').selectAll().where('name', 'in', names).execute();
  return rows.map(({ name, sealed, hosts }) => ({
    name,
    value: open(key, sealed, { projectId: definition.id, name }),
    hosts: hosts.split(','),
  }));
}

function open(key: Buffer, sealed: string, { projectId, name }: { projectId: string; name: string }): string {
  try {
    return unseal(key, sealed, contextOf(projectId, name));
  } catch (cause) {
    throw new Error(
      `The secret "${name}" of ${projectId} was kept with another key than the one in the main project’s database: set the secret anew.`,
      { cause },
    );
  }
}

/** Returns the secrets in the order of their names, without their values. */
export function listSecrets({ database }: Project): Promise<Omit<SecretRow, 'sealed'>[]> {
  const reader: Kysely<SecretTables> = database.reader;
  return reader
    .selectFrom('secrets')
    .select(['name', 'hosts', 'created_at', 'updated_at'])
    .orderBy('name')
    .execute();
}

/** Deletes a secret. Returns whether it existed. */
export async function deleteSecret({ database }: Project, name: string): Promise<boolean> {
  const writer: Kysely<SecretTables> = database.writer;
  const { numDeletedRows } = await writer.deleteFrom('secrets').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the context of a value, which cannot be decrypted in another row or another project’s database. */
function contextOf(projectId: string, name: string): string {
  return `secret ${projectId} ${name}`;
}

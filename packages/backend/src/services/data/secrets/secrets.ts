import type { Kysely } from 'kysely';
import { type KeyRing, sealWith, unsealWith } from '../../../core/key-ring.ts';
import type { Database } from '../../../database/port.ts';
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
  keys: KeyRing,
  { name, value, hosts }: Secret,
): Promise<void> {
  const writer: Kysely<SecretTables> = database.writer;
  const now = Date.now();
  const changes = {
    sealed: sealWith(keys, value, contextOf(definition.id, name)),
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
  keys: KeyRing,
  names: readonly string[],
): Promise<Secret[]> {
  if (names.length === 0) return [];
  const reader: Kysely<SecretTables> = database.reader;
  const rows = await reader.selectFrom('secrets').selectAll().where('name', 'in', names).execute();
  const secrets: Secret[] = [];
  for (const { name, sealed, hosts } of rows) {
    const value = await open(keys, sealed, { projectId: definition.id, name });
    secrets.push({ name, value, hosts: hosts.split(',') });
  }
  return secrets;
}

/** Seals all secrets of a project with the current key. Those that no key opens stay as they are. */
export async function sealSecretsAnew(database: Database, projectId: string, keys: KeyRing): Promise<void> {
  const writer: Kysely<SecretTables> = database.writer;
  for (const { name, sealed } of await writer.selectFrom('secrets').selectAll().execute()) {
    const context = contextOf(projectId, name);
    const value = await unsealWith(keys, sealed, context).catch(() => undefined);
    if (value === undefined) continue;
    await writer
      .updateTable('secrets')
      .set({ sealed: sealWith(keys, value, context) })
      .where('name', '=', name)
      .where('sealed', '=', sealed)
      .execute();
  }
}

async function open(
  keys: KeyRing,
  sealed: string,
  { projectId, name }: { projectId: string; name: string },
): Promise<string> {
  try {
    return await unsealWith(keys, sealed, contextOf(projectId, name));
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

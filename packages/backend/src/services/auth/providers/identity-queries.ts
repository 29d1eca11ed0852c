import type { Connection, IdentityKey, IdentityRow } from '../queries.ts';

export function findIdentity(
  connection: Connection,
  { provider, subject }: IdentityKey,
): Promise<IdentityRow | undefined> {
  return connection
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function insertIdentity(connection: Connection, row: IdentityRow): Promise<void> {
  await connection.insertInto('identities').values(row).execute();
}

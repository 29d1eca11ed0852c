import type { Kysely } from 'kysely';
import type { Database } from '../../database/index.ts';

/** The columns of accounts that this service reads. */
export interface RecipientRow {
  id: string;
  email: string;
  email_verified: number;
  language: string | null;
  /** Epoch ms; null while the account is enabled. */
  disabled_at: number | null;
}

export function findRecipient(database: Database, userId: string): Promise<RecipientRow | undefined> {
  const reader: Kysely<{ users: RecipientRow }> = database.reader;
  return reader
    .selectFrom('users')
    .select(['id', 'email', 'email_verified', 'language', 'disabled_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

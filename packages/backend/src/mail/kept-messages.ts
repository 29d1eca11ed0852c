import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Migration } from '../core/project.ts';
import type { Database } from '../database/index.ts';
import type { MailSeal } from './mail-seal.ts';

/** Messages that stay; the oldest are deleted. */
const MAX_MESSAGES = 200;
/** Milliseconds that a message stays: 90 days. */
const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** A message for the operator, who has named no address for it. */
interface KeptMessage {
  /** Whom to reply to: `Ada <ada@example.org>`. */
  from: string;
  subject: string;
  text: string;
}

interface KeptRow {
  id: string;
  created_at: number;
  /** JSON of a `KeptMessage`, sealed. */
  message: string;
}

interface KeptTables {
  kept_messages: KeptRow;
}

const reader = (database: Database): Kysely<KeptTables> => database.reader;
const writer = (database: Database): Kysely<KeptTables> => database.writer;

/** The migration that makes room for them. Older nodes go on without it, and say that nothing is sent. */
export const KEPT_MESSAGES = '0020-kept-messages';

export const keptMessages: Migration = {
  compatibleWith: 'any',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('kept_messages')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .execute();
  },
  async down({ schema }: Kysely<unknown>) {
    await schema.dropTable('kept_messages').execute();
  },
};

/** Keeps a message for the operator, and deletes those that are too old or too many. */
export async function keepMessage(
  database: Database,
  message: KeptMessage,
  { seal, now }: { seal: MailSeal; now: number },
): Promise<void> {
  const id = `message_${now}_${randomUUID()}`;
  const row = { id, created_at: now, message: seal.seal(JSON.stringify(message), id) };
  await writer(database).insertInto('kept_messages').values(row).execute();
  const surplus = await reader(database)
    .selectFrom('kept_messages')
    .select(['id', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_MESSAGES)
    .limit(1)
    .executeTakeFirst();
  await deleteOldMessages(database, Math.max(now - RETENTION_MS, (surplus?.created_at ?? 0) + 1));
}

/** Deletes the messages from before this time; by default, those that are kept for too long. */
export async function deleteOldMessages(
  database: Database,
  before = Date.now() - RETENTION_MS,
): Promise<void> {
  await writer(database).deleteFrom('kept_messages').where('created_at', '<', before).execute();
}

export async function countMessages(database: Database): Promise<number> {
  const found = await reader(database)
    .selectFrom('kept_messages')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .where('created_at', '>=', Date.now() - RETENTION_MS)
    .executeTakeFirst();
  return Number(found?.messages ?? 0);
}

/** Returns the newest messages first. */
export async function listMessages(
  database: Database,
  seal: MailSeal,
): Promise<(KeptMessage & { id: string; at: number })[]> {
  const rows = await reader(database)
    .selectFrom('kept_messages')
    .selectAll()
    .where('created_at', '>=', Date.now() - RETENTION_MS)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ id, created_at: at, message }) => {
    return { id, at: Number(at), ...(JSON.parse(seal.unseal(message, id)) as KeptMessage) };
  });
}

export async function deleteMessage(database: Database, id: string): Promise<void> {
  await writer(database).deleteFrom('kept_messages').where('id', '=', id).execute();
}

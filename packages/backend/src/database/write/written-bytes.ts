import { foldText } from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Change, Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { Migration } from '../../core/project.ts';
import type { Syntax, WriteQuota } from '../port.ts';
import type { Schema, TableSchema } from '../schema.ts';
import type { WriteTransaction } from './write-transaction.ts';

const TABLE = 'written_bytes';

/** The table of the bytes that each account has written on its last day, which no project may define or open. */
export const writeTables: readonly string[] = [TABLE];

export const writeMigrations: Record<string, Migration> = {
  '0011-written-bytes': {
    async up({ schema }) {
      await schema
        .createTable(TABLE)
        .addColumn('user_id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('day', 'bigint', (column) => column.notNull())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .execute();
    },
    async down({ schema }) {
      await schema.dropTable(TABLE).execute();
    },
  },
};

const DAY_MS = 86_400_000;

/** Bytes that a row takes beside its texts: its numbers, its entries in four indexes, and the room that is left in pages. */
const ROW_BYTES = 500;
/** Bytes that a text for searches takes beside itself. */
const SEARCHED_BYTES = 80;

/**
 * Adds the bytes of this transaction's rows to those that the account has written today (UTC). The count is part of the
 * transaction: it survives restarts, and all nodes share it. Throws RATE_LIMITED when that is more than the quota, so that
 * nothing is written.
 */
export async function countWrittenBytes(
  { context: { schema, syntax }, run, changes }: WriteTransaction,
  quota: WriteQuota,
): Promise<void> {
  const bytes = sumOf(changes, (change) => bytesOf(change) + grownSearchBytes(schema, change));
  await addBytes({ syntax, run }, bytes, quota);
}

/**
 * Adds the bytes by which these changes let rows grow, for services whose rows are written again and again as somebody
 * types: what a row had before counts no second time. Throws RATE_LIMITED.
 */
export async function countGrownBytes(
  counter: Counter & { schema: Schema },
  changes: readonly Change[],
  quota: WriteQuota,
): Promise<void> {
  const { schema } = counter;
  const bytes = sumOf(changes, (change) => grownBytesOf(change) + grownSearchBytes(schema, change));
  await addBytes(counter, bytes, quota);
}

interface Counter extends Pick<WriteTransaction, 'run'> {
  syntax: Syntax;
}

async function addBytes(
  { syntax, run }: Counter,
  bytes: number,
  { userId, now, bytes: quota }: WriteQuota,
): Promise<void> {
  if (bytes === 0) return;
  const day = Math.floor(now / DAY_MS);
  const [first, second, third] = [1, 2, 3].map((position) => syntax.placeholder(position));
  const [counted] = await run({
    sql: `INSERT INTO ${TABLE} (user_id, day, bytes) VALUES (${first}, ${second}, ${third})
      ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
        bytes = excluded.bytes + CASE WHEN ${TABLE}.day = excluded.day THEN ${TABLE}.bytes ELSE 0 END
      RETURNING bytes`,
    parameters: [userId, day, bytes],
  });
  if (Number(counted?.bytes) > quota) throw dailyBytesUsed(quota, now);
}

/** Removes the count of an account that is deleted. */
export async function forgetWrittenBytes(transaction: Transaction<unknown>, userId: string): Promise<void> {
  const tables = transaction as Transaction<{ [TABLE]: { user_id: string } }>;
  await tables.deleteFrom(TABLE).where('user_id', '=', userId).execute();
}

/** Returns the error of an account that has written as much as it may in a day. */
export function dailyBytesUsed(quota: number, now: number): AppError {
  return new AppError(
    'RATE_LIMITED',
    `You have written the ${Math.ceil(quota / 100_000) / 10} MB that an account may write in a day. Please try again tomorrow.`,
    { retryAfter: (DAY_MS - (now % DAY_MS)) / 1_000 },
  );
}

function sumOf(changes: readonly Change[], bytes: (change: Change) => number): number {
  return changes.reduce((sum, change) => sum + bytes(change), 0);
}

/** Returns the bytes that a change stores, and 0 for a deletion. */
function bytesOf({ after, changed }: Change): number {
  return after ? textBytes(after, changed) + ROW_BYTES : 0;
}

/** Returns the bytes by which a change lets a row grow: all of a new one, and 0 for one that shrinks or is deleted. */
function grownBytesOf(change: Change): number {
  const { before, after, changed } = change;
  if (!before || !after) return bytesOf(change);
  return Math.max(0, textBytes(after, changed) - textBytes(before, changed));
}

/** Returns the bytes by which a change lets the texts grow that triggers store for searches. */
function grownSearchBytes(schema: Schema, { table, before, after, changed }: Change): number {
  const texts = schema.get(table)?.searchedTexts ?? [];
  if (!after || !texts.some((columns) => columns.some((name) => changed.includes(name)))) return 0;
  return Math.max(0, searchBytes(texts, after) - (before ? searchBytes(texts, before) : 0));
}

function searchBytes(texts: TableSchema['searchedTexts'], row: Row): number {
  return texts.reduce((sum, columns) => {
    const text = columns.map((name) => row[name]).find(Boolean);
    return sum + (typeof text === 'string' ? Buffer.byteLength(foldText(text)) : 0) + SEARCHED_BYTES;
  }, 0);
}

function textBytes(row: Row, columns: readonly string[]): number {
  return columns.reduce((sum, name) => {
    const value = row[name];
    return sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }, 0);
}

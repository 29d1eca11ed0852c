import { foldText } from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Change, Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { Migration } from '../../core/project.ts';
import type { Syntax, WritePlan } from '../port.ts';
import type { Schema, TableSchema } from '../schema.ts';
import type { RunStatement } from './write-transaction.ts';

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

interface Counter {
  schema: Schema;
  syntax: Syntax;
  run: RunStatement;
}

/**
 * Adds the bytes of these changes to those that the account has written today (UTC): all bytes of the rows that a client
 * writes; of a service's plans, whose rows are written again and again as somebody types, those by which the rows grow. The count
 * is part of the transaction: it survives restarts, and all nodes share it. Throws RATE_LIMITED when that is more than the quota,
 * so that nothing is written.
 */
export async function countBytes(
  { schema, syntax, run }: Counter,
  changes: readonly Change[],
  { kind, quota }: Pick<WritePlan, 'kind' | 'quota'>,
): Promise<void> {
  if (!quota) return;
  const ofRow = kind === 'all' ? grownBytesOf : bytesOf;
  const bytes = changes.reduce((sum, change) => sum + ofRow(change) + grownSearchBytes(schema, change), 0);
  if (bytes === 0) return;
  const day = Math.floor(quota.now / DAY_MS);
  const [first, second, third] = [1, 2, 3].map((position) => syntax.placeholder(position));
  const [counted] = await run({
    sql: `INSERT INTO ${TABLE} (user_id, day, bytes) VALUES (${first}, ${second}, ${third})
      ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
        bytes = excluded.bytes + CASE WHEN ${TABLE}.day = excluded.day THEN ${TABLE}.bytes ELSE 0 END
      RETURNING bytes`,
    parameters: [quota.userId, day, bytes],
  });
  if (Number(counted?.bytes) > quota.bytes) throw dailyBytesUsed(quota.bytes, quota.now);
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

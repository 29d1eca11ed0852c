import { CompiledQuery, type Transaction } from 'kysely';
import type { ChangeEvent, Row } from '../bus.ts';
import type { Filter, Scalar } from '../filter.ts';
import { ServiceError } from '../http/errors.ts';
import { both, type Permission } from './authorize.ts';
import { type CompileContext, compileCount, compileRows, type Statement } from './compile.ts';
import type { Database } from './database.ts';
import type { TableSchema } from './schema.ts';

/** Ids of one statement at most: engines bound the parameters. */
const IDS_PER_STATEMENT = 500;

/** What committed, before the bus adds whose project it was. */
export type Change = Omit<ChangeEvent, 'projectId'>;

/** A write under way: all of it is committed, or nothing. */
export interface Write {
  context: CompileContext;
  permission: Permission;
  run(statement: Statement): Promise<Row[]>;
  /** Every row that was written, in order. */
  changes: Change[];
}

/**
 * Runs `act` in one transaction. Throws what it throws; CONFLICT and VALIDATION_FAILED for what the tables
 * themselves refuse, without a word of SQL.
 */
export async function inTransaction<T>(
  database: Database,
  context: CompileContext,
  permission: Permission,
  act: (write: Write) => Promise<T>,
): Promise<{ result: T; changes: Change[] }> {
  const changes: Change[] = [];
  try {
    const result = await database.writer
      .transaction()
      .execute((transaction) => act({ context, permission, changes, run: statementRunner(transaction) }));
    return { result, changes };
  } catch (error) {
    throw refusal(database, error);
  }
}

/** Compiled statements within a transaction. */
export function statementRunner(transaction: Transaction<unknown>): Write['run'] {
  return async ({ sql, parameters }) => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return rows as Row[];
  };
}

function refusal(database: Database, error: unknown): unknown {
  switch (database.violation(error)) {
    case 'unique':
      return new ServiceError('CONFLICT', 'There is a row with these values already.', { cause: error });
    case 'foreign-key':
      return new ServiceError('VALIDATION_FAILED', 'This refers to a row that does not exist.', {
        cause: error,
      });
    case 'not-null':
    case 'check':
      return new ServiceError('VALIDATION_FAILED', 'The row is not one that this table takes.', {
        cause: error,
      });
    case undefined:
      return error;
  }
}

/** How many of the rows with these ids satisfy the filter. */
export async function countAmong(
  { context, run }: Write,
  ids: readonly Scalar[],
  filter: Filter,
): Promise<number> {
  let total = 0;
  for (const values of chunks(ids)) {
    const [row] = await run(compileCount(context, both({ kind: 'in', column: 'id', values }, filter)));
    total += Number(row?.total);
  }
  return total;
}

/** All rows of `table` in whose `column` one of the values stands. */
export async function rowsWith(
  { context, run }: Write,
  table: TableSchema,
  column: string,
  values: readonly Scalar[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunks(values)) {
    const filter: Filter = { kind: 'in', column, values: chunk };
    rows.push(...(await run(compileRows({ ...context, table }, filter, Number.MAX_SAFE_INTEGER))));
  }
  return rows;
}

export function chunks(values: readonly Scalar[], size = IDS_PER_STATEMENT): Scalar[][] {
  const parts: Scalar[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}

import { setImmediate as pause } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Change, Row } from '../core/bus.ts';
import { equals, everyRow, type Filter, type Scalar } from '../core/filter.ts';
import { servicePermission } from './permission.ts';
import type { Clock } from './port.ts';
import type { Project } from './project.ts';
import { type CompileContext, compileSelect, type Statement } from './query/compile.ts';
import type { Query } from './query/query.ts';
import { OWNER_COLUMN, schemaOf, type TableSchema } from './schema.ts';
import { chunks } from './write/check-rows.ts';
import { deleteRows } from './write/delete-rows.ts';
import { statementRunner } from './write/statement-runner.ts';
import { updateRows } from './write/update-rows.ts';
import type { Write } from './write/write.ts';

/** Of the largest rows there are, so many at once do no harm. */
const ROWS_READ_AT_ONCE = 25;

/** The rows of an account in one table. */
export interface AccountRows {
  table: string;
  /** Some at a time. */
  parts: AsyncIterable<Row[]>;
}

/**
 * Does with an account's rows what the project has decided (`whenAccountIsDeleted`), and answers every change in
 * order: to be published once the transaction is committed. Tables come last to first: they refer to earlier ones.
 */
export async function releaseAccountRows(
  transaction: Transaction<unknown>,
  { definition, database }: Project,
  userId: string,
): Promise<Change[]> {
  const schema = schemaOf(definition);
  const cascades = await database.cascades([...schema.keys()]);
  const changes: Change[] = [];
  const run = statementRunner(transaction);
  for (const table of ownedTables(schema.values()).reverse()) {
    const context = { schema, table, syntax: database.syntax };
    const write: Write = { context, run, changes, permission: servicePermission(table) };
    const rule = definition.whenAccountIsDeleted?.[table.name] ?? 'delete';
    for (const ids of chunks((await run(ownedIds(context, userId))).map(idOf))) {
      const query = queryOf(context, among(ids), ids.length);
      if (rule === 'delete') await deleteRows(write, query, { where: everyRow, cascades });
      else await updateRows(write, query, { changes: rule.set, where: everyRow, clock: clockOf() });
      // There may be thousands of them: meanwhile others are answered.
      await pause();
    }
  }
  return changes;
}

/** All rows of an account, table by table, whatever the policies say of them. */
export function* readAccountRows({ definition, database }: Project, userId: string): Generator<AccountRows> {
  const schema = schemaOf(definition);
  const read = async ({ sql, parameters }: Statement) => database.query(sql, parameters);
  for (const table of ownedTables(schema.values())) {
    const context = { schema, table, syntax: database.syntax };
    yield { table: table.name, parts: readParts(context, userId, read) };
  }
}

async function* readParts(
  context: CompileContext,
  userId: string,
  read: (statement: Statement) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (const ids of chunks((await read(ownedIds(context, userId))).map(idOf), ROWS_READ_AT_ONCE)) {
    yield await read(compileSelect(context, queryOf(context, among(ids), ids.length)));
    await pause();
  }
}

function ownedTables(tables: Iterable<TableSchema>): TableSchema[] {
  return [...tables].filter(({ view, columns }) => !view && columns.has(OWNER_COLUMN));
}

/** The ids alone, all at once: no index has an account's rows in their order, each page would sort them anew. */
function ownedIds(context: CompileContext, userId: string): Statement {
  const query = queryOf(context, equals(OWNER_COLUMN, userId), Number.MAX_SAFE_INTEGER);
  return compileSelect(context, query, { columns: ['id'] });
}

function queryOf({ table }: CompileContext, filter: Filter, limit: number): Query {
  return {
    columns: [...table.columns.keys()],
    filter,
    order: [{ column: 'id', descending: false, nullsFirst: false }],
    limit,
    offset: 0,
    after: undefined,
  };
}

function among(ids: readonly Scalar[]): Filter {
  return { kind: 'in', column: 'id', values: ids };
}

function idOf({ id }: Row): Scalar {
  return id ?? null;
}

/** The service's: nothing is stamped that the rule sets itself. */
function clockOf(): Clock {
  return { now: Date.now(), stampsBind: false };
}

import { randomBytes } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { CompiledQuery, type Transaction } from 'kysely';
import type { Change, Row } from '../core/bus.ts';
import { ANONYMOUS_NAME } from '../core/caller.ts';
import { allOf, anyOf, equals, everyRow, type Filter, not, type Scalar } from '../core/filter.ts';
import { servicePermission } from './permission.ts';
import type { Project } from './project.ts';
import { type CompileContext, compileSelect } from './query/compile.ts';
import type { Query, Statement } from './query/query.ts';
import { OWNER_COLUMN, PSEUDONYM_BYTES, schemaOf, type TableSchema } from './schema.ts';
import { chunks, idOf, type RunStatement, WriteTransaction } from './write/write-transaction.ts';

/** So many of the largest rows fit into memory at once. */
const ROWS_READ_AT_ONCE = 25;

/** The rows of an account in one table. */
interface AccountRows {
  table: string;
  /** Some rows at a time. */
  parts: AsyncIterable<Row[]>;
}

/**
 * Deletes or updates an account's rows as the project says in `whenAccountIsDeleted`. Returns every change in order,
 * to be published once the transaction is committed. Tables are handled last to first: they refer to earlier ones. With
 * `withModerated`, rows of moderated tables are deleted whatever the project says.
 */
export async function releaseAccountRows(
  transaction: Transaction<unknown>,
  { definition, database }: Project,
  userId: string,
  { withModerated = false } = {},
): Promise<Change[]> {
  const pseudonym = randomBytes(PSEUDONYM_BYTES).toString('hex');
  const schema = schemaOf(definition);
  const cascades = await database.cascades([...schema.keys()]);
  const changes: Change[] = [];
  const run = statementRunner(transaction);
  for (const table of ownedTables(schema.values()).reverse()) {
    const context = { schema, table, syntax: database.syntax };
    const write = new WriteTransaction(context, run, changes);
    const permission = servicePermission(table);
    const isDeleted = withModerated && definition.tables[table.name]?.moderated;
    const rule = (!isDeleted && definition.whenAccountIsDeleted?.[table.name]) || 'delete';
    for (const ids of chunks((await run(ownedIds(context, userId))).map(idOf))) {
      const query = queryOf(context, among(ids), ids.length);
      const plan = { query, permission, maxAffected: undefined };
      if (rule === 'delete') {
        await write.delete({ ...plan, cascades });
      } else {
        // The rule may set stamps, as the service role may.
        const clock = { now: Date.now(), serverStamps: false };
        const changes = { ...rule.set, [OWNER_COLUMN]: `${rule.set[OWNER_COLUMN]}_${pseudonym}` };
        await write.update({ ...plan, changes, clock });
      }
      // There may be thousands of rows: other requests are served in between.
      await pause();
    }
  }
  return changes;
}

/**
 * Gives an account's rows its new public name, except for those that were written without a name. Returns every change,
 * to be published once the transaction is committed.
 */
export async function renameAccountRows(
  transaction: Transaction<unknown>,
  { definition, database }: Project,
  { userId, name }: { userId: string; name: string },
): Promise<Change[]> {
  const schema = schemaOf(definition);
  const changes: Change[] = [];
  const run = statementRunner(transaction);
  for (const table of ownedTables(schema.values())) {
    const context = { schema, table, syntax: database.syntax };
    const permission = servicePermission(table);
    for (const column of namedColumns(table)) {
      const named = not(anyOf(equals(column, ANONYMOUS_NAME), equals(column, name)));
      const rows = await run(ownedIds(context, userId, named));
      for (const ids of chunks(rows.map(idOf))) {
        const query = queryOf(context, among(ids), ids.length);
        const clock = { now: Date.now(), serverStamps: false };
        const plan = { query, permission, maxAffected: undefined, changes: { [column]: name }, clock };
        await new WriteTransaction(context, run, changes).update(plan);
        await pause();
      }
    }
  }
  return changes;
}

/** Yields all rows of an account, table by table, regardless of policies. */
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

function namedColumns({ columns }: TableSchema): string[] {
  return [...columns].filter(([, rule]) => rule.type === 'text' && rule.stamp).map(([name]) => name);
}

/** Reads all ids at once: no index has an account's rows in order, so that every page would sort them again. */
function ownedIds(context: CompileContext, userId: string, where: Filter = everyRow): Statement {
  const query = queryOf(context, allOf(equals(OWNER_COLUMN, userId), where), Number.MAX_SAFE_INTEGER);
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

/** Returns a function that runs compiled statements within a transaction of Kysely. */
function statementRunner(transaction: Transaction<unknown>): RunStatement {
  return async ({ sql, parameters }) => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return rows as Row[];
  };
}

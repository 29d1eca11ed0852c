import type { Context } from 'hono';
import type { Bus } from '../../../core/bus.ts';
import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import {
  type CompileContext,
  compileDirectDelete,
  compileDirectUpdate,
  compileInsert,
} from '../../../database/query/compile.ts';
import type { Statement } from '../../../database/query/query.ts';
import type { TableSchema } from '../../../database/schema.ts';
import { columnName, generateId } from '../../../database/write/validate-row.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import {
  parseColumns,
  parseConflictTarget,
  parseParameters,
  parseReadQuery,
  parseWriteQuery,
  type QueryParameters,
  requireNoFilter,
  requireNoInsertParameters,
} from '../read/parse.ts';
import { type Preferences, parsePreferences } from '../read/preferences.ts';
import { presentWritten, type WriteResponseForm } from '../read/present.ts';
import { parseRow, parseRows, type SentRow } from '../write/parse-rows.ts';
import { parseRowsBody } from '../write/write-request.ts';
import { requireClientTable } from './client-table.ts';
import { runWrites } from './run-batch.ts';

interface ClientTableWrite {
  context: CompileContext;
  parameters: QueryParameters;
  preferences: Preferences;
  body(): Promise<unknown>;
}

interface CompiledWrite {
  verb: 'INSERT' | 'UPDATE' | 'DELETE';
  statements: readonly Statement[];
  /** The columns of the response. */
  columns: readonly string[];
  form: WriteResponseForm;
}

type WriteOperation = 'create' | 'update' | 'delete';

/**
 * Writes rows of a table that SQL has created, in the service role. The engine itself checks values and fills in defaults;
 * its errors are those of `/sql`.
 */
export async function writeClientTable(
  c: Context<AppEnvironment>,
  { bus, operation }: { bus: Bus; operation: WriteOperation },
): Promise<Response> {
  const { project } = c.var;
  const context = await requireClientTable(project.database, c.req.param('table') ?? '');
  const parameters = parseParameters(c.req.url);
  const preferences = parsePreferences({ header: (name) => c.req.header(name) });
  requireOffered(parameters, preferences);
  const write = { context, parameters, preferences, body: () => parseRowsBody(c) };
  const { verb, statements, columns, form } = await COMPILE[operation](write);
  const results = await runWrites(
    statements.map((statement) => ({ ...statement, verb })),
    { project, bus },
  );
  return presentWritten(
    results.flatMap(({ rows }) => rows),
    columns,
    form,
    preferences,
  );
}

/** Throws for what needs the rows to be looked up before they are written. */
function requireOffered(
  { limit, offset, cursor }: QueryParameters,
  { maxAffected }: Pick<Preferences, 'maxAffected'>,
): void {
  if (maxAffected === undefined && [limit, offset, cursor].every((value) => value === undefined)) return;
  throw new AppError(
    'VALIDATION_FAILED',
    'A write to a table that SQL has made takes no limit, offset, cursor or max-affected: say by a filter which rows are meant.',
  );
}

const COMPILE: Readonly<Record<WriteOperation, (write: ClientTableWrite) => Promise<CompiledWrite>>> = {
  async create({ context, parameters, preferences, body }) {
    requireNoFilter(parameters);
    const { table } = context;
    const { columns } = parseReadQuery(parameters, table);
    const picked = parseColumns(parameters, table);
    const rows = parseRows(await body()).map((row) => newRow(table, row, { picked, preferences }));
    const conflict = conflictClause(parameters, preferences, table);
    const statements = rows.map((row) => {
      const { sql, parameters: values } = compileInsert(context, [row]);
      return { sql: `${sql}${conflict(Object.keys(row))} RETURNING *`, parameters: values };
    });
    return { verb: 'INSERT', statements, columns, form: { full: 201, empty: 201, ranged: false } };
  },
  async update({ context, parameters, preferences, body }) {
    requireNoInsertParameters(parameters);
    const { columns, filter } = parseWriteQuery(parameters, context.table);
    const changes = valuesOf(context.table, parseRow(await body()));
    if (Object.keys(changes).length === 0) {
      throw new AppError('VALIDATION_FAILED', 'Name at least one column that is to be changed.');
    }
    const statement = compileDirectUpdate(context, changes, { filter, single: preferences.singular });
    return {
      verb: 'UPDATE',
      statements: [statement],
      columns,
      form: { full: 200, empty: 204, ranged: true },
    };
  },
  async delete({ context, parameters, preferences }) {
    requireNoInsertParameters(parameters);
    const { columns, filter } = parseWriteQuery(parameters, context.table);
    const statement = compileDirectDelete(context, { filter, single: preferences.singular });
    return {
      verb: 'DELETE',
      statements: [statement],
      columns,
      form: { full: 200, empty: 204, ranged: false },
    };
  },
};

/** Returns the values of a new row; a text id is generated when it is missing, and any other is the engine's default. */
function newRow(
  table: TableSchema,
  sent: SentRow,
  { picked, preferences }: { picked: readonly string[] | undefined; preferences: Preferences },
): Record<string, Scalar> {
  const given = valuesOf(table, sent);
  const row: Record<string, Scalar> = {};
  for (const name of picked ?? Object.keys(given)) {
    if (given[name] !== undefined) row[name] = given[name];
    else if (name !== 'id' && !preferences.missingDefault) row[name] = null;
  }
  if (row.id === undefined && table.columns.get('id')?.type === 'text')
    row.id = generateId(table, Date.now());
  if (Object.keys(row).length > 0) return row;
  throw new AppError('VALIDATION_FAILED', 'Name at least one column of each new row.');
}

/** Returns the values by the names of the table's columns; objects and arrays are stored as JSON. */
function valuesOf(table: TableSchema, sent: SentRow): Record<string, Scalar> {
  const entries = Object.entries(sent).map(([key, value]): [string, Scalar] => [
    columnName(table, key),
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Scalar),
  ]);
  return Object.fromEntries(entries);
}

/** Returns a function that writes what becomes of a row that exists already, by the columns that it names. */
function conflictClause(
  parameters: QueryParameters,
  { mergeDuplicates, ignoreDuplicates }: Preferences,
  table: TableSchema,
): (names: readonly string[]) => string {
  const implied = mergeDuplicates || ignoreDuplicates ? ['id'] : undefined;
  const target = parseConflictTarget(parameters, table) ?? implied;
  if (!target) return () => '';
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  return (names) => {
    const updated = names.filter((name) => !target.includes(name));
    const sets = updated.map((name) => `${quote(name)} = excluded.${quote(name)}`).join(', ');
    const act = ignoreDuplicates || sets === '' ? 'NOTHING' : `UPDATE SET ${sets}`;
    return ` ON CONFLICT (${target.map(quote).join(', ')}) DO ${act}`;
  };
}

import { AppError } from '../../../core/errors.ts';
import { requireUpdatable } from '../../../database/write/update-rows.ts';
import {
  pickColumns,
  requireObject,
  requireRows,
  validateColumns,
} from '../../../database/write/validate-row.ts';
import { authorizeRead, requirePermission } from '../policy/authorize.ts';
import {
  parseColumns,
  parseConflict,
  parseQuery,
  parseWriteQuery,
  requireNoFilter,
  requireNoneOfNewRows,
} from '../read/parse.ts';
import { presentWritten } from '../read/present.ts';
import type { WriteRequest } from '../table-request.ts';
import { sortRows } from './sort-rows.ts';

/** POST: one row or several, all or none. */
export async function answerCreate(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, permission, clock } = request;
  const { table } = context;
  requireNoFilter(parameters);
  // As in PostgREST, new rows are answered in the order that is asked for, and a limit means nothing to them.
  const { columns, order } = parseQuery(parameters, table);
  const conflict = await conflictOf(request);
  const read = parseColumns(parameters, table);
  // What is merged into a row that is there already need not be whole.
  const whole = conflict === undefined;
  const given = requireRows(await request.body()).map((row) =>
    validateColumns(table, read ? pickColumns(table, row, { columns: read, ...preferences }) : row, clock, {
      whole,
    }),
  );
  const { rows, created } = await request.write({
    kind: 'create',
    table: table.name,
    permission,
    rows: given,
    clock,
    conflict,
    resolution: preferences.ignoreDuplicates ? 'ignore' : 'merge',
    single: preferences.singular,
  });
  const status = created > 0 || given.length === 0 ? 201 : 200;
  const answered = parameters.order === undefined ? rows : sortRows(rows, order);
  return presentWritten(answered, columns, { full: status, empty: status, ranged: false }, preferences);
}

/** The columns by which a new row may be there already: the id, unless others are named that hold one row together. */
async function conflictOf(request: WriteRequest): Promise<readonly string[] | undefined> {
  const { mergeDuplicates, ignoreDuplicates } = request.preferences;
  const columns = parseConflict(request.parameters, request.context.table);
  if (!columns) return mergeDuplicates || ignoreDuplicates ? ['id'] : undefined;
  const same = (key: readonly string[]) =>
    key.length === columns.length && key.every((column) => columns.includes(column));
  if (same(['id']) || (await request.uniqueKeys()).some(same)) return columns;
  throw new AppError(
    'VALIDATION_FAILED',
    'on_conflict must name columns of which no two rows hold the same values.',
  );
}

/** PATCH: the rows of a filter that the caller may change. */
export async function answerUpdate(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, caller, permission, clock } = request;
  const { table } = context;
  const policy = requirePermission(permission.update, caller);
  requireNoneOfNewRows(parameters);
  const query = authorizeRead(parseWriteQuery(parameters, table), table, caller);
  const given = requireObject(await request.body());
  requireUpdatable(table, policy, given);
  const changes = validateColumns(table, given, clock);
  if (Object.keys(changes).length === 0) {
    throw new AppError('VALIDATION_FAILED', 'Name at least one column that is to be changed.');
  }
  const { rows } = await request.write({
    kind: 'update',
    table: table.name,
    permission,
    query,
    changes,
    where: policy.where,
    clock,
    single: preferences.singular,
    mostRows: preferences.mostRows,
  });
  return presentWritten(rows, query.columns, { full: 200, empty: 204, ranged: true }, preferences);
}

/** DELETE: the rows of a filter that the caller may delete, and what goes with them. */
export async function answerDelete(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, caller, permission } = request;
  const where = requirePermission(permission.delete, caller);
  requireNoneOfNewRows(parameters);
  const query = authorizeRead(parseWriteQuery(parameters, context.table), context.table, caller);
  const cascades = await request.cascades();
  const { rows } = await request.write({
    kind: 'delete',
    table: context.table.name,
    permission,
    query,
    where,
    cascades,
    single: preferences.singular,
    mostRows: preferences.mostRows,
  });
  return presentWritten(rows, query.columns, { full: 200, empty: 204, ranged: false }, preferences);
}

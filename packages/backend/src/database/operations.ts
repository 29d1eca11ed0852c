import { ServiceError } from '../http/errors.ts';
import { authorizeRead, requirePermission } from './authorize.ts';
import { parseConflict, parseQuery, parseSelect, parseWriteQuery, requireNoFilter } from './parse.ts';
import type { Preferences } from './preferences.ts';
import { presentPage, presentWritten } from './present.ts';
import { readPage } from './read-page.ts';
import type { TableRequest, WriteRequest } from './table-request.ts';
import { requireUpdatable } from './update-rows.ts';
import { requireObject, requireRows, validateColumns } from './validate-row.ts';

/** GET: rows that the caller may read. */
export async function answerRead(request: TableRequest): Promise<Response> {
  const { context, parameters, preferences, caller } = request;
  const query = authorizeRead(parseQuery(parameters, context.table), context.table, caller);
  const page = await readPage(request, query, preferences.countExact);
  return presentPage(page, query.offset, preferences);
}

/** POST: one row or several, all or none. */
export async function answerCreate(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, permission, clock } = request;
  requireNoFilter(parameters);
  const columns = parseSelect(parameters.select, context.table);
  const resolves = preferences.mergeDuplicates || preferences.ignoreDuplicates;
  const conflict = parseConflict(parameters, context.table) ?? (resolves ? ['id'] : undefined);
  const resolution = preferences.ignoreDuplicates ? 'ignore' : 'merge';
  // What is merged into a row that is there already need not be whole.
  const whole = conflict === undefined;
  const given = requireRows(await request.body()).map((row) =>
    validateColumns(context.table, row, clock, { whole }),
  );
  const { rows, created } = await request.write({
    kind: 'create',
    table: context.table.name,
    permission,
    rows: given,
    clock,
    conflict,
    resolution,
    single: wantsSingle(preferences),
  });
  const status = created > 0 || given.length === 0 ? 201 : 200;
  return presentWritten(rows, columns, { full: status, empty: status }, preferences);
}

/** PATCH: the rows of a filter that the caller may change. */
export async function answerUpdate(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, caller, permission, clock } = request;
  const policy = requirePermission(permission.update, caller);
  const query = authorizeRead(parseWriteQuery(parameters, context.table), context.table, caller);
  const given = requireObject(await request.body());
  requireUpdatable(context.table, policy, given);
  const changes = validateColumns(context.table, given, clock);
  if (Object.keys(changes).length === 0) {
    throw new ServiceError('VALIDATION_FAILED', 'Name at least one column that is to be changed.');
  }
  const { rows } = await request.write({
    kind: 'update',
    table: context.table.name,
    permission,
    query,
    changes,
    where: policy.where,
    clock,
    single: wantsSingle(preferences),
  });
  return presentWritten(rows, query.columns, { full: 200, empty: 204 }, preferences);
}

/** DELETE: the rows of a filter that the caller may delete, and what goes with them. */
export async function answerDelete(request: WriteRequest): Promise<Response> {
  const { context, parameters, preferences, caller, permission } = request;
  const where = requirePermission(permission.delete, caller);
  const query = authorizeRead(parseWriteQuery(parameters, context.table), context.table, caller);
  const cascades = await request.cascades();
  const { rows } = await request.write({
    kind: 'delete',
    table: context.table.name,
    permission,
    query,
    where,
    cascades,
    single: wantsSingle(preferences),
  });
  return presentWritten(rows, query.columns, { full: 200, empty: 204 }, preferences);
}

/** One object was asked for: then nothing is written unless it is one. */
function wantsSingle({ singular, representation }: Preferences): boolean {
  return singular && representation;
}

import type { Row } from '../../../core/bus.ts';
import { AppError } from '../../../core/errors.ts';
import { validateColumns } from '../../../database/write/validate-row.ts';
import { authorizeRead, requirePermission } from '../authorize.ts';
import { hidesOwner, withoutOwners } from '../hidden-owner.ts';
import {
  parseColumns,
  parseConflictTarget,
  parseReadQuery,
  parseWriteQuery,
  requireNoFilter,
  requireNoInsertParameters,
} from '../read/parse.ts';
import { presentWritten } from '../read/present.ts';
import { parseRow, parseRows, pickColumns, requireUpdatable } from './parse-rows.ts';
import { type RecordRemoval, removalStatements } from './record-removals.ts';
import { sortRows } from './sort-rows.ts';
import { runAndPublish, type WriteRequest } from './write-request.ts';

/** POST creates one row or several, all or none, and may update rows that exist already. */
export async function respondToCreate(request: WriteRequest): Promise<Response> {
  const { table, parameters, preferences, permission, clock } = request;
  requireNoFilter(parameters);
  // As in PostgREST, `order` applies to the rows that are returned, and `limit` means nothing.
  const { columns, order } = parseReadQuery(parameters, table);
  const conflictTarget = await findConflictTarget(request);
  const picked = parseColumns(parameters, table);
  // A row that updates an existing one need not have every column.
  const whole = conflictTarget === undefined;
  const sent = parseRows(await request.body());
  const given = picked
    ? sent.map((row) => pickColumns(table, row, { columns: picked, ...preferences }))
    : sent;
  const drafts = given.map((row) => validateColumns(table, row, { clock, whole }));
  const { rows, created } = await runAndPublish(request, {
    kind: 'create',
    table: table.name,
    // Only an upsert updates rows: without its many columns, the plan reaches the writer in half the time.
    permission: whole ? { ...permission, update: undefined } : permission,
    rows: drafts,
    clock,
    conflictTarget,
    onConflict: preferences.ignoreDuplicates ? 'ignore' : 'update',
    single: preferences.singular,
  });
  const status = created > 0 || drafts.length === 0 ? 201 : 200;
  const returned = parameters.order === undefined ? rows : sortRows(rows, order);
  return presentWritten(
    visible(returned, request),
    columns,
    { full: status, empty: status, ranged: false },
    preferences,
  );
}

/** Returns the columns of `on_conflict`, which must be unique together, or the id when PostgREST would take it. */
async function findConflictTarget({
  project,
  table,
  parameters,
  preferences,
}: WriteRequest): Promise<readonly string[] | undefined> {
  const { mergeDuplicates, ignoreDuplicates } = preferences;
  const columns = parseConflictTarget(parameters, table);
  if (!columns) return mergeDuplicates || ignoreDuplicates ? ['id'] : undefined;
  const isSame = (key: readonly string[]) =>
    key.length === columns.length && key.every((column) => columns.includes(column));
  if (isSame(['id']) || isSame(table.onePer ?? [])) return columns;
  if ((await project.database.uniqueKeys(table.name)).some(isSame)) return columns;
  throw new AppError(
    'VALIDATION_FAILED',
    'on_conflict must name columns of which no two rows hold the same values.',
  );
}

/** PATCH updates the rows of a filter that the caller may update. */
export async function respondToUpdate(request: WriteRequest): Promise<Response> {
  const { table, parameters, preferences, caller, permission, clock } = request;
  const { columns: updatable } = requirePermission(permission.update, caller);
  requireNoInsertParameters(parameters);
  const query = authorizeRead(parseWriteQuery(parameters, table), table, caller);
  const sent = parseRow(await request.body());
  requireUpdatable(table, updatable, sent);
  const changes = validateColumns(table, sent, { clock });
  if (Object.keys(changes).length === 0) {
    throw new AppError('VALIDATION_FAILED', 'Name at least one column that is to be changed.');
  }
  const { rows } = await runAndPublish(request, {
    kind: 'update',
    table: table.name,
    permission,
    query,
    changes,
    clock,
    single: preferences.singular,
    maxAffected: preferences.maxAffected,
  });
  return presentWritten(
    visible(rows, request),
    query.columns,
    { full: 200, empty: 204, ranged: true },
    preferences,
  );
}

/** DELETE deletes the rows of a filter that the caller may delete, and the rows that cascades delete with them. */
export async function respondToDelete(request: WriteRequest, record?: RecordRemoval): Promise<Response> {
  const { project, schema, table, parameters, preferences, caller, permission } = request;
  requireNoInsertParameters(parameters);
  const query = authorizeRead(parseWriteQuery(parameters, table), table, caller);
  const cascades = await project.database.cascades([...schema.keys()]);
  const plan = {
    kind: 'delete' as const,
    table: table.name,
    permission,
    query,
    cascades,
    single: preferences.singular,
    maxAffected: preferences.maxAffected,
  };
  const { rows } = await runAndPublish(request, plan, await removalStatements(request, query, record));
  return presentWritten(
    visible(rows, request),
    query.columns,
    { full: 200, empty: 204, ranged: false },
    preferences,
  );
}

/** Returns the rows as the caller may see them: an upsert returns rows of others that exist already. */
function visible(rows: Row[], { table, caller }: WriteRequest): Row[] {
  return hidesOwner(table, caller) ? withoutOwners(rows, caller) : rows;
}

import { can, type RoleMap } from '@fabrica/contract';
import { type Caller, callerName, callerRole } from '../../core/caller.ts';
import { AppError, forbidden, notSignedIn } from '../../core/errors.ts';
import { allOf, everyRow, type Filter, noRow, type Operand, type Scalar } from '../../core/filter.ts';
import type { RowPolicy } from '../../core/project.ts';
import { type Permission, servicePermission } from '../../database/permission.ts';
import type { Query } from '../../database/query/query.ts';
import type { TableSchema } from '../../database/schema.ts';
import { hidesOwner, withoutOwnerConditions } from './hidden-owner.ts';

/** Returns what a caller may do with a table: a role without a policy has no permission, the service role has all. */
export function permissionOf(table: TableSchema, caller: Caller): Permission {
  if (caller.kind === 'service') return servicePermission(table);
  const policy = policyOf(table, caller);
  const where = filterFor(table, caller, policy?.update?.where);
  return {
    read: filterFor(table, caller, policy?.read),
    create: filterFor(table, caller, policy?.create),
    update: where && { where, columns: new Set(policy?.update?.columns) },
    delete: filterFor(table, caller, policy?.delete),
  };
}

/**
 * Restricts a query to the rows that the caller may read. Throws UNAUTHENTICATED or FORBIDDEN when it may read none,
 * FILTER_REQUIRED when it must name the rows.
 */
export function authorizeRead(query: Query, table: TableSchema, caller: Caller): Query {
  if (caller.kind === 'service') return query;
  const read = requirePermission(filterFor(table, caller, policyOf(table, caller)?.read), caller);
  if (table.byIdOnly && !namesIds(query.filter)) {
    throw new AppError('FILTER_REQUIRED', 'Rows of this table are read by their ids: id=eq.… or id=in.(…).');
  }
  const visible = hidesOwner(table, caller) ? withoutOwnerConditions(query, caller) : query;
  return { ...visible, filter: allOf(visible.filter, read) };
}

/** Tells whether no row but those with some named ids can satisfy the filter. */
function namesIds(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(namesIds);
  if (filter.kind === 'or') return filter.of.length > 0 && filter.of.every(namesIds);
  if (filter.kind === 'in') return filter.column === 'id';
  return filter.kind === 'compare' && filter.column === 'id' && filter.operator === 'eq';
}

/** Returns the permission for an operation. Throws UNAUTHENTICATED or FORBIDDEN when there is none. */
export function requirePermission<T>(allowed: T | undefined, caller: Caller): T {
  if (allowed === undefined) throw notPermitted(caller);
  return allowed;
}

function notPermitted(caller: Caller): AppError {
  if (caller.kind === 'anonymous') return notSignedIn();
  return forbidden();
}

function policyOf(table: TableSchema, caller: Caller): RowPolicy | undefined {
  const named = table.policies.get(callerRole(caller));
  return named ?? (caller.kind === 'user' ? table.policies.get('signedIn') : undefined);
}

/** Fills the caller into a policy's filter; returns undefined when no row can satisfy it. */
function filterFor(table: TableSchema, caller: Caller, filter: Filter | undefined): Filter | undefined {
  const filled = filter && fillIn({ caller, roles: table.roles }, filter);
  return filled && !isNoRow(filled) ? filled : undefined;
}

function isNoRow(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(isNoRow);
  return filter.kind === 'or' && filter.of.every(isNoRow);
}

/** Fills the caller's values into a filter. Those of an anonymous caller are null, which equals nothing. */
function fillIn(context: { caller: Caller; roles: RoleMap }, filter: Filter): Filter {
  const { caller, roles } = context;
  switch (filter.kind) {
    case 'compare':
      return { ...filter, value: operandOf(caller, filter.value) };
    case 'in':
      return { ...filter, values: filter.values.map((value) => operandOf(caller, value)) };
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map((inner) => fillIn(context, inner)) };
    case 'not':
      return { kind: 'not', of: fillIn(context, filter.of) };
    case 'through':
      return { ...filter, where: fillIn(context, filter.where) };
    case 'permitted':
      return caller.kind === 'user' && can(roles, caller.role, filter.permission) ? everyRow : noRow;
    case 'is':
      return filter;
  }
}

function operandOf(caller: Caller, operand: Operand): Scalar {
  if (operand === null || typeof operand !== 'object') return operand;
  if (operand.caller === 'name') return callerName(caller);
  if (caller.kind !== 'user') return null;
  return operand.caller === 'id' ? caller.id : caller.email;
}

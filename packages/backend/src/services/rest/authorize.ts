import { can, type RoleMap } from '@fabrica/contract';
import { type Caller, callerName, callerRole } from '../../core/caller.ts';
import { AppError, forbidden } from '../../core/errors.ts';
import { allOf, everyRow, type Filter, noRow, type Operand, type Scalar } from '../../core/filter.ts';
import type { RowPolicy } from '../../core/project.ts';
import { type Permission, servicePermission } from '../../database/permission.ts';
import type { Query } from '../../database/query/query.ts';
import type { TableSchema } from '../../database/schema.ts';

/** The service role is bound by no policy; a role that none names has none. */
export function permissionOf(table: TableSchema, caller: Caller): Permission {
  if (caller.kind === 'service') return servicePermission(table);
  const policy = policyOf(table, caller);
  const where = opened(table, caller, policy?.update?.where);
  return {
    read: opened(table, caller, policy?.read),
    create: opened(table, caller, policy?.create),
    update: where && { where, columns: new Set(policy?.update?.columns) },
    delete: opened(table, caller, policy?.delete),
  };
}

/** The query, confined to what its caller may read. Throws UNAUTHENTICATED or FORBIDDEN where that is nothing. */
export function authorizeRead(query: Query, table: TableSchema, caller: Caller): Query {
  if (caller.kind === 'service') return query;
  const read = requirePermission(opened(table, caller, policyOf(table, caller)?.read), caller);
  return { ...query, filter: allOf(query.filter, read) };
}

/** An operation's filter, or the error that says it is closed to this caller. */
export function requirePermission<T>(allowed: T | undefined, caller: Caller): T {
  if (allowed === undefined) throw closed(caller);
  return allowed;
}

function closed(caller: Caller): AppError {
  if (caller.kind === 'anonymous') return new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return forbidden();
}

function policyOf(table: TableSchema, caller: Caller): RowPolicy | undefined {
  const named = table.policies.get(callerRole(caller));
  return named ?? (caller.kind === 'user' ? table.policies.get('signedIn') : undefined);
}

/** A policy's filter as it binds this caller; what its role lacks the permission for is closed to it. */
function opened(table: TableSchema, caller: Caller, filter: Filter | undefined): Filter | undefined {
  const bound = filter && boundTo({ caller, roles: table.roles }, filter);
  return bound && !isNoRow(bound) ? bound : undefined;
}

function isNoRow(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(isNoRow);
  return filter.kind === 'or' && filter.of.every(isNoRow);
}

interface Binding {
  caller: Caller;
  roles: RoleMap;
}

/** Fills in who is calling. Nobody's id and address are null, which equals nothing. */
function boundTo(binding: Binding, filter: Filter): Filter {
  const { caller, roles } = binding;
  switch (filter.kind) {
    case 'compare':
      return { ...filter, value: operandOf(caller, filter.value) };
    case 'in':
      return { ...filter, values: filter.values.map((value) => operandOf(caller, value)) };
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map((inner) => boundTo(binding, inner)) };
    case 'not':
      return { kind: 'not', of: boundTo(binding, filter.of) };
    case 'through':
      return { ...filter, where: boundTo(binding, filter.where) };
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

import type { Filter, Operand, Scalar } from '../filter.ts';
import { type Caller, callerName, callerRole } from '../http/caller.ts';
import { ServiceError } from '../http/errors.ts';
import type { RowPolicy } from '../project.ts';
import type { Query } from './query.ts';
import type { TableSchema } from './schema.ts';

/** What a caller may do with rows of a table that satisfy a filter, the caller's own values filled in. */
export interface Permission {
  /** Rows that may be seen. */
  read: Filter | undefined;
  create: Filter | undefined;
  update: { where: Filter; columns: ReadonlySet<string> } | undefined;
  delete: Filter | undefined;
}

const EVERYTHING: Filter = { kind: 'and', of: [] };

/** The service role is bound by no policy; a role that none names has none. */
export function permissionOf(table: TableSchema, caller: Caller): Permission {
  if (caller.kind === 'service') {
    const update = { where: EVERYTHING, columns: new Set(table.columns.keys()) };
    return { read: EVERYTHING, create: EVERYTHING, update, delete: EVERYTHING };
  }
  const policy = policyOf(table, caller);
  const bind = (filter: Filter | undefined) => filter && boundTo(caller, filter);
  return {
    read: bind(policy?.read),
    create: bind(policy?.create),
    update: policy?.update && {
      where: boundTo(caller, policy.update.where),
      columns: new Set(policy.update.columns),
    },
    delete: bind(policy?.delete),
  };
}

/** The query, confined to what its caller may read. Throws UNAUTHENTICATED or FORBIDDEN where that is nothing. */
export function authorizeRead(query: Query, table: TableSchema, caller: Caller): Query {
  if (caller.kind === 'service') return query;
  const read = policyOf(table, caller)?.read;
  if (!read) throw closed(caller);
  return { ...query, filter: both(query.filter, boundTo(caller, read)) };
}

/** An operation's filter, or the error that says it is closed to this caller. */
export function requirePermission<T>(allowed: T | undefined, caller: Caller): T {
  if (allowed === undefined) throw closed(caller);
  return allowed;
}

export function forbidden(): ServiceError {
  return new ServiceError('FORBIDDEN', 'You are not allowed to do this.');
}

export function both(left: Filter, right: Filter): Filter {
  return { kind: 'and', of: [left, right] };
}

function closed(caller: Caller): ServiceError {
  if (caller.kind === 'anonymous') return new ServiceError('UNAUTHENTICATED', 'Please sign in first.');
  return forbidden();
}

function policyOf(table: TableSchema, caller: Caller): RowPolicy | undefined {
  const named = table.policies.get(callerRole(caller));
  return named ?? (caller.kind === 'user' ? table.policies.get('signedIn') : undefined);
}

/** Fills in who is calling. Nobody's id and address are null, which equals nothing. */
function boundTo(caller: Caller, filter: Filter): Filter {
  switch (filter.kind) {
    case 'compare':
      return { ...filter, value: operandOf(caller, filter.value) };
    case 'in':
      return { ...filter, values: filter.values.map((value) => operandOf(caller, value)) };
    case 'and':
    case 'or':
      return { kind: filter.kind, of: filter.of.map((inner) => boundTo(caller, inner)) };
    case 'not':
      return { kind: 'not', of: boundTo(caller, filter.of) };
    case 'through':
      return { ...filter, where: boundTo(caller, filter.where) };
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

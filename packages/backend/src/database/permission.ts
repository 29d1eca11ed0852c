import { everyRow, type Filter } from '../core/filter.ts';
import type { TableSchema } from './schema.ts';

/** What a caller may do with rows of a table that satisfy a filter, the caller's own values filled in. */
export interface Permission {
  /** Rows that may be seen. */
  read: Filter | undefined;
  create: Filter | undefined;
  update: { where: Filter; columns: ReadonlySet<string> } | undefined;
  delete: Filter | undefined;
}

/** The service role's: the same for every request on a table. */
const servicePermissions = new WeakMap<TableSchema, Permission>();

/** Returns the permission of the service role, which may do everything. */
export function servicePermission(table: TableSchema): Permission {
  const known = servicePermissions.get(table);
  if (known) return known;
  const update = { where: everyRow, columns: new Set(table.columns.keys()) };
  const permission = { read: everyRow, create: everyRow, update, delete: everyRow };
  servicePermissions.set(table, permission);
  return permission;
}

import { everyRow, type Filter } from '../core/filter.ts';
import type { TableSchema } from './schema.ts';

/** The filters of the rows that a caller may use, with the caller's own values filled in; undefined for no row. */
export interface Permission {
  read: Filter | undefined;
  create: Filter | undefined;
  update: { where: Filter; columns: ReadonlySet<string> } | undefined;
  delete: Filter | undefined;
}

const servicePermissions = new WeakMap<TableSchema, Permission>();

/** Returns the permission of the service role, which may do everything: the same object each time. */
export function servicePermission(table: TableSchema): Permission {
  const existing = servicePermissions.get(table);
  if (existing) return existing;
  const update = { where: everyRow, columns: new Set(table.columns.keys()) };
  const permission = { read: everyRow, create: everyRow, update, delete: everyRow };
  servicePermissions.set(table, permission);
  return permission;
}

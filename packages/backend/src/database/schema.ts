import type { RoleMap } from '@fabrica/contract';
import { AppError } from '../core/errors.ts';
import type { Column, ProjectDefinition, RowPolicy } from '../core/project.ts';

/** The column that names the account that a row belongs to. */
export const OWNER_COLUMN = 'user_id';

/** A table as requests look it up: nothing that a definition does not name itself can be found here. */
export interface TableSchema {
  name: string;
  columns: ReadonlyMap<string, Column>;
  policies: ReadonlyMap<string, RowPolicy>;
  /** The project's, by which policies that name a permission are settled. */
  roles: RoleMap;
  view: boolean;
  idPrefix: string;
  /** Columns of which no two rows hold the same values, the id's apart. */
  onePer: readonly string[] | undefined;
}

/** A project's tables by name. */
export type Schema = ReadonlyMap<string, TableSchema>;

export function schemaOf({ tables, roles }: ProjectDefinition): Schema {
  return new Map(
    Object.entries(tables).map(([name, table]) => [
      name,
      {
        name,
        columns: new Map(Object.entries(table.columns)),
        policies: new Map(Object.entries(table.policies)),
        roles,
        view: table.view ?? false,
        idPrefix: table.idPrefix ?? '',
        onePer: table.onePer,
      },
    ]),
  );
}

export function unknownTable(): AppError {
  return new AppError('UNKNOWN_TABLE', 'This project has no table of this name.');
}

/** The rule of a column; one that the definition does not have is a fault of ours, never of a request. */
export function columnOf(table: TableSchema, name: string): Column {
  const column = table.columns.get(name);
  if (!column) throw new Error(`Table "${table.name}" has no column "${name}".`);
  return column;
}

import type { RoleMap } from '@fabrica/contract';
import { AppError } from '../core/errors.ts';
import type { Column, ProjectDefinition, RowPolicy } from '../core/project.ts';

/** The column that names the account that a row belongs to. */
export const OWNER_COLUMN = 'user_id';
/** Random bytes at the end of the owner of rows whose account is deleted. */
export const PSEUDONYM_BYTES = 10;

/** A table by which requests look up names: its maps hold the names of the definition alone. */
export interface TableSchema {
  name: string;
  columns: ReadonlyMap<string, Column>;
  policies: ReadonlyMap<string, RowPolicy>;
  /** The project's roles, which decide policies that name a permission. */
  roles: RoleMap;
  view: boolean;
  idPrefix: string;
  /** Whether anonymous callers do not see `user_id`. */
  hidesOwner: boolean;
  /** Whether reads must name the ids of rows. */
  byIdOnly: boolean;
  /** Columns that, beside the id, are unique together. */
  onePer: readonly string[] | undefined;
  /** Columns of each text that is stored once more, the first one that has a text first. */
  searchedTexts: readonly (readonly string[])[];
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
        hidesOwner: table.hidesOwner ?? false,
        byIdOnly: table.byIdOnly ?? false,
        onePer: table.onePer,
        searchedTexts: table.searchedTexts ?? [],
      },
    ]),
  );
}

/** Returns the schema without the functions that check values, which no thread can be sent. */
export function withoutChecks(schema: Schema): Schema {
  return new Map(
    [...schema].map(([name, table]) => [name, { ...table, columns: new Map([...table.columns].map(strip)) }]),
  );
}

function strip([name, column]: [string, Column]): [string, Column] {
  if (column.type !== 'text') return [name, column];
  const { check: _, ...rules } = column;
  return [name, rules];
}

export function unknownTable(): AppError {
  return new AppError('UNKNOWN_TABLE', 'This project has no table of this name.');
}

/** Returns the rule of a column. A column that does not exist is a fault of the program, not of a request. */
export function columnOf(table: TableSchema, name: string): Column {
  const column = table.columns.get(name);
  if (!column) throw new Error(`Table "${table.name}" has no column "${name}".`);
  return column;
}

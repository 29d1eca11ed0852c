import type { Change, Row } from '../core/bus.ts';
import type { Schema } from './schema.ts';

/** The keys of services' tables whose rows others follow: accounts, which views may show, and files, whose bytes go with them. */
const OF_SERVICES: Readonly<Record<string, string>> = { users: 'id', files: 'path' };

/** What a batch needs to know of a project's tables: plain data, for another process. */
export interface StatementTables {
  /** Tables and views that the definition names. */
  defined: readonly string[];
  /** Tables whose changes are told. */
  recorded: readonly string[];
}

export function statementTables(schema: Schema): StatementTables {
  const tables = [...schema.values()].filter(({ view }) => !view).map(({ name }) => name);
  return { defined: [...schema.keys()], recorded: [...new Set([...tables, ...Object.keys(OF_SERVICES)])] };
}

/** A row as it was and as it is; one of them is there. */
export interface RecordedRow {
  table: string;
  before: Row | null;
  after: Row | null;
}

/** Undefined for a row that was written as it was. */
export function toChange({ table, before, after }: RecordedRow): Change | undefined {
  const row = after ?? before;
  const changed = Object.keys(row ?? {}).filter((name) => !before || !after || before[name] !== after[name]);
  if (!row || changed.length === 0) return undefined;
  const id = String(row[OF_SERVICES[table] ?? 'id']);
  return { table, operation: operationOf(before, after), id, changed, before, after };
}

function operationOf(before: Row | null, after: Row | null): Change['operation'] {
  if (!after) return 'delete';
  return before ? 'update' : 'create';
}

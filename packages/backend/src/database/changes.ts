import type { Change, Row } from '../core/bus.ts';
import type { ProjectDefinition } from '../core/project.ts';
import type { Schema } from './schema.ts';

/** Tables of services that others follow, with their keys: views may show accounts, and files have bytes. */
const SERVICE_KEYS: Readonly<Record<string, string>> = { users: 'id', files: 'path' };

/** The project's tables as a batch of client SQL needs them: plain data that can be sent to another process. */
export interface StatementTables {
  /** Tables and views that the definition names. */
  defined: readonly string[];
  /** Tables whose writes are published. */
  followed: readonly string[];
}

export function statementTables(schema: Schema): StatementTables {
  const tables = [...schema.values()].filter(({ view }) => !view).map(({ name }) => name);
  return {
    defined: [...schema.keys()],
    followed: [...new Set([...tables, ...Object.keys(SERVICE_KEYS)])],
  };
}

/** Returns the change of a row, as it was before and as it is after; null stands for no row. */
export function changeOf(table: string, before: Row | null, after: Row | null): Change {
  const row = after ?? before ?? {};
  return {
    table,
    operation: !after ? 'delete' : before ? 'update' : 'create',
    id: String(row[SERVICE_KEYS[table] ?? 'id']),
    changed: Object.keys(row).filter((name) => !before || !after || before[name] !== after[name]),
    before,
    after,
  };
}

/** Returns the same as `changeOf`, but undefined when no value has changed. */
function changeUnlessSame(table: string, before: Row | null, after: Row | null): Change | undefined {
  const change = changeOf(table, before, after);
  return change.changed.length > 0 ? change : undefined;
}

/** An account before and after a write; one of them may be null. */
interface AccountChange {
  before: object | null;
  after: object | null;
}

/**
 * Returns the changes of the project's views of accounts that follow from a write on an account, with the columns
 * that each view shows.
 */
export function changesOfUserViews(
  { tables }: ProjectDefinition,
  { before, after }: AccountChange,
): Change[] {
  return Object.entries(tables).flatMap(([table, { ofUsers, columns }]) => {
    if (!ofUsers) return [];
    const columnsOf = (user: object): Row =>
      Object.fromEntries(Object.entries(user).filter(([name]) => Object.hasOwn(columns, name)));
    return changeUnlessSame(table, before && columnsOf(before), after && columnsOf(after)) ?? [];
  });
}

import type { Bus, Row } from '../bus.ts';
import type { Project } from '../http/environment.ts';
import type { UserRow } from './queries.ts';

/** An account before and after a write; at least one of them is there. */
export interface UserChange {
  /** Null when it was created. */
  before: UserRow | null;
  /** Null when it was deleted. */
  after: UserRow | null;
}

/**
 * Tells what a committed write on an account means for the project's views of accounts: what is kept of those is
 * stale. Only the columns that a view shows go on the bus.
 */
export function publishUser(bus: Bus, { definition }: Project, { before, after }: UserChange): void {
  for (const [table, { ofUsers, columns }] of Object.entries(definition.tables)) {
    if (!ofUsers) continue;
    const shown = (user: UserRow): Row =>
      Object.fromEntries(Object.entries(user).filter(([name]) => Object.hasOwn(columns, name)));
    const [was, is] = [before && shown(before), after && shown(after)];
    const changed = Object.keys(is ?? was ?? {}).filter((name) => was?.[name] !== is?.[name]);
    if (changed.length === 0) continue;
    bus.publish({
      projectId: definition.id,
      table,
      operation: operationOf(was, is),
      id: String((after ?? before)?.id),
      changed,
      before: was,
      after: is,
    });
  }
}

function operationOf(was: Row | null, is: Row | null): 'create' | 'update' | 'delete' {
  if (!is) return 'delete';
  return was ? 'update' : 'create';
}

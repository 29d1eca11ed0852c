import type { Bus, Row } from '../bus.ts';
import type { Project } from '../http/environment.ts';
import type { UserRow } from './queries.ts';

/**
 * Tells what a committed write on an account means for the project's views of accounts: what is kept of those is
 * stale. Only the columns that a view shows go on the bus.
 */
export function publishUser(
  bus: Bus,
  { definition }: Project,
  { before, after }: { before: UserRow | null; after: UserRow },
): void {
  for (const [table, { ofUsers, columns }] of Object.entries(definition.tables)) {
    if (!ofUsers) continue;
    const shown = (user: UserRow): Row =>
      Object.fromEntries(Object.entries(user).filter(([name]) => Object.hasOwn(columns, name)));
    const [was, is] = [before && shown(before), shown(after)];
    const changed = Object.keys(is).filter((name) => was?.[name] !== is[name]);
    if (changed.length === 0) continue;
    const operation = was ? 'update' : 'create';
    bus.publish({
      projectId: definition.id,
      table,
      operation,
      id: after.id,
      changed,
      before: was,
      after: is,
    });
  }
}

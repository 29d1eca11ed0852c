import type { Bus } from '../../../core/bus.ts';
import { changesOfUserViews } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import type { UserRow } from '../queries.ts';

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
export function publishUser(bus: Bus, { definition }: Project, change: UserChange): void {
  for (const shown of changesOfUserViews(definition, change)) {
    bus.publish({ projectId: definition.id, ...shown });
  }
}

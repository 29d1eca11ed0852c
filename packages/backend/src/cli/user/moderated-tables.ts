import type { Project } from '../../database/project.ts';
import { usageError } from '../program/command-error.ts';

/** Throws a usage error for a project that has no comments or the like. */
export function requireModeratedTables({ definition }: Project): void {
  if (Object.values(definition.tables).some(({ moderated }) => moderated)) return;
  throw usageError(`The project "${definition.id}" has no comments: none of its tables is "moderated".`);
}

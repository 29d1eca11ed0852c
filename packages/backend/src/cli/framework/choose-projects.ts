import type { ProjectDefinition } from '../../core/project.ts';
import type { DatabaseLocation } from '../../database/transfer/index.ts';
import type { CommandContext } from './command.ts';
import { CommandError } from './command-error.ts';

/** The project of `--project`, or all of them: those that have a database. Throws when none has. */
export async function chooseProjects(
  place: DatabaseLocation,
  { definitions, definition, chosen }: CommandContext,
): Promise<ProjectDefinition[]> {
  const projects: ProjectDefinition[] = [];
  for (const one of chosen === undefined ? definitions : [definition]) {
    if (await place.has(one.id)) projects.push(one);
  }
  if (projects.length > 0) return projects;
  const whose = chosen === undefined ? '' : ` of project "${chosen}"`;
  throw new CommandError(`There is nothing${whose} in ${place.name}.`);
}

import type { ProjectBackup } from '../../backup/index.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { DatabaseLocation, ReportProgress } from '../../database/transfer/index.ts';
import { CommandError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { presentSize, presentTable } from '../program/present.ts';
import type { Terminal } from '../program/terminal.ts';

const PROGRESS_EVERY_MS = 2_000;

/**
 * Returns the project of `--project`, or all projects, as far as they have a database. Throws when none has.
 */
export async function chooseProjects(
  location: DatabaseLocation,
  { definitions, definition, chosen }: CommandContext,
): Promise<ProjectDefinition[]> {
  const projects: ProjectDefinition[] = [];
  for (const one of chosen === undefined ? definitions : [definition]) {
    if (await location.has(one.id)) projects.push(one);
  }
  if (projects.length > 0) return projects;
  const whose = chosen === undefined ? '' : ` of project "${chosen}"`;
  throw new CommandError(`There is nothing${whose} in ${location.name}.`);
}

const headings = ['PROJECT', 'TABLES', 'ROWS', 'DATABASE', 'FILES'] as const;

/** Returns a table of the projects in a backup. */
export function presentBackups(projects: readonly ProjectBackup[]): string {
  const rows = projects.map(({ id, tables, database, files }) => [
    id,
    tables.length,
    tables.reduce((sum, { rows }) => sum + rows, 0),
    presentSize(database.bytes),
    files && `${files.count} (${presentSize(files.bytes)})`,
  ]);
  return presentTable(headings, rows);
}

/** Returns a function that reports the progress now and then, when there is a person at the terminal. */
export function reportTo(terminal: Terminal): ReportProgress | undefined {
  let reportedAt = performance.now();
  if (!terminal.interactive) return undefined;
  return (table, rows) => {
    if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
    reportedAt = performance.now();
    terminal.note(`${rows} rows of ${table} …`);
  };
}

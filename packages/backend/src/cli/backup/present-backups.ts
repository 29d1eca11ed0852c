import type { ProjectBackup } from '../../backup/index.ts';
import { presentSize } from '../framework/present-size.ts';
import { presentTable } from '../framework/present-table.ts';

const headings = ['PROJECT', 'TABLES', 'ROWS', 'DATABASE', 'FILES'] as const;

/** What of each project is in a backup. */
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

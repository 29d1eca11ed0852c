import { resolve } from 'node:path';
import { checkBackup, type Restored, restoreBackup, restoreGuardOf } from '../../backup/index.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { openBlobs } from '../../services/storage/index.ts';
import { defineCommand } from '../framework/command.ts';
import { parseNames } from '../framework/parse-values.ts';
import { presentBackups } from './projects.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  arguments: ['<folder>'],
  needsNoData: true,
  options: {
    replace: { description: 'Sets existing data aside, and prints where it is.' },
    check: { description: 'Only checks the backup.' },
    'leave-out': {
      value: '<names>',
      description: 'Into PostgreSQL only: tables, views and columns (table.column) that no migration made.',
    },
  },
  summary: 'Restores a backup: databases, files and keys.',
  details: `Stop Fabrica first. A backup of either engine is restored into the database and the file store of the settings: all of
its projects, or the one of --project. Everything is staged first and swapped in at the end. If the swap is interrupted,
Fabrica does not start until the same command has finished it.`,
  async run({ arguments: [typed = ''], options, config, definitions, chosen, terminal, json }) {
    const folder = resolve(typed);
    if (options.check) {
      const { projects, madeAt } = await checkBackup(folder);
      if (json) return terminal.print(JSON.stringify({ folder, madeAt, whole: true }, null, 2));
      return terminal.print(`${presentBackups(projects)}\n\nThe backup is whole; it was made at ${madeAt}.`);
    }
    const location = openLocation(config, migrationsOf);
    try {
      const restored = await restoreBackup({
        folder,
        definitions,
        only: chosen,
        mainId: config.projectId,
        location,
        guard: restoreGuardOf(config),
        openBlobs: () => openBlobs(config),
        dataDir: config.dataDir,
        replace: options.replace === true,
        leaveOut: parseNames(options['leave-out']),
      });
      terminal.print(json ? JSON.stringify(restored, null, 2) : present(restored));
    } finally {
      await location.close();
    }
  },
});

function present({ projects, aside }: Restored): string {
  const previous =
    aside.length > 0
      ? `\n\nWhat was there before is kept:\n${aside.map((path) => `  ${path}`).join('\n')}`
      : '';
  return `${presentBackups(projects)}\n\nRestored: Fabrica can be started.${previous}`;
}

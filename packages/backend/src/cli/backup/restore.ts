import { resolve } from 'node:path';
import { checkBackup, type Restored, restoreBackup, restoreGuardOf } from '../../backup/index.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { openBlobs } from '../../services/storage/index.ts';
import { defineCommand } from '../framework/command.ts';
import { parseNames } from '../framework/parse-names.ts';
import { presentBackups } from './present-backups.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  arguments: ['<folder>'],
  needsNoData: true,
  options: {
    replace: { description: 'Keeps aside what is there already, and says where.' },
    check: { description: 'Only looks whether the backup is whole.' },
    'leave-out': {
      value: '<names>',
      description:
        'Tables, views and columns (table.column) that no migration made, and PostgreSQL is not to have.',
    },
  },
  summary: 'Puts a backup in its place: databases, files and keys.',
  details: `Whichever engine the backup was made on, it goes to the one of the settings; files go to the store of the settings. All
projects of the backup, or the one of --project. Fabrica must be stopped. Everything is made ready first and takes its
place at the end; should that be broken off, Fabrica does not start before the same command has finished it.`,
  async run({ arguments: [typed = ''], options, config, definitions, chosen, terminal, json }) {
    const folder = resolve(typed);
    if (options.check) {
      const { projects, madeAt } = await checkBackup(folder);
      if (json) return terminal.print(JSON.stringify({ folder, madeAt, whole: true }, null, 2));
      return terminal.print(`${presentBackups(projects)}\n\nThe backup is whole; it was made at ${madeAt}.`);
    }
    const place = openLocation(config, migrationsOf);
    try {
      const restored = await restoreBackup({
        folder,
        definitions,
        only: chosen,
        place,
        guard: restoreGuardOf(config),
        openBlobs: () => openBlobs(config),
        dataDir: config.dataDir,
        replace: options.replace === true,
        leaveOut: parseNames(options['leave-out']),
      });
      terminal.print(json ? JSON.stringify(restored, null, 2) : present(restored));
    } finally {
      await place.close();
    }
  },
});

function present({ projects, aside }: Restored): string {
  const kept =
    aside.length > 0
      ? `\n\nWhat was there before is kept:\n${aside.map((path) => `  ${path}`).join('\n')}`
      : '';
  return `${presentBackups(projects)}\n\nRestored: Fabrica can be started.${kept}`;
}

import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compactTime, guardOf, type Manifest, makeBackup } from '../../backup/index.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { openBlobs } from '../../services/storage/index.ts';
import { type CommandContext, defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { parseNames } from '../framework/parse-values.ts';
import { presentDamaged } from '../framework/present.ts';
import { chooseProjects, presentBackups } from './projects.ts';

export const backupCommand = defineCommand({
  name: 'backup',
  arguments: [],
  options: {
    to: { value: '<folder>', description: 'The new folder (default: one in backups/, beside DATA_DIR).' },
    'without-files': { description: 'Does not back up uploaded files.' },
    'leave-out': {
      value: '<names>',
      description: 'PostgreSQL only: tables, views and columns (table.column) that no migration made.',
    },
  },
  summary: 'Backs up databases, files and keys into a new folder, while Fabrica runs.',
  details: `Backs up all projects, or the one of --project: each as it is at one moment, with its files. Everything is read again at
the end; after a failure there is no such folder. It contains the keys, so store it where nobody else can read it.`,
  async run(call) {
    const { config, options, terminal, json } = call;
    const location = openLocation(config, migrationsOf);
    const lock = await guardOf(config).lockShared();
    try {
      const leaveOut = parseNames(options['leave-out']);
      if (location.carriesEverything && leaveOut.length > 0) throw usageError('SQLite leaves nothing out.');
      const projects = await chooseProjects(location, call);
      const folder = resolve(options.to ?? defaultFolder(call));
      const { blobs } = openBlobs(config);
      const manifest = await makeBackup({
        projects,
        location,
        blobs: options['without-files'] ? undefined : blobs,
        dataDir: config.dataDir,
        folder,
        leaveOut,
        version: readVersion(),
      });
      terminal.print(json ? JSON.stringify({ folder, ...manifest }, null, 2) : present(folder, manifest));
      requireUndamaged(manifest);
    } finally {
      await lock.release();
      await location.close();
    }
  },
});

function defaultFolder({ config, chosen }: CommandContext): string {
  const time = compactTime(new Date());
  return join(dirname(config.dataDir), 'backups', chosen === undefined ? time : `${chosen}-${time}`);
}

function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function present(folder: string, { projects }: Manifest): string {
  return `${presentBackups(projects)}\n\nThe backup is ${folder}`;
}

/** Throws when the file store has lost files. The backup is complete, but the operator needs to know. */
function requireUndamaged({ projects }: Manifest): void {
  const damaged = projects.flatMap(({ files }) => files?.damaged ?? []);
  if (damaged.length > 0) throw new CommandError(presentDamaged(damaged));
}

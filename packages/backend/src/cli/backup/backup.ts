import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { compactTime, guardOf, type Manifest, makeBackup } from '../../backup/index.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { openBlobs } from '../../services/storage/index.ts';
import { chooseProjects } from '../framework/choose-projects.ts';
import { type CommandContext, defineCommand } from '../framework/command.ts';
import { CommandError, usageError } from '../framework/command-error.ts';
import { parseNames } from '../framework/parse-names.ts';
import { presentDamaged } from '../storage/present-damaged.ts';
import { presentBackups } from './present-backups.ts';

export const backupCommand = defineCommand({
  name: 'backup',
  arguments: [],
  options: {
    to: { value: '<folder>', description: 'The new folder; by default one beside DATA_DIR, in backups/.' },
    'without-files': { description: 'Leaves uploaded files where they are.' },
    'leave-out': {
      value: '<names>',
      description: 'Tables, views and columns (table.column) of PostgreSQL that no migration made.',
    },
  },
  summary: 'Writes databases, files and keys into a new folder, while Fabrica runs.',
  details: `All projects, or the one of --project: each as it is at one moment, with the files that it names then. All of it is read
again at the end; after a failure there is no such folder. It holds the keys, so keep it where nobody else reads it.`,
  async run(call) {
    const { config, options, terminal, json } = call;
    const place = openLocation(config, migrationsOf);
    const hold = await guardOf(config).share();
    try {
      const leaveOut = parseNames(options['leave-out']);
      if (place.carriesEverything && leaveOut.length > 0) throw usageError('SQLite leaves nothing out.');
      const projects = await chooseProjects(place, call);
      const folder = resolve(options.to ?? defaultFolder(call));
      const { blobs } = openBlobs(config);
      const manifest = await makeBackup({
        projects,
        place,
        blobs: options['without-files'] ? undefined : blobs,
        dataDir: config.dataDir,
        folder,
        leaveOut,
        version: readVersion(),
      });
      terminal.print(json ? JSON.stringify({ folder, ...manifest }, null, 2) : present(folder, manifest));
      requireUndamaged(manifest);
    } finally {
      await hold.release();
      await place.close();
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

/** What the store has lost is not the backup's fault, but had better be known. */
function requireUndamaged({ projects }: Manifest): void {
  const damaged = projects.flatMap(({ files }) => files?.damaged ?? []);
  if (damaged.length > 0) throw new CommandError(presentDamaged(damaged));
}

import { rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type BackupSettings,
  compactTime,
  guardOf,
  listBackups,
  type Manifest,
  makeBackup,
  proveBackup,
  removeOldBackups,
  sendBackup,
} from '../../backup/index.ts';
import { VERSION } from '../../core/version.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { createS3BlobStore, createTemporaryFiles, openBlobs } from '../../services/storage/index.ts';
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
    in: { value: '<folder>', description: 'A folder of backups: the new one is named after the time.' },
    prove: { description: 'Restores it elsewhere, compares all rows, opens pages and signs somebody in.' },
    send: { description: 'Copies it to BACKUP_S3_BUCKET, encrypted for BACKUP_RECIPIENT.' },
    keep: { value: '<number>', description: 'With --in: removes older backups beyond this number.' },
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
    if (options.send) requireOffsite(config.backup);
    const location = openLocation(config, migrationsOf);
    const lock = await guardOf(config).lockShared();
    try {
      const leaveOut = parseNames(options['leave-out']);
      if (location.carriesEverything && leaveOut.length > 0) throw usageError('SQLite leaves nothing out.');
      const projects = await chooseProjects(location, call);
      const keep = parseKeep(options);
      const parent = options.in === undefined ? undefined : resolve(options.in);
      const earlier = parent === undefined ? undefined : (await listBackups(parent)).at(-1);
      const time = compactTime(new Date());
      const folder = parent === undefined ? resolve(options.to ?? defaultFolder(call)) : join(parent, time);
      const { blobs } = openBlobs(config);
      const manifest = await makeBackup({
        projects,
        location,
        blobs: options['without-files'] ? undefined : blobs,
        dataDir: config.dataDir,
        folder,
        leaveOut,
        earlier,
        version: VERSION,
      });
      if (options.prove) await prove(folder, manifest, call);
      if (options.send) await send(folder, keep, call);
      if (parent !== undefined && keep !== undefined) await removeOldBackups(parent, keep);
      terminal.print(json ? JSON.stringify({ folder, ...manifest }, null, 2) : present(folder, manifest));
      requireUndamaged(manifest);
    } finally {
      await lock.release();
      await location.close();
    }
  },
});

/** Proves a backup; one that cannot be proved is renamed, so that nobody takes it for one that was. */
async function prove(folder: string, manifest: Manifest, call: CommandContext): Promise<void> {
  const { definitions, config, server, environment } = call;
  try {
    await proveBackup({ folder, manifest, definitions, mainId: config.projectId, server, environment });
  } catch (error) {
    await rename(folder, `${folder}.unproved`);
    const reason = (error as Error).message;
    throw new CommandError(`The backup could not be proved and is ${folder}.unproved now. ${reason}`);
  }
}

/** Copies a backup to the store that the settings name, encrypted. */
async function send(
  folder: string,
  keep: number | undefined,
  { config: { backup }, terminal, json }: CommandContext & { json: boolean },
): Promise<void> {
  const { s3, recipient } = requireOffsite(backup);
  const scratch = join(dirname(folder), '.sending');
  const store = { blobs: createS3BlobStore(s3), temporaryFiles: createTemporaryFiles(scratch) };
  const name = await sendBackup({ folder, store, recipient, keep }).finally(() =>
    rm(scratch, { recursive: true, force: true }),
  );
  if (!json) terminal.print(`Copied to the bucket ${s3.bucket} as s3:${name}, encrypted for ${recipient}.\n`);
}

/** Returns where backups are copied to. Throws when the settings do not say so. */
export function requireOffsite({ offsite }: BackupSettings): NonNullable<BackupSettings['offsite']> {
  if (offsite) return offsite;
  throw new CommandError(
    'The settings do not say where backups are copied to: set BACKUP_S3_BUCKET and BACKUP_RECIPIENT.',
  );
}

function parseKeep({
  to,
  in: parent,
  keep,
}: {
  to?: string;
  in?: string;
  keep?: string;
}): number | undefined {
  if (to !== undefined && parent !== undefined) throw usageError('Give --to or --in, not both.');
  if (keep === undefined) return undefined;
  if (parent === undefined || !/^[1-9]\d{0,3}$/.test(keep))
    throw usageError('--keep takes a number, and goes with --in.');
  return Number(keep);
}

function defaultFolder({ config, chosen }: CommandContext): string {
  const time = compactTime(new Date());
  return join(dirname(config.dataDir), 'backups', chosen === undefined ? time : `${chosen}-${time}`);
}

function present(folder: string, { projects }: Manifest): string {
  return `${presentBackups(projects)}\n\nThe backup is ${folder}`;
}

/** Throws when the file store has lost files. The backup is complete, but the operator needs to know. */
function requireUndamaged({ projects }: Manifest): void {
  const damaged = projects.flatMap(({ files }) => files?.damaged ?? []);
  if (damaged.length > 0) throw new CommandError(presentDamaged(damaged));
}

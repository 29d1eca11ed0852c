import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import {
  type BackupSettings,
  compactTime,
  guardOf,
  listBackups,
  type Manifest,
  makeBackup,
  openEncryptedFolder,
  ProofError,
  proveBackup,
  removeEmptyBackups,
  removeOldBackups,
  sendBackup,
} from '../../backup/index.ts';
import { VERSION } from '../../core/version.ts';
import { PROVED_BACKUPS, recordProvedBackup } from '../../database/index.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { createS3BlobStore, createTemporaryFiles, openBlobs } from '../../services/storage/index.ts';
import { readRan, withDatabase } from '../migrate/database.ts';
import { CommandError, usageError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { countUpTo, parseNames } from '../program/parse-values.ts';
import { presentDamaged } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { chooseProjects, presentBackups, reportTo } from './projects.ts';

export function backupCommand({ command, run }: Cli): void {
  command('backup', 'Backs up databases, files and keys into a new folder, while Fabrica runs.')
    .addOption(
      new Option('--to <folder>', 'The new folder (default: one in backups/, beside DATA_DIR).').conflicts(
        'in',
      ),
    )
    .option('--in <folder>', 'A folder of backups: the new one is named after the time.')
    .option('--prove', 'Restores it elsewhere, compares all rows, opens pages and signs somebody in.')
    .option('--encrypt', 'With --in: keeps it encrypted for BACKUP_RECIPIENT alone.')
    .option('--send', 'Copies it to BACKUP_S3_BUCKET, encrypted for BACKUP_RECIPIENT.')
    .option('--keep <number>', 'With --in: removes older backups beyond this number.', countUpTo(9_999))
    .option('--without-files', 'Does not back up uploaded files.')
    .option(
      '--leave-out <names>',
      'PostgreSQL only: tables, views and columns (table.column) that no migration made.',
      parseNames,
    )
    .addHelpText(
      'after',
      `
Backs up all projects, or the one of --project: each as it is at one moment, with its files. Everything is read again at
the end; after a failure there is no such folder. It contains the keys, so store it where nobody else can read it.`,
    )
    .action(
      run(async (context, options) => {
        const { config, terminal, show } = context;
        const { keep, leaveOut = [] } = options;
        if (options.send) requireOffsite(config.backup);
        if (options.encrypt) requireRecipient(config.backup, options.in);
        if (keep !== undefined && options.in === undefined) throw usageError('--keep goes with --in.');
        const location = openLocation(config, migrationsOf);
        const lock = await guardOf(config).lockShared();
        try {
          if (location.carriesEverything && leaveOut.length > 0)
            throw usageError('SQLite leaves nothing out.');
          const projects = await chooseProjects(location, context);
          const parent = options.in === undefined ? undefined : resolve(options.in);
          const folders = await chooseFolders(context, {
            to: options.to,
            parent,
            isEncrypted: options.encrypt,
          });
          const { blobs } = openBlobs(config);
          try {
            const { folder } = folders;
            const manifest = await makeBackup({
              projects,
              location,
              blobs: options.withoutFiles ? undefined : blobs,
              dataDir: config.dataDir,
              folder,
              leaveOut,
              onProgress: reportTo(terminal),
              earlier: folders.earlier,
              version: VERSION,
            });
            if (options.prove) await prove(folders, manifest, context);
            if (options.send) await send(folder, keep, context);
            const isWhole = context.chosen === undefined && !options.withoutFiles;
            if (options.prove && isWhole) await record(manifest, context);
            const kept =
              options.encrypt && parent ? await encrypt(folder, { parent, keep, context }) : folder;
            if (parent !== undefined && keep !== undefined) await removeOldBackups(parent, keep);
            show({ folder: kept, ...manifest }, present(kept, manifest));
            requireUndamaged(manifest);
          } finally {
            if (folders.scratch !== undefined) await rm(folders.scratch, { recursive: true, force: true });
          }
        } finally {
          await lock.release();
          await location.close();
        }
      }),
    );
}

/** The folders that a backup is made with. */
interface BackupFolders {
  folder: string;
  /** A backup whose files are not copied once more. */
  earlier: string | undefined;
  /** The folder that has what is not encrypted yet, and is removed at the end. */
  scratch: string | undefined;
}

interface BackupFoldersChoice {
  to?: string | undefined;
  /** The folder of backups, if it was named. */
  parent: string | undefined;
  isEncrypted?: boolean | undefined;
}

/** Chooses the folders. A backup that is to be encrypted is made in the data folder, whose disk has all of it anyway. */
async function chooseFolders(
  context: CommandContext,
  { to, parent, isEncrypted = false }: BackupFoldersChoice,
): Promise<BackupFolders> {
  const time = compactTime(new Date());
  if (parent === undefined)
    return { folder: resolve(to ?? defaultFolder(context)), earlier: undefined, scratch: undefined };
  if (!isEncrypted) {
    const earlier = (await listBackups(parent)).at(-1);
    return { folder: join(parent, time), earlier, scratch: undefined };
  }
  const scratch = await mkdtemp(join(context.config.dataDir, '.backup-'));
  return { folder: join(scratch, time), earlier: undefined, scratch };
}

/** Encrypts a backup into a folder of encrypted backups, and returns its path there. */
async function encrypt(
  folder: string,
  { parent, keep, context }: { parent: string; keep: number | undefined; context: CommandContext },
): Promise<string> {
  const recipient = requireRecipient(context.config.backup, parent);
  const name = await sendBackup({ folder, store: openEncryptedFolder(parent), recipient, keep });
  await removeEmptyBackups(parent);
  return join(parent, 'backups', name);
}

/** Proves a backup; one that cannot be proved is renamed, so that nobody takes it for one that was. */
async function prove(
  { folder, scratch }: BackupFolders,
  manifest: Manifest,
  { definitions, config, server, environment, terminal, json }: CommandContext,
): Promise<void> {
  try {
    await proveBackup({ folder, manifest, definitions, mainId: config.projectId, server, environment });
  } catch (error) {
    const reason = (error as Error).message;
    if (json && error instanceof ProofError) terminal.print(JSON.stringify({ failedCheck: error.check }));
    if (scratch !== undefined)
      throw new CommandError(`The backup could not be proved, and was removed. ${reason}`);
    await rename(folder, `${folder}.unproved`);
    throw new CommandError(`The backup could not be proved and is ${folder}.unproved now. ${reason}`);
  }
}

/** Leaves the moment of a proved backup in the database, whose nodes tell of it. A database of an older version has no room for it. */
async function record({ madeAt }: Manifest, context: CommandContext): Promise<void> {
  const ran = await readRan(context);
  if (!ran.some(({ name }) => name === PROVED_BACKUPS)) return;
  await withDatabase(context, (database) => recordProvedBackup(database, Date.parse(madeAt))).catch(
    (error: Error) => context.terminal.note(`The database could not be told of the backup: ${error.message}`),
  );
}

/** Copies a backup to the store that the settings name, encrypted. */
async function send(
  folder: string,
  keep: number | undefined,
  { config: { backup }, terminal, json }: CommandContext,
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

/** Returns the public key that backups on this machine are encrypted for. Throws when the settings do not have it. */
function requireRecipient({ recipient }: BackupSettings, parent: string | undefined): string {
  if (parent === undefined) throw usageError('--encrypt goes with --in.');
  if (recipient !== undefined) return recipient;
  throw new CommandError('The settings do not say whom the backup is encrypted for: set BACKUP_RECIPIENT.');
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

import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  checkBackup,
  compactTime,
  fetchBackup,
  isEncryptedBackup,
  locateEncryptedBackup,
  type Restored,
  readIdentity,
  readUnfinished,
  restoreBackup,
  restoreGuardOf,
} from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import { openLocation } from '../../database/transfer/index.ts';
import { migrationsOf } from '../../project-database.ts';
import { type BlobStore, createS3BlobStore, openBlobs } from '../../services/storage/index.ts';
import { CommandError, usageError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { parseNames } from '../program/parse-values.ts';
import type { Cli } from '../program/run-program.ts';
import { requireOffsite } from './backup.ts';
import { presentBackups, reportTo } from './projects.ts';

export function restoreCommand({ command, run }: Cli): void {
  command('restore', 'Restores a backup: databases, files and keys.')
    .argument('<folder>')
    .option('--replace', 'Sets existing data aside, and prints where it is.')
    .option('--check', 'Only checks the backup.')
    .option('--identity <file>', 'The secret key of an encrypted backup.')
    .option(
      '--leave-out <names>',
      'Into PostgreSQL only: tables, views and columns (table.column) that no migration made.',
      parseNames,
    )
    .addHelpText(
      'after',
      `
Stop Fabrica first. A backup of either engine is restored into the database and the file store of the settings: all of
its projects, or the one of --project. Everything is staged first and swapped in at the end. If the swap is interrupted,
Fabrica does not start until the same command has finished it.

s3:latest, or s3: and a name, is a backup in BACKUP_S3_BUCKET, and <folder>/backups/latest, or a name, an encrypted one of this
machine. It is decrypted into a folder in DATA_DIR first, which is removed afterwards unless the swap was interrupted.`,
    )
    .action(
      run(
        async (context, typed, { replace = false, check: checksOnly, identity, leaveOut = [] }) => {
          const { config } = context;
          const fetched = await fetchEncrypted(config, typed, identity);
          try {
            const folder = fetched ?? resolve(typed);
            if (checksOnly) await check(folder, typed, context);
            else await restore(folder, { replace, leaveOut }, context);
          } finally {
            // An interrupted restore goes on with it.
            const isLeft = fetched === undefined || readUnfinished(config.dataDir)?.backup === fetched;
            if (!isLeft) await rm(fetched, { recursive: true, force: true });
          }
        },
        { needsData: false },
      ),
    );
}

async function check(folder: string, typed: string, { show }: CommandContext): Promise<void> {
  const { projects, madeAt } = await checkBackup(folder);
  show(
    { folder: typed, madeAt, whole: true },
    `${presentBackups(projects)}\n\nThe backup is whole; it was made at ${madeAt}.`,
  );
}

async function restore(
  folder: string,
  options: { replace: boolean; leaveOut: readonly string[] },
  { config, definitions, chosen, terminal, show }: CommandContext,
): Promise<void> {
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
      onProgress: reportTo(terminal),
      ...options,
    });
    show(restored, present(restored));
  } finally {
    await location.close();
  }
}

/** Decrypts a backup of the bucket or of a folder into the data folder, and returns its path; undefined when it is not encrypted. */
async function fetchEncrypted(
  config: Config,
  typed: string,
  identityFile: string | undefined,
): Promise<string | undefined> {
  if (typed.startsWith('s3:')) {
    const { s3 } = requireOffsite(config.backup);
    return fetchInto(config, { blobs: createS3BlobStore(s3), name: typed.slice(3) }, identityFile);
  }
  const path = resolve(typed);
  if (identityFile === undefined && !isEncryptedBackup(path)) return undefined;
  return fetchInto(config, locate(path), identityFile);
}

function locate(path: string): { blobs: BlobStore; name: string } {
  try {
    return locateEncryptedBackup(path);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

/**
 * Fetches a backup of the store, and returns its folder. An interrupted restore has it fetched already: the command is given
 * that folder then, which it has named.
 */
async function fetchInto(
  config: Config,
  { blobs, name }: { blobs: BlobStore; name: string },
  identityFile: string | undefined,
): Promise<string> {
  if (identityFile === undefined)
    throw usageError('An encrypted backup is read by its key: give --identity.');
  const identity = await readIdentity(resolve(identityFile));
  // Beside the data folder, a container or a service may write nothing.
  const folder = join(config.dataDir, `.fetched-${compactTime(new Date())}`);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  try {
    await fetchBackup({ name, blobs, identity, folder });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new CommandError((error as Error).message);
  }
  return folder;
}

function present({ projects, aside }: Restored): string {
  const previous =
    aside.length > 0
      ? `\n\nWhat was there before is kept:\n${aside.map((path) => `  ${path}`).join('\n')}`
      : '';
  return `${presentBackups(projects)}\n\nRestored: Fabrica can be started.${previous}`;
}

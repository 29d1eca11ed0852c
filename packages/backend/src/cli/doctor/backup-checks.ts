import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cron } from 'croner';
import { newestProvedIn, requireRecipient, scheduledFolder } from '../../backup/index.ts';
import type { Config } from '../../config.ts';
import { createS3BlobStore } from '../../services/storage/index.ts';
import type { Finding } from './finding.ts';
import { tryFolder } from './try-folder.ts';

const HOUR_MS = 3_600_000;
/** Hours after which a backup is too old, as in the alert BackupMissing. */
const OLD_HOURS = 36;
/** The key of the file that is written to the bucket. */
const TRIED_KEY = 'doctor';

/** Tries the folder of scheduled backups and the key that they are encrypted for, and looks at the newest of them. */
export async function checkBackups({ backup, dataDir }: Config): Promise<Finding[]> {
  const name = 'backup';
  const { schedule, recipient } = backup;
  if (recipient !== undefined) await requireRecipient(recipient);
  const folder = scheduledFolder({ backup, dataDir });
  if (schedule !== undefined || backup.folder !== undefined)
    await tryFolder(folder).catch((cause) => {
      throw new Error(`This account cannot write to the folder ${folder} of backups.`, { cause });
    });
  if (schedule === undefined)
    return [{ name, state: 'not used', text: 'Without BACKUP_SCHEDULE, this node makes no backups.' }];
  const next = new Cron(schedule, { mode: '5-or-6-parts', timezone: 'UTC', paused: true }).nextRun();
  const then = `The next one is due at ${next?.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const newest = await newestProvedIn(folder);
  if (newest === undefined)
    return [{ name, state: 'warning', text: `${folder} has no proved backup yet. ${then}` }];
  const hours = Math.round((Date.now() - newest) / HOUR_MS);
  const text = `The newest proved backup in ${folder} is ${hours} h old. ${then}`;
  return [{ name, state: hours > OLD_HOURS ? 'warning' : 'ok', text }];
}

/** Writes a file to the bucket that backups are copied to. It is removed where the key may do that, and always has the same name. */
export async function checkBackupCopies({ backup: { offsite } }: Config): Promise<Finding[]> {
  if (!offsite) return [];
  const blobs = createS3BlobStore(offsite.s3);
  await blobs.check();
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-doctor-'));
  try {
    await writeFile(join(folder, 'file'), TRIED_KEY);
    await blobs.put(TRIED_KEY, join(folder, 'file'));
  } finally {
    await blobs.remove(TRIED_KEY).catch(() => undefined);
    await rm(folder, { recursive: true });
  }
  return [{ name: 'backup copies', state: 'ok', text: `The bucket "${offsite.s3.bucket}" takes files.` }];
}

import { resolve } from 'node:path';
import { Cron } from 'croner';
import { z } from 'zod';
import { httpUrl, onOrOff, type SettingsValues } from '../core/settings.ts';
import type { S3Settings } from '../services/storage/index.ts';

export const backupSettings = {
  BACKUP_SCHEDULE: z
    .string()
    .refine(isSchedule, 'must be five fields as of cron, such as `30 3 * * *`')
    .optional()
    .describe(
      'When this node backs everything up and proves the backup, as cron writes it (UTC): `30 3 * * *` is 03:30 each day. Set it on one node. Default: never.',
    ),
  BACKUP_TO: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of scheduled backups, on another disk. Default: `backups` beside `DATA_DIR`.'),
  BACKUP_KEEP: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(14)
    .describe('How many scheduled backups stay; older ones are removed once a newer one is proved.'),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[a-z0-9]+$/, 'must be a public key such as age1…, which `npx fabrica key backup` makes')
    .optional()
    .describe('The public key that backups are encrypted for, such as those that leave this machine.'),
  BACKUP_ENCRYPTED: onOrOff
    .default(false)
    .describe('Whether scheduled backups are encrypted for it in `BACKUP_TO` too.'),
  BACKUP_S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'must be the name of a bucket')
    .optional()
    .describe('Bucket that scheduled backups are copied to, encrypted; not the one of the files.'),
  BACKUP_S3_ENDPOINT: httpUrl
    .optional()
    .describe(
      'The URL of its store. Default: `S3_ENDPOINT`, with the settings of that store. Its region is the one that an address of Amazon’s names, else `S3_REGION`.',
    ),
  BACKUP_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Its access key. Default: `S3_ACCESS_KEY_ID`.'),
  BACKUP_S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('The secret of that key. Default: `S3_SECRET_ACCESS_KEY`.'),
};

export type BackupSettings = ReturnType<typeof readBackupSettings>;

type Values = SettingsValues<typeof backupSettings> & { S3_REGION: string };

/** An address of Amazon's S3, such as `https://s3.eu-central-1.amazonaws.com`. */
const AMAZON = /^https?:\/\/s3[.-](?<region>[a-z0-9-]+)\.amazonaws\.com/;

/** Returns the settings of backups. Those of the store are by default the ones of the store of files. */
export function readBackupSettings(values: Values, files: S3Settings | undefined, faults: string[]) {
  const { BACKUP_S3_BUCKET: bucket, BACKUP_RECIPIENT: recipient } = values;
  const settings = {
    schedule: values.BACKUP_SCHEDULE,
    folder: values.BACKUP_TO && resolve(values.BACKUP_TO),
    keep: values.BACKUP_KEEP,
    recipient,
    isEncrypted: values.BACKUP_ENCRYPTED,
  };
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (bucket && !recipient)
    faults.push(
      'BACKUP_S3_BUCKET, BACKUP_RECIPIENT: set both, since nothing leaves this machine unencrypted',
    );
  if (settings.isEncrypted && !recipient)
    faults.push('BACKUP_ENCRYPTED: set BACKUP_RECIPIENT, the public key that backups are encrypted for');
  if (!accessKeyId !== !secretAccessKey)
    faults.push('BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY: set both, or neither');
  if (!bucket || !recipient) return { ...settings, offsite: undefined };
  if (bucket === files?.bucket && values.BACKUP_S3_ENDPOINT === undefined)
    faults.push('BACKUP_S3_BUCKET: name another bucket than that of the files');
  const endpoint = values.BACKUP_S3_ENDPOINT ?? files?.endpoint;
  const s3: S3Settings = {
    bucket,
    endpoint,
    region: AMAZON.exec(endpoint ?? '')?.groups?.region ?? values.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : files?.credentials,
    prefix: '',
  };
  return { ...settings, offsite: { s3, recipient } };
}

function isSchedule(pattern: string): boolean {
  try {
    new Cron(pattern, { paused: true, mode: '5-or-6-parts' });
    return true;
  } catch {
    return false;
  }
}

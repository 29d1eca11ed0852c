import { Cron } from 'croner';
import { z } from 'zod';

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
};

export interface BackupSettings {
  /** Undefined: there are no scheduled backups. */
  schedule: string | undefined;
  /** Undefined: `backups` beside the data folder. */
  folder: string | undefined;
  keep: number;
}

function isSchedule(pattern: string): boolean {
  try {
    new Cron(pattern, { paused: true, mode: '5-or-6-parts' });
    return true;
  } catch {
    return false;
  }
}

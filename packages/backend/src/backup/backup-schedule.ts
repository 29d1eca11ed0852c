import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Cron } from 'croner';
import type { Logger } from 'pino';
import type { Environment } from '../core/settings.ts';
import type { Meter } from '../runtime/meter.ts';
import type { BackupSettings } from './backup-settings.ts';
import { newestProved } from './earlier-backups.ts';
import { newestProvedEncrypted } from './offsite/encrypted-folder.ts';

export interface BackupScheduleOptions {
  settings: BackupSettings;
  dataDir: string;
  /** The command line of this installation. */
  cli: URL;
  environment: Environment;
  meter: Meter;
  log: Logger;
  /** Tells the operator by mail, where there is an address. */
  mailOperator(mail: { subject: string; text: string }): Promise<unknown>;
}

/** Makes and proves backups at the times of the settings, in a process of their own: this one goes on serving. */
export interface BackupSchedule {
  close(): void;
}

/** Starts the schedule, and has the meter tell how old the last proved backup is. Without a schedule, nothing happens. */
export function openBackupSchedule(options: BackupScheduleOptions): BackupSchedule {
  const { settings, dataDir, meter, log } = options;
  const { schedule } = settings;
  if (schedule === undefined) return { close: () => undefined };
  const folder = settings.folder ?? join(dirname(dataDir), 'backups');
  let hasFailed = false;
  meter.add('fabrica_backup_failed', () => [{ labels: {}, value: hasFailed ? 1 : 0 }]);
  meter.add('fabrica_backup_proved_timestamp_seconds', async () => {
    const madeAt = [await newestProved(folder), await newestProvedEncrypted(folder)];
    // Without one, the alert must come as well.
    return [{ labels: {}, value: Math.max(0, ...madeAt.map((time) => Date.parse(time ?? '') || 0)) / 1_000 }];
  });
  const run = async () => {
    const failure = await backUp(folder, options).catch(
      (error: unknown) =>
        `The command cannot be run: ${error instanceof Error ? error.message : String(error)}`,
    );
    hasFailed = failure !== undefined;
    if (failure === undefined) return log.info({ folder }, 'A backup was made and proved');
    log.error({ failure }, 'The scheduled backup failed');
    const subject = 'The scheduled backup failed';
    const text = `${failure}\n\nEarlier backups are still in ${folder}. "npx fabrica backup --prove" tries it again.`;
    await options
      .mailOperator({ subject, text })
      .catch((err: unknown) => log.error({ err }, 'The operator could not be told'));
  };
  const job = new Cron(schedule, { mode: '5-or-6-parts', timezone: 'UTC', protect: true, unref: true }, run);
  log.info({ folder, next: job.nextRun() }, 'Backups are scheduled');
  return { close: () => job.stop() };
}

/** Runs the command. Resolves with what went wrong, also when it cannot be started; undefined when nothing did. */
async function backUp(
  folder: string,
  { settings, cli, environment }: BackupScheduleOptions,
): Promise<string | undefined> {
  const args = ['backup', '--in', folder, '--prove', '--keep', String(settings.keep)];
  if (settings.isEncrypted) args.push('--encrypt');
  if (settings.offsite) args.push('--send');
  const child = spawn(process.execPath, [fileURLToPath(cli), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment },
  });
  const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return status === 0 ? undefined : errors.trim() || `The command ended with ${status}.`;
}

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
import { PROOF_CHECKS } from './prove-backup.ts';

interface BackupScheduleOptions {
  settings: BackupSettings;
  dataDir: string;
  /** Returns the moment (epoch ms) of the newest backup that was proved, as the database has it. */
  recorded(): Promise<number | undefined>;
  /** The command line of this installation. */
  cli: URL;
  environment: Environment;
  meter: Meter | undefined;
  log: Logger;
  /** Tells the operator by mail, where there is an address. */
  mailOperator(mail: { subject: string; text: string }): Promise<unknown>;
}

/** Names what of a scheduled backup may fail: a check of its proof, or `backup`, all the rest. */
const PARTS = ['backup', ...PROOF_CHECKS] as const;

interface Failure {
  part: (typeof PARTS)[number];
  reason: string;
}

/** Makes and proves backups at the times of the settings, in a process of their own: this one goes on serving. */
export interface BackupSchedule {
  close(): void;
}

/** Starts the schedule, if there is one, and has the meter tell how old the last proved backup is, whoever made it. */
export function openBackupSchedule(options: BackupScheduleOptions): BackupSchedule {
  const { settings, dataDir, meter, log } = options;
  const { schedule } = settings;
  const folder = scheduledFolder({ backup: settings, dataDir });
  meter?.provedBackup.add(async () => {
    const found = [await options.recorded(), schedule && (await newestProvedIn(folder))];
    const times = found.filter((time) => typeof time === 'number');
    // With a schedule, the alert must come without one as well.
    return times.length > 0 || schedule ? [{ labels: {}, value: Math.max(0, ...times) / 1_000 }] : [];
  });
  if (schedule === undefined) return { close: () => undefined };
  let failure: Failure | undefined;
  meter?.failedBackup.add(() =>
    PARTS.map((part) => ({ labels: { part }, value: failure?.part === part ? 1 : 0 })),
  );
  const run = async () => {
    failure = await backUp(folder, options).catch((error: unknown): Failure => {
      const reason = error instanceof Error ? error.message : String(error);
      return { part: 'backup', reason: `The command cannot be run: ${reason}` };
    });
    if (failure === undefined) return log.info({ folder }, 'A backup was made and proved');
    const { part, reason } = failure;
    log.error({ part, failure: reason }, 'The scheduled backup failed');
    const subject = 'The scheduled backup failed';
    const text = `${reason}\n\nEarlier backups are still in ${folder}. "npx fabrica backup --prove" tries it again.`;
    await options
      .mailOperator({ subject, text })
      .catch((err: unknown) => log.error({ err }, 'The operator could not be notified'));
  };
  const job = new Cron(schedule, { mode: '5-or-6-parts', timezone: 'UTC', protect: true, unref: true }, run);
  log.info({ folder, next: job.nextRun() }, 'Backups are scheduled');
  return { close: () => job.stop() };
}

/** Returns the folder of scheduled backups. */
export function scheduledFolder({ backup, dataDir }: { backup: BackupSettings; dataDir: string }): string {
  return backup.folder ?? join(dirname(dataDir), 'backups');
}

/** Returns the moment (epoch ms) of the data of the newest backup in a folder that was proved, encrypted or not. */
export async function newestProvedIn(folder: string): Promise<number | undefined> {
  const found = [await newestProved(folder), await newestProvedEncrypted(folder)];
  const times = found.flatMap((madeAt) => (madeAt === undefined ? [] : [Date.parse(madeAt)]));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Runs the command. Resolves with what went wrong; undefined when nothing did. */
async function backUp(
  folder: string,
  { settings, cli, environment }: BackupScheduleOptions,
): Promise<Failure | undefined> {
  const args = ['backup', '--in', folder, '--prove', '--json', '--keep', String(settings.keep)];
  if (settings.isEncrypted) args.push('--encrypt');
  if (settings.offsite) args.push('--send');
  const child = spawn(process.execPath, [fileURLToPath(cli), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment },
  });
  const [printed, errors, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (status === 0) return undefined;
  const reason = errors.trim() || `The command ended with ${status ?? signal}.`;
  return { part: failedPart(printed), reason };
}

/** Returns the check of a proof that the command names as the one that failed. */
function failedPart(printed: string): Failure['part'] {
  return PARTS.find((part) => printed.trim() === JSON.stringify({ failedCheck: part })) ?? 'backup';
}

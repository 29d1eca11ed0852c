import { VERSION } from '../../core/version.ts';
import { CommandError } from '../program/command-error.ts';
import type { CommandContext } from '../program/context.ts';
import { presentTable } from '../program/present.ts';
import type { Cli } from '../program/run-program.ts';
import { checkBackupCopies, checkBackups } from './backup-checks.ts';
import { checkDatabase } from './database-checks.ts';
import { type Finding, look } from './finding.ts';
import { checkProviders, checkSearch, checkTraces } from './other-checks.ts';
import {
  checkDisk,
  checkMail,
  checkMessages,
  checkModel,
  checkRedis,
  checkSettings,
  checkStore,
  MODELS_MS,
} from './part-checks.ts';
import { checkProxy } from './proxy-checks.ts';

export function doctorCommand({ command, run }: Cli): void {
  command('doctor', 'Tries every part that the settings name, and says what is wrong.')
    .addHelpText(
      'after',
      `
Looks at the settings, the database with its roles, connections, clock and replica, the versions of all nodes, Redis, the store of
files, the mail server, the model, the disk, backups, the search engine, the collector of traces, providers of sign-ins, and the proxy: how many there
are, and whether websockets and uploads get through. Nothing is changed but files that are written and removed. Exits with 1 when
something does not work; warnings alone exit with 0.`,
    )
    .action(run(examine, { needsData: false }));
}

async function examine(context: CommandContext): Promise<void> {
  const { config, definitions, environment, settingNames, show } = context;
  const projects = definitions.map(({ id }) => id);
  // Reading a whole file keeps this thread busy: the time-outs of the others begin after it.
  const database = await look('database', () => checkDatabase(config, projects));
  const looks = [
    look('settings', () => checkSettings(environment, settingNames)),
    database,
    look('redis', () => checkRedis(config)),
    look('files', () => checkStore(config)),
    look('mail', () => checkMail(config)),
    look('messages', () => checkMessages(context)),
    look('model', () => checkModel(config), MODELS_MS),
    look('disk', () => checkDisk(config)),
    look('backup', () => checkBackups(config)),
    look('backup copies', () => checkBackupCopies(config)),
    look('search', () => checkSearch(config)),
    look('traces', () => checkTraces(config)),
    look('sign-in', () => checkProviders(config)),
    look('proxy', () => checkProxy(config)),
  ];
  const findings = (await Promise.all(looks)).flat();
  show({ version: VERSION, findings }, present(findings));
  const failed = findings.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    throw new CommandError(`Not all is well: ${failed.map(({ name }) => name).join(', ')}.`);
}

function present(findings: readonly Finding[]): string {
  return presentTable(
    ['PART', 'STATE', `FABRICA ${VERSION}`],
    findings.map(({ name, state, text }) => [name, state, text]),
  );
}

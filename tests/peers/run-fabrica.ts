import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '@fabrica/backend';
import { runCli } from '@fabrica/backend/cli';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { journalCommands } from '../../apps/journal/project/commands.ts';
import { defineJournal } from '../../apps/journal/project/project.ts';
import { journalSettings, provingServer } from '../../apps/journal/project/settings.ts';
import { createOperatorMails } from '../../apps/journal/server/operator-mails.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/fabrica.mjs', import.meta.url));

/** Holds what a command has printed, without the white space at its end. */
export interface Ran {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  process: ChildProcess;
  ended: Promise<Ran>;
}

/** Starts the command line as an operator does, with these settings alone. */
export function startFabrica(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): RunningCommand {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that it is killed together with the process that does the work.
    detached: true,
  });
  return { process: child, ended: outcomeOf(child) };
}

/** Runs the command line to its end. */
export function runFabrica(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> {
  return startFabrica(args, settings).ended;
}

/** Runs the command line within this process, which takes a tenth of the time. */
export async function runFabricaHere(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> {
  const streams = {
    stdin: Object.assign(new PassThrough(), { isTTY: false }),
    stdout: new PassThrough(),
    stderr: Object.assign(new PassThrough(), { isTTY: false }),
  };
  streams.stdin.end(input);
  const outcome = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const exitCode = await runCli({
    arguments: args,
    process: { ...streams, env: settings },
    own: journalCommands,
    configure() {
      const config = parseConfig({ PROJECT_ID: 'journal', ...settings });
      return {
        config,
        pages,
        ownSettings: Object.keys(journalSettings),
        server: provingServer,
        projects: [defineJournal({ id: config.projectId })],
        openMails: (fetchRows) => createOperatorMails(config, fetchRows),
      };
    },
  });
  streams.stdout.end();
  streams.stderr.end();
  const [stdout, stderr] = await outcome;
  return { exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}

/** Kills a command and waits for its end. */
export async function killCommand({ process: child, ended }: RunningCommand): Promise<void> {
  if (child.pid === undefined) throw new Error('The command did not start.');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function outcomeOf(child: ChildProcess): Promise<Ran> {
  if (!child.stdout || !child.stderr) throw new Error('The command has no output.');
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}

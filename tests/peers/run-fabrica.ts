import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { defineJournal } from '../../apps/journal/project/project.ts';
import { runCli } from '../../packages/backend/src/cli/index.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/fabrica.mjs', import.meta.url));

export interface Ran {
  exitCode: number | null;
  printed: string;
  said: string;
}

export interface RunningCommand {
  process: ChildProcess;
  ended: Promise<Ran>;
}

/** The command line as an operator starts it, with no other settings than these. */
export function startFabrica(
  typed: readonly string[],
  settings: Readonly<Record<string, string>>,
): RunningCommand {
  const child = spawn(process.execPath, [SCRIPT, ...typed], {
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // To be killed together with the process that does the work.
    detached: true,
  });
  return { process: child, ended: outcomeOf(child) };
}

export function runFabrica(
  typed: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> {
  return startFabrica(typed, settings).ended;
}

/** The same within this process, for what does not depend on its being another one: it takes a tenth of the time. */
export async function runFabricaHere(
  typed: readonly string[],
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
    arguments: typed,
    process: { ...streams, env: settings },
    configure() {
      const config = parseConfig({ PROJECT_ID: 'journal', ...settings });
      return { config, pages, projects: [defineJournal({ id: config.projectId })] };
    },
  });
  streams.stdout.end();
  streams.stderr.end();
  const [printed, said] = await outcome;
  return { exitCode, printed: printed.trimEnd(), said: said.trimEnd() };
}

/** Ends a command in the middle of whatever it does. */
export async function killCommand({ process: child, ended }: RunningCommand): Promise<void> {
  if (child.pid === undefined) throw new Error('The command did not start.');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

async function outcomeOf(child: ChildProcess): Promise<Ran> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The command has nowhere to speak to.');
  const [printed, said, [exitCode]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { exitCode, printed: printed.trimEnd(), said: said.trimEnd() };
}

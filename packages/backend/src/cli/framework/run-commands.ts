import { CommanderError } from 'commander';
import type { ProvingServer } from '../../backup/index.ts';
import { type Config, ConfigError, EXIT_CONFIG, settings } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import { createPrivateFiles } from '../../runtime/private-files.ts';
import type { AuthPages } from '../../services/auth/index.ts';
import type { Command, CommandContext } from './command.ts';
import { CommandError, EXIT_USAGE } from './command-error.ts';
import { type ContextOptions, openContext } from './open-context.ts';
import { buildProgram, type ParsedCall } from './program.ts';
import { openTerminal, type Terminal, type TerminalStreams } from './terminal.ts';

interface Configured {
  config: Config;
  /** The product's pages that links point to. */
  pages: AuthPages;
  /** The names of the product's own settings. */
  ownSettings?: readonly string[];
  projects: readonly ProjectDefinition[];
  /** The server that proves a backup. */
  server: ProvingServer;
  openMails: ContextOptions['openMails'];
}

export interface CliSetup {
  /** The arguments after `fabrica`. */
  arguments: readonly string[];
  process: TerminalStreams & { env: CommandContext['environment'] };
  /**
   * Reads the server's settings; throws `ConfigError`. It is called only when a command runs: help needs no
   * settings.
   */
  configure(): Promise<Configured> | Configured;
  /** Default: the engine that the settings name. */
  openEngine?: ContextOptions['openEngine'];
}

/** Runs the command that was typed and returns the exit code. */
export async function runCommands(commands: readonly Command[], setup: CliSetup): Promise<number> {
  createPrivateFiles();
  const terminal = openTerminal(setup.process);
  const program = buildProgram(commands, { terminal, run: (call) => runCommand(call, setup, terminal) });
  try {
    await program.parseAsync(helpAsOption(setup.arguments), { from: 'user' });
    return 0;
  } catch (error) {
    // The parser has printed what it throws.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    terminal.note(sentenceOf(error));
    if (error instanceof ConfigError) return EXIT_CONFIG;
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Returns `user list --help` for `help user list`. */
function helpAsOption([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return ['--help'];
  return first === 'help' ? [...rest, '--help'] : [first, ...rest];
}

/**
 * Returns the error's message as a sentence. Our own messages are sentences; those of the system and the
 * database are not.
 */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandError || error instanceof ConfigError) return message;
  return message.endsWith('.') ? message : `That did not work: ${message}.`;
}

async function runCommand(
  { command, project, ...call }: ParsedCall,
  setup: CliSetup,
  terminal: Terminal,
): Promise<void> {
  const { ownSettings = [], ...configured } = await setup.configure();
  const context = openContext({
    ...configured,
    settingNames: [...Object.keys(settings), ...ownSettings],
    openEngine: setup.openEngine,
    environment: setup.process.env,
    terminal,
    projectId: project,
    needsData: command.needsNoData !== true,
  });
  try {
    await command.run({ ...context, ...call });
  } finally {
    await context.close();
  }
}

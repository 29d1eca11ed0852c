import { type Config, ConfigError, EXIT_CONFIG } from '../../config.ts';
import type { ProjectDefinition } from '../../core/project.ts';
import type { AuthPages } from '../../services/auth/index.ts';
import type { Command, CommandContext, OptionDefinitions, OptionValues } from './command.ts';
import { CommandError } from './command-error.ts';
import { type FoundCommand, findCommand, findHelp } from './find-command.ts';
import { type ContextOptions, openContext } from './open-context.ts';
import { parseTyped } from './parse-arguments.ts';
import { openTerminal, type Terminal, type TerminalStreams } from './terminal.ts';

export interface Configured {
  config: Config;
  /** The product's pages that links lead to. */
  pages: AuthPages;
  projects: readonly ProjectDefinition[];
}

export interface CliSetup {
  /** What was typed behind `fabrica`. */
  arguments: readonly string[];
  process: TerminalStreams & { env: CommandContext['environment'] };
  /** The same as the server's; throws ConfigError. Asked only when a command runs: help needs no settings. */
  configure(): Promise<Configured> | Configured;
  /** The one that the settings name, if left out. */
  openEngine?: ContextOptions['openEngine'];
}

/** Finds the command that is meant and runs it; answers the exit code. */
export async function runCommands(commands: readonly Command[], setup: CliSetup): Promise<number> {
  const terminal = openTerminal(setup.process);
  try {
    const help = findHelp(commands, setup.arguments);
    if (help === undefined) await runCommand(findCommand(commands, setup.arguments), setup, terminal);
    else terminal.print(help);
    return 0;
  } catch (error) {
    terminal.note(sentenceOf(error));
    if (error instanceof ConfigError) return EXIT_CONFIG;
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

/** Ours are sentences; those of the system and of the database are not. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandError || error instanceof ConfigError) return message;
  return message.endsWith('.') ? message : `That did not work: ${message}.`;
}

async function runCommand(
  { command, rest }: FoundCommand,
  setup: CliSetup,
  terminal: Terminal,
): Promise<void> {
  const { positionals, values } = parseTyped(command, rest);
  const { project, json, ...given } = values;
  // By its own definitions, which is what `defineCommand` types them by.
  const options = given as OptionValues<OptionDefinitions>;
  const context = openContext({
    ...(await setup.configure()),
    openEngine: setup.openEngine,
    environment: setup.process.env,
    terminal,
    projectId: typeof project === 'string' ? project : undefined,
    needsData: command.needsNoData !== true,
  });
  try {
    await command.run({ ...context, arguments: positionals, options, json: json === true });
  } finally {
    await context.close();
  }
}

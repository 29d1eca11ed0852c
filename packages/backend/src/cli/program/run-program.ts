import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  type HelpConfiguration,
} from '@commander-js/extra-typings';
import { ConfigError, EXIT_CONFIG, settings } from '../../config.ts';
import { VERSION } from '../../core/version.ts';
import { createPrivateFiles } from '../../runtime/private-files.ts';
import { CommandError, EXIT_USAGE } from './command-error.ts';
import { type CommandContext, type Configured, openContext } from './context.ts';
import { openTerminal, type Terminal, type TerminalStreams } from './terminal.ts';

/** Returns the action of a command, which opens what commands work with, and closes it at the end. */
type Run = <Given extends unknown[]>(
  act: (context: CommandContext, ...given: Given) => Promise<void>,
  options?: { needsData?: boolean },
) => (...given: Given) => Promise<void>;

export interface Cli {
  /** Adds a command by its one or two words. A default command is called by the first of them alone as well. */
  command(name: string, description: string, options?: { isDefault?: boolean }): Command;
  run: Run;
  /** All commands. */
  program: CommandUnknownOpts;
}

/** Adds a command to the command line. */
export type AddCommand = (cli: Cli) => void;

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
  openEngine?: Parameters<typeof openContext>[0]['openEngine'];
}

/** Runs the command that was typed and returns the exit code. */
export async function runProgram(commands: readonly AddCommand[], setup: CliSetup): Promise<number> {
  createPrivateFiles();
  const terminal = openTerminal(setup.process);
  const program = buildProgram(terminal);
  const run: Run =
    (act, { needsData = true } = {}) =>
    async (...given) => {
      const { project: projectId, json = false } = program.opts();
      const { ownSettings = [], ...configured } = await setup.configure();
      const context = openContext({
        ...{ ...configured, terminal, projectId, json, needsData },
        settingNames: [...Object.keys(settings), ...ownSettings],
        openEngine: setup.openEngine,
        environment: setup.process.env,
      });
      try {
        await act(context, ...given);
      } finally {
        await context.close();
      }
    };
  for (const add of commands) add({ command: commandOf(program), run, program });
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

/** Columns at which help is wrapped. */
const HELP_WIDTH = 120;

/** Lists groups of commands by their commands. */
const help: HelpConfiguration = {
  showGlobalOptions: true,
  visibleCommands: leavesOf,
  subcommandTerm: (leaf) =>
    [nameOf(leaf), ...leaf.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' '),
};

function buildProgram(terminal: Terminal) {
  return new Command('fabrica')
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'Prints the version.')
    .option('--project <id>', 'The project; by default the one of PROJECT_ID.')
    .option('--json', 'Prints JSON, for programs.')
    .helpOption('-h, --help', 'Shows help for the command.')
    .helpCommand(false)
    .configureHelp(help)
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
      getOutHelpWidth: () => HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .showHelpAfterError('See "fabrica help".')
    .exitOverride()
    .addHelpText('after', '\nfabrica help <command> shows more. The settings are those of the server.');
}

function commandOf(program: CommandUnknownOpts): Cli['command'] {
  return (name, description, { isDefault = false } = {}) => {
    const [first = '', second] = name.split(' ');
    const group = () =>
      program.commands.find((one) => one.name() === first) ??
      program.command(first).usage('<command> [options]');
    const parent = second === undefined ? program : group();
    return parent
      .command(second ?? first, { isDefault })
      .description(description)
      .showHelpAfterError();
  };
}

function leavesOf(parent: CommandUnknownOpts): CommandUnknownOpts[] {
  return parent.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));
}

function nameOf(leaf: CommandUnknownOpts): string {
  const group = leaf.parent?.parent ? `${leaf.parent.name()} ` : '';
  return group + leaf.name();
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

import { type HelpConfiguration, Option, Command as Parser } from 'commander';
import { VERSION } from '../../core/version.ts';
import type { Command, OptionDefinitions, OptionValues } from './command.ts';
import type { Terminal } from './terminal.ts';

/** A command line that was parsed. */
export interface ParsedCall {
  command: Command;
  arguments: readonly string[];
  options: OptionValues<OptionDefinitions>;
  /** The id of `--project`. */
  project: string | undefined;
  json: boolean;
}

/** Columns at which help is wrapped. */
const HELP_WIDTH = 120;

/** Groups of commands are listed by their commands. */
const help: HelpConfiguration = {
  showGlobalOptions: true,
  visibleCommands: leavesOf,
  subcommandTerm: (leaf) =>
    [nameOf(leaf), ...leaf.registeredArguments.map((argument) => `<${argument.name()}>`)].join(' '),
};

/** Builds the parser of `fabrica`. It throws a `CommanderError` after printing help or a usage error. */
export function buildProgram(
  commands: readonly Command[],
  { terminal, run }: { terminal: Terminal; run(call: ParsedCall): Promise<void> },
): Parser {
  const program = new Parser('fabrica')
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
  for (const command of commands) addCommand(program, command, run);
  return program;
}

function addCommand(program: Parser, command: Command, run: (call: ParsedCall) => Promise<void>): void {
  const [first = '', second] = command.name.split(' ');
  const parent = second === undefined ? program : groupOf(program, first);
  const leaf = parent.command(second ?? first, { isDefault: command.isDefault === true });
  const options = Object.entries(command.options).map(([name, { value, description }]) => {
    const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, description);
    return { name, option };
  });
  for (const argument of command.arguments) leaf.argument(argument);
  for (const { option } of options) leaf.addOption(option);
  const usage = [...command.arguments, ...options.map(({ option }) => `[${option.flags}]`)].join(' ');
  leaf
    .usage(usage)
    .summary(command.summary)
    .description([command.summary, command.details].filter(Boolean).join('\n'))
    .showHelpAfterError(`Usage: fabrica ${command.name} ${usage}`.trimEnd())
    .action(async () => {
      const values = options.map(({ name, option }) => [name, leaf.getOptionValue(option.attributeName())]);
      const { project, json = false } = program.opts<{ project?: string; json?: boolean }>();
      await run({ command, arguments: leaf.args, options: Object.fromEntries(values), project, json });
    });
}

function groupOf(program: Parser, name: string): Parser {
  return (
    program.commands.find((group) => group.name() === name) ??
    program.command(name).usage('<command> [options]')
  );
}

function leavesOf(parser: Parser): Parser[] {
  return parser.commands.flatMap((child) => (child.commands.length > 0 ? leavesOf(child) : [child]));
}

function nameOf(leaf: Parser): string {
  const group = leaf.parent?.parent ? `${leaf.parent.name()} ` : '';
  return group + leaf.name();
}

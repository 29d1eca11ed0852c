import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './program/run-program.ts';

export function completionCommand({ command, run, program }: Cli): void {
  command('completion', 'Prints what completes commands in bash, zsh or fish.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nbash and zsh: source <(npx fabrica completion bash). fish: npx fabrica completion fish | source.',
    )
    .action(run(async ({ terminal }, shell) => terminal.print(SHELLS[shell](program)), { needsData: false }));
}

const SHELLS = {
  bash: (program: CommandUnknownOpts) => `_fabrica() {
  local words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${casesOf(program).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fabrica fabrica`,
  zsh: (program: CommandUnknownOpts): string => `autoload -Uz bashcompinit && bashcompinit
${SHELLS.bash(program)}`,
  fish: (program: CommandUnknownOpts) => completionsOf(program, '__fish_use_subcommand').join('\n'),
};

/** Returns the cases of bash for a command and those below it: the words that may come after the words before. */
function casesOf(command: CommandUnknownOpts, before = ''): string[] {
  const names = command.commands.map((one) => one.name());
  const options = command.createHelp().visibleOptions(command);
  const common = before === '' ? ['help'] : ['--project', '--json'];
  const words = [...names, ...options.map(({ long }) => long), ...common];
  return [
    ...command.commands.flatMap((one) => casesOf(one, `${before}${one.name()} `)),
    `    ${before && `"${before}"`}*) words="${words.join(' ')}" ;;`,
  ];
}

/** Returns the lines of fish for what comes next to a command, on a condition, and for what comes after that. */
function completionsOf(command: CommandUnknownOpts, condition: string): string[] {
  const add = (word: string, description: string) =>
    `complete -c fabrica -n '${condition}' ${word} -d '${description.replaceAll("'", '’')}'`;
  return [
    ...command.options.map(({ long, description }) => add(`-l ${long?.slice(2)}`, description)),
    ...command.commands.flatMap((one) => [
      add(`-f -a ${one.name()}`, one.description()),
      ...completionsOf(one, `__fish_seen_subcommand_from ${one.name()}`),
    ]),
  ];
}

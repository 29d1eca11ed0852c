import { type Command, defineCommand } from './framework/command.ts';
import { usageError } from './framework/command-error.ts';

/** Options that every command has. */
const COMMON = ['--project', '--json', '--help'];

/** Returns the command that prints the completions of these commands. */
export function completionOf(commands: readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    arguments: ['<shell>'],
    options: {},
    needsNoData: true,
    summary: 'Prints what completes commands in bash, zsh or fish.',
    details: `bash and zsh: source <(npx fabrica completion bash). fish: npx fabrica completion fish | source.`,
    async run({ arguments: [shell = ''], terminal }) {
      const write = SHELLS[shell];
      if (!write) throw usageError(`There are completions for ${Object.keys(SHELLS).join(', ')}.`);
      terminal.print(write(commands));
    },
  });
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: (commands) => `_fabrica() {
${wordsOf(commands)}
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fabrica fabrica`,
  zsh: (commands) => `autoload -Uz bashcompinit && bashcompinit
${SHELLS.bash?.(commands)}`,
  fish: (commands) =>
    commands
      .flatMap(({ name, summary, options }) => {
        const [first = '', second] = name.split(' ');
        const at = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`;
        const lines = [`complete -c fabrica -f -n ${at} -a ${second ?? first} -d ${quoted(summary)}`];
        if (second !== undefined) lines.push(`complete -c fabrica -f -n __fish_use_subcommand -a ${first}`);
        for (const [option, { description }] of Object.entries(options)) {
          const seen = `'__fish_seen_subcommand_from ${second ?? first}'`;
          lines.push(`complete -c fabrica -n ${seen} -l ${option} -d ${quoted(description)}`);
        }
        return lines;
      })
      .join('\n'),
};

/** Returns the lines of bash that set \`words\` to what may come next: commands, their second words, options. */
function wordsOf(commands: readonly Command[]): string {
  const firsts = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '');
  const cases = [...firsts].map(([first, group]) => {
    const seconds = group.flatMap(({ name }) => name.split(' ').slice(1));
    const options = group.flatMap((command) => Object.keys(command.options).map((option) => `--${option}`));
    return `    ${first}) words="${[...seconds, ...new Set(options), ...COMMON].join(' ')}" ;;`;
  });
  return `  local words="${[...firsts.keys(), 'help', '--version', ...COMMON].join(' ')}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${[...firsts.keys(), 'help', '--version', ...COMMON].join(' ')}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}

import type { Command } from './command.ts';
import { type CommandError, usageError } from './command-error.ts';
import { helpForAll, helpForOne } from './help.ts';

const SEE_HELP = 'See "fabrica help".';

export interface FoundCommand {
  command: Command;
  /** What was typed behind its name. */
  rest: readonly string[];
}

/** Throws a usage error that names what there is. */
export function findCommand(commands: readonly Command[], typed: readonly string[]): FoundCommand {
  for (const length of [2, 1]) {
    const name = typed.slice(0, length).join(' ');
    const command = commands.find((one) => one.name === name || one.alias === name);
    if (command) return { command, rest: typed.slice(length) };
  }
  throw unknownCommand(commands, typed);
}

function unknownCommand(commands: readonly Command[], typed: readonly string[]): CommandError {
  const [first = '', second] = typed;
  if (first.startsWith('-'))
    return usageError(`Options such as ${first} stand behind the command. ${SEE_HELP}`);
  const group = commands.map(({ name }) => name.split(' ')).filter(([word]) => word === first);
  if (group.length === 0) return usageError(`There is no command "${first}". ${SEE_HELP}`);
  const words = group.map(([, word]) => word).join(', ');
  if (second === undefined) return usageError(`"fabrica ${first}" wants one more word: ${words}.`);
  return usageError(`There is no command "${first} ${second}"; behind "${first}" there may be: ${words}.`);
}

/** The help that is asked for; undefined when it is not. */
export function findHelp(commands: readonly Command[], typed: readonly string[]): string | undefined {
  const end = typed.indexOf('--');
  const words = end < 0 ? typed : typed.slice(0, end);
  const asksBefore = words.length === 0 || words[0] === 'help';
  if (!asksBefore && !words.some((word) => word === '--help' || word === '-h')) return undefined;
  const about = words.slice(words[0] === 'help' ? 1 : 0).filter((word) => !word.startsWith('-'));
  if (about.length === 0) return helpForAll(commands);
  const group = commands.filter(({ name }) => name.startsWith(`${about.join(' ')} `));
  if (group.length > 0) return helpForAll(group);
  return helpForOne(findCommand(commands, about).command);
}

import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { CommandError, usageError } from './command-error.ts';
import { commonOptions } from './common-options.ts';
import { usageOf } from './help.ts';

/** Throws a usage error that says what is wrong and what is right. */
export function parseTyped(command: Command, rest: readonly string[]) {
  const definitions = { ...command.options, ...commonOptions };
  const fail = (fault: string) => usageError(`${fault}\nUsage: ${usageOf(command)}`);
  const options = Object.fromEntries(
    Object.entries(definitions).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    const parsed = parseArgs({ args: [...rest], options, allowPositionals: true });
    const wanted = command.arguments.length;
    const surplus = parsed.positionals[wanted];
    if (surplus !== undefined) throw fail(`"${surplus}" is more than "fabrica ${command.name}" takes.`);
    const missing = command.arguments[parsed.positionals.length];
    if (missing !== undefined) throw fail(`"fabrica ${command.name}" wants ${missing}.`);
    return parsed;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // Its first sentence says it; what follows is advice for those who write commands.
    throw fail(`${(error as Error).message.split(/\.\s/)[0]?.replace(/\.$/, '')}.`);
  }
}

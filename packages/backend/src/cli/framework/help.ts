import type { Command, OptionDefinitions } from './command.ts';
import { commonOptions } from './common-options.ts';

const INDENT = '  ';

/** How a command is typed: `fabrica user list [--search <text>] [--limit <number>]`. */
export function usageOf({ name, alias, arguments: wanted, options }: Command): string {
  const optional = Object.entries(options).map(([option, { value }]) => `[${presentOption(option, value)}]`);
  return ['fabrica', alias ? nameWithAlias(name, alias) : name, ...wanted, ...optional].join(' ');
}

/** Every command in a line. */
export function helpForAll(commands: readonly Command[]): string {
  const lines = commands.map(
    (command) => [[command.name, ...command.arguments].join(' '), command.summary] as const,
  );
  return [
    'Usage: fabrica <command> [options]',
    '',
    ...inColumns(lines),
    '',
    'Options of every command:',
    ...inColumns(describeOptions(commonOptions)),
    '',
    'fabrica help <command> tells more. The settings are those of the server.',
  ].join('\n');
}

/** All of one command. */
export function helpForOne(command: Command): string {
  return [
    `Usage: ${usageOf(command)}`,
    '',
    [command.summary, command.details].filter(Boolean).join('\n'),
    '',
    ...inColumns(describeOptions({ ...command.options, ...commonOptions })),
  ].join('\n');
}

/** `outbox [list]` for a command that may be called by its first word alone. */
function nameWithAlias(name: string, alias: string): string {
  return name.startsWith(`${alias} `) ? `${alias} [${name.slice(alias.length + 1)}]` : name;
}

function describeOptions(options: OptionDefinitions): (readonly [string, string])[] {
  return Object.entries(options).map(([name, { value, description }]) => [
    presentOption(name, value),
    description,
  ]);
}

function presentOption(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function inColumns(lines: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `${INDENT}${left.padEnd(width)}${INDENT}${right}`);
}

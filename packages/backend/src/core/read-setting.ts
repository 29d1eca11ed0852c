import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The setting's value, or what stands in the file that `FOO_FILE` names; a file that cannot be read is a fault. */
export function readSetting(name: string, environment: Environment, faults: string[]): string | undefined {
  const file = environment[`${name}_FILE`];
  if (!file) return environment[name];
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    faults.push(
      `${name}_FILE: cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'}: "${file}")`,
    );
    return undefined;
  }
}

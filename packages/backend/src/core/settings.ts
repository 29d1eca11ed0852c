import { readFileSync } from 'node:fs';
import { asciiEmail, EMAIL } from '@fabrica/contract';
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of one part of the backend: a schema, with its description, by the name of the variable. */
export type SettingsSchema = Readonly<Record<string, z.ZodType>>;

/** The parsed values of such settings. */
export type SettingsValues<Schema extends SettingsSchema> = { [Name in keyof Schema]: z.infer<Schema[Name]> };

export const onOrOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0', ''])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

export const emailSetting = z
  .string()
  .transform(asciiEmail)
  .pipe(z.email({ pattern: EMAIL, error: 'must be an e-mail address' }));

/** An http(s) origin: a URL without path, query and fragment. */
export const originSetting = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .transform((value, context) => {
    const url = new URL(value);
    if (url.pathname === '/' && !url.search && !url.hash) return url.origin;
    context.addIssue({ code: 'custom', message: 'must be an origin, without a path' });
    return z.NEVER;
  });

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

/** Values with commas or white space between them; none by default. */
export const listSetting = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));

/**
 * Returns the value of a setting, or the content of the file that `FOO_FILE` names. A file that cannot be read is added
 * to `faults`.
 */
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

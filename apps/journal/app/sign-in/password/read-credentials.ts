import type { Credentials } from './check-credentials.ts';

/** What was typed into the form. */
export function readCredentials(fields: FormData): Credentials {
  return {
    email: readText(fields, 'email').trim(),
    password: readText(fields, 'password'),
    displayName: readText(fields, 'name').trim(),
  };
}

/** A field that is missing is empty. */
export function readText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

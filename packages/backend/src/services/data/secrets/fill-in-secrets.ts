import { AppError } from '../../../core/errors.ts';
import type { Secret } from './secrets.ts';

/** A placeholder: `{{name}}`, with or without spaces. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w{0,99})\s*\}\}/g;

export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/** Returns the names of all secrets that a value contains. */
export function secretsNamedIn(value: unknown): string[] {
  const names = new Set<string>();
  mapTexts(value, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name);
    return text;
  });
  return [...names];
}

/** Characters that secrets may add to a request: a name repeated ten thousand times could add gigabytes. */
const MAX_FILLED_IN = 1_000_000;

/**
 * Returns the value with the secrets filled in. Throws VALIDATION_FAILED for an unknown secret, and PAYLOAD_TOO_LARGE.
 */
export function fillInSecrets<T>(value: T, secrets: readonly Secret[]): T {
  const values = new Map(secrets.map((secret) => [secret.name, secret.value]));
  let added = 0;
  return mapTexts(value, (text) =>
    text.replace(PLACEHOLDER, (_, name: string) => {
      const found = values.get(name);
      if (found === undefined) {
        throw new AppError('VALIDATION_FAILED', `This project has no secret "${name}".`);
      }
      added += found.length;
      if (added <= MAX_FILLED_IN) return found;
      throw new AppError('PAYLOAD_TOO_LARGE', 'With its secrets filled in, the request is too large.');
    }),
  ) as T;
}

/** Replaces secrets in a response by their placeholders, because some services return what they were sent. */
export function redactSecrets(text: string, secrets: readonly Secret[]): string {
  // The longest comes first, because a secret may contain another.
  const forms = secrets
    .flatMap(({ name, value }) => encodingsOf(value).map((form) => ({ form, shown: `{{${name}}}` })))
    .sort((one, other) => other.form.length - one.form.length);
  return forms.reduce((rest, { form, shown }) => rest.replaceAll(form, () => shown), text);
}

/** Returns a value as it may be written: plain, in a URL, in a form, in JSON, and in Basic authentication. */
function encodingsOf(value: string): string[] {
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  const base64 = Buffer.from(value).toString('base64');
  const inJson = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, encodeURIComponent(value), encodeURI(value), inForm, inJson, base64])];
}

/**
 * Throws FORBIDDEN unless every secret may be sent to this host, by https or to a host that the operator listed. The
 * message does not name the host, because a redirect’s host may contain a secret.
 */
export function requireMayReceive(
  url: URL,
  secrets: readonly Secret[],
  isListed: (url: URL) => boolean,
): void {
  for (const { name, hosts } of secrets) {
    if (!hosts.includes(hostPortOf(url))) {
      throw new AppError('FORBIDDEN', `The secret "${name}" may not be sent to this host.`);
    }
    if (url.protocol !== 'https:' && !isListed(url)) {
      throw new AppError('FORBIDDEN', `The secret "${name}" is sent by https alone.`);
    }
  }
}

/** Returns `host`, or `host:port` for any port other than that of https, as the hosts of secrets are stored. */
export function hostPortOf({ hostname, port, protocol }: URL): string {
  const number = port || (protocol === 'http:' ? '80' : '443');
  return number === '443' ? hostname : `${hostname}:${number}`;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, map)]));
}

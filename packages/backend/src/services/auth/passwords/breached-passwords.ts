import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { GuardedFetcher } from '../../../fetcher/index.ts';
import { authError } from '../auth-errors.ts';

/** Milliseconds that a list may take; a new password is not held up for longer. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1024 * 1024;
/** Characters of the hash that the list gets to know. */
const PREFIX = 5;

/** Throws `WEAK_PASSWORD` for a password that is known from a breach. */
export type RequireUnbreached = (password: string) => Promise<void>;

interface BreachListOptions {
  /** The URL of a list with the range interface of Have I Been Pwned, without a slash at its end. */
  url: string | undefined;
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Returns a check of passwords against a list of breached ones. The list gets five characters of the password's SHA-1 hash,
 * which some hundred known passwords share, and never the password. A list that does not answer refuses nobody.
 */
export function createBreachCheck({ url, fetcher, log }: BreachListOptions): RequireUnbreached {
  if (!url) return async () => undefined;
  return async (password) => {
    const digest = hash('sha1', password.normalize('NFKC'), 'hex').toUpperCase();
    const found = await fetcher
      .fetch(`${url}/range/${digest.slice(0, PREFIX)}`, {
        headers: { 'add-padding': 'true' },
        timeout: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      })
      .then(({ status, body }) => {
        if (status !== 200) throw new Error(`The list answered with ${status}.`);
        return isListed(new TextDecoder().decode(body), digest.slice(PREFIX));
      })
      .catch((error: unknown) => {
        const failure = error instanceof Error ? error.message : undefined;
        log.warn(
          { failure },
          'The list of breached passwords did not answer; a password was not compared with it',
        );
        return false;
      });
    if (found) throw authError('WEAK_PASSWORD');
  };
}

/** Returns whether a line has this rest of the hash. Lines that only pad the response have the count 0. */
function isListed(lines: string, rest: string): boolean {
  return lines.split(/\r?\n/).some((line) => {
    const [hashRest, count] = line.split(':');
    return hashRest?.toUpperCase() === rest && Number(count) > 0;
  });
}

import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
  /**
   * The URL of a list with the range interface of Have I Been Pwned, without a slash at its end; or `file:` of a list that
   * has a line `<SHA-1>:<count>` for each password, in the order of the hashes.
   */
  url: string | undefined;
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  log: Pick<Logger, 'warn'>;
}

/**
 * Returns a check of passwords against a list of breached ones. A list elsewhere gets five characters of the password's SHA-1
 * hash, which some hundred known passwords share, and never the password. A list that does not answer refuses nobody.
 */
export function createBreachCheck({ url, fetcher, log }: BreachListOptions): RequireUnbreached {
  if (!url) return async () => undefined;
  const askServer = async (digest: string): Promise<boolean> => {
    const { status, body } = await fetcher.fetch(`${url}/range/${digest.slice(0, PREFIX)}`, {
      headers: { 'add-padding': 'true' },
      timeout: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (status !== 200) throw new Error(`The list answered with ${status}.`);
    return isListed(new TextDecoder().decode(body), digest.slice(PREFIX));
  };
  const ask = url.startsWith('file:') ? (digest: string) => isInFile(new URL(url), digest) : askServer;
  return async (password) => {
    const digest = hash('sha1', password.normalize('NFKC'), 'hex').toUpperCase();
    const found = await ask(digest).catch((error: unknown) => {
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

/** Bytes that hold the end of a line and another one. */
const TWO_LINES = 256;

/** Returns whether the list in a file has this hash, by halving: a list of 40 GB takes some 36 reads. */
async function isInFile(file: URL, digest: string): Promise<boolean> {
  const list = await open(fileURLToPath(file));
  try {
    let [low, high] = [0, (await list.stat()).size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { hash: listed, start, end } = await readLine(list, middle);
      if (listed === digest) return true;
      if (start >= high || listed > digest) high = middle;
      else low = end;
    }
    return false;
  } finally {
    await list.close();
  }
}

/** Reads the first line that begins at this position or behind it. Throws an Error for a line that begins with no SHA-1 hash. */
async function readLine(list: FileHandle, position: number) {
  const from = Math.max(0, position - 1);
  const { buffer, bytesRead } = await list.read(Buffer.alloc(TWO_LINES), 0, TWO_LINES, from);
  const text = buffer.toString('latin1', 0, bytesRead);
  const skipped = position === 0 ? 0 : text.indexOf('\n') + 1 || bytesRead;
  const line = text.slice(skipped).split('\n', 1)[0] ?? '';
  const listed = line.slice(0, 40).toUpperCase();
  if (line && !/^[\dA-F]{40}$/.test(listed)) throw new Error('The file is no list of SHA-1 hashes.');
  return { hash: listed, start: from + skipped, end: from + skipped + line.length + 1 };
}

/** Returns whether a line has this rest of the hash. Lines that only pad the response have the count 0. */
function isListed(lines: string, rest: string): boolean {
  return lines.split(/\r?\n/).some((line) => {
    const [hashRest, count] = line.split(':');
    return hashRest?.toUpperCase() === rest && Number(count) > 0;
  });
}

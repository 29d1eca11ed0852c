import { isbot } from 'isbot';

/** Characters of a user agent that are checked: programs name themselves at its beginning. */
const CHECKED_LENGTH = 1_000;

/**
 * Returns whether the events of this request must not be stored: it comes from a program (a crawler, a monitor, a
 * headless browser), from a page that the browser loads ahead, or from a reader who does not want to be counted.
 */
export function isExcludedRequest(header: (name: string) => string | undefined): boolean {
  if (header('dnt') === '1' || header('sec-gpc') === '1') return true;
  if (/prefetch|prerender/i.test(header('sec-purpose') ?? header('purpose') ?? '')) return true;
  const userAgent = header('user-agent')?.slice(0, CHECKED_LENGTH).trim();
  return !userAgent || isbot(userAgent);
}

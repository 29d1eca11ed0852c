import { isbot } from 'isbot';

/** Programs name themselves early on. */
const READ_LENGTH = 1_000;

/**
 * Is nothing of this request to be stored? It comes from a program (a crawler, a monitor, a browser without a window),
 * from a page that is loaded before anybody asked for it, or from somebody who does not want to be counted.
 */
export function isUnwanted(header: (name: string) => string | undefined): boolean {
  if (header('dnt') === '1' || header('sec-gpc') === '1') return true;
  if (/prefetch|prerender/i.test(header('sec-purpose') ?? header('purpose') ?? '')) return true;
  const agent = header('user-agent')?.slice(0, READ_LENGTH).trim();
  return !agent || isbot(agent);
}

import { type AttackClass, everyNth } from './attack.ts';
import { crossSite } from './classes/cross-site.ts';
import { floods } from './classes/floods.ts';
import { foreignThings } from './classes/foreign-things.ts';
import { fuzz } from './classes/fuzz.ts';
import { hostileFiles } from './classes/hostile-files.ts';
import { injections } from './classes/injections.ts';
import { pathTraversal } from './classes/path-traversal.ts';
import { rowPolicies } from './classes/row-policies.ts';
import { scriptsInPages } from './classes/scripts-in-pages.ts';
import { type SlowClients, slowClients } from './classes/slow-clients.ts';
import { smuggling } from './classes/smuggling.ts';
import { ssrf } from './classes/ssrf.ts';
import { tokenForgeries } from './classes/token-forgeries.ts';
import { websockets } from './classes/websockets.ts';
import type { Target } from './target.ts';

/** Settings of a server with its usual limits, which sees its clients' IP addresses as a proxy passes them on. */
export const LIMITED = { RATE_LIMIT: 'on', ROWS_QUOTA: '50 MB', TRUST_PROXY: '1' } as const;

/** The classes that are attempts at a server without rate limits, which would hide what they look for. */
const UNLIMITED: readonly ((target: Target) => AttackClass | Promise<AttackClass>)[] = [
  tokenForgeries,
  rowPolicies,
  foreignThings,
  crossSite,
  scriptsInPages,
  injections,
  pathTraversal,
  smuggling,
  hostileFiles,
  ssrf,
  fuzz,
  websockets,
];

/** Returns the classes for a server without rate limits, with every `step`-th attempt of each. */
export async function unlimitedClasses(target: Target, step = 1): Promise<AttackClass[]> {
  const classes = await Promise.all(UNLIMITED.map((build) => build(target)));
  return classes.map((one) => ({ ...one, attempts: everyNth(one.attempts, step) }));
}

/** Returns the classes for a server with `LIMITED` settings. */
export function limitedClasses(target: Target, slow: SlowClients, step = 1): AttackClass[] {
  const { attempts, ...rest } = floods(target);
  return [{ ...rest, attempts: everyNth(attempts, step) }, slowClients(target, slow)];
}

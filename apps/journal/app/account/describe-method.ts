import type { SignInMethod } from '@fabrica/contract';
import type { Messages } from '../language/load-messages.ts';

/** Providers that do not write their name as their id with a capital. */
const NAMES: Record<string, string> = { github: 'GitHub' };

/** How a session began, in words. */
export function describeMethod(method: SignInMethod, m: Messages): string {
  const texts = m.account.sessions.method;
  switch (method) {
    case 'password':
      return texts.password;
    case 'magic-link':
      return texts.magicLink;
    case 'hand-over':
      return texts.handOver;
    default:
      return texts.provider(providerName(method.slice(method.indexOf(':') + 1)));
  }
}

function providerName(id: string): string {
  return NAMES[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

import type { SignInMethod } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import { providerName } from '../../sign-in/providers/providers.ts';

/** Returns how the owner signed in, in the reader's language. */
export function describeSignInMethod(method: SignInMethod, m: Messages): string {
  const texts = m.account.sessions.method;
  switch (method) {
    case 'password':
      return texts.password;
    case 'passkey':
      return texts.passkey;
    case 'magic-link':
      return texts.magicLink;
    case 'hand-over':
      return texts.handOver;
    default:
      return texts.provider(providerName(method.slice(method.indexOf(':') + 1)));
  }
}

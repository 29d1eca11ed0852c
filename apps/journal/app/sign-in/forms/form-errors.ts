import { CODE_TRIES } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import type { Fault } from '../mail/mail-form-state.ts';

/** A fault in the reader's words; undefined for none. */
export function faultText(fault: Fault | undefined, { authMail, signIn }: Messages): string | undefined {
  switch (fault) {
    case undefined:
      return undefined;
    case 'CODE_MISSING':
      return authMail.code.missing;
    case 'CODE_WRONG':
      return authMail.code.wrong(CODE_TRIES);
    case 'LINK_USED':
      return authMail.link.used;
    case 'PASSWORD_MISSING':
      return authMail.reset.passwordMissing;
    default:
      return signIn.errors[fault];
  }
}

import { isAuthErrorCode } from '@fabrica/contract';
import type { Messages } from '../language/load-messages.ts';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';

/** Returns a sentence about an error in the reader's language. */
export function describeError(error: unknown, m: Messages): string {
  const code = clientErrorCode(error);
  if (isAuthErrorCode(code)) return m.signIn.errors[code];
  switch (code) {
    case 'UNAUTHENTICATED':
      return m.signIn.errors.TOKEN_EXPIRED;
    case 'PAYLOAD_TOO_LARGE':
      return m.account.profile.photoTooLarge;
    case 'UNSUPPORTED_MEDIA_TYPE':
      return m.publish.image.notAnImage;
    case 'FILE_UNREADABLE':
      return m.publish.image.unreadable;
    case 'STORAGE_FULL':
      return m.publish.failure.storageFull;
    case 'QUOTA_EXCEEDED':
      return m.publish.failure.quotaExceeded;
    default:
      return m.account.failed;
  }
}

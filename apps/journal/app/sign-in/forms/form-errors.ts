import { type AuthErrorCode, CODE_TRIES, isAuthErrorCode } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';

/** Names an error: by a code of the server, `default` for an unknown one, or as found before the server is called. */
export type FormError =
  | AuthErrorCode
  | 'default'
  | 'CODE_LIMITED'
  | 'CODE_MISSING'
  | 'CODE_WRONG'
  | 'FACTOR_MISSING'
  | 'FACTOR_WRONG'
  | 'LINK_USED'
  | 'NAME_IS_EMAIL'
  | 'NAME_UNCLEAR'
  | 'NAME_TOO_LONG'
  | 'NEW_PASSWORD_MISSING'
  | 'PASSKEY_KNOWN'
  | 'PASSKEY_NOT_SHOWN'
  | 'PASSWORD_MISSING'
  | 'PASSWORD_WRONG'
  | 'TOO_MANY_CODES';

/** The fields are in their order on the page; `form` stands for the form as a whole. */
const FIELDS = ['name', 'email', 'code', 'password', 'ownPassword', 'passkey', 'form'] as const;

/** Maps fields to the errors that are shown beside them. */
export type FormErrors = Partial<Record<(typeof FIELDS)[number], FormError>>;

export function hasErrors(errors: FormErrors): boolean {
  return Object.keys(errors).length > 0;
}

/** Maps what a request sends to the error of the form when the server responds with a general code. */
const REJECTED = {
  email: { email: 'INVALID_EMAIL' },
  code: { code: 'CODE_WRONG' },
  link: { form: 'LINK_USED' },
} as const satisfies Record<string, FormErrors>;

/** The server responds with VALIDATION_FAILED when an email, a code or a token is too long. */
const GENERAL_CODES: readonly (string | undefined)[] = [
  'VERIFICATION_FAILED',
  'MAGIC_LINK_EXPIRED',
  'INVALID_EMAIL',
  'VALIDATION_FAILED',
];

/** Returns an error of the client as errors of the form. `sent` is left out for a sign-in with email and password. */
export function toFormErrors(error: unknown, sent?: keyof typeof REJECTED): FormErrors {
  const code = clientErrorCode(error);
  if (sent && GENERAL_CODES.includes(code)) return REJECTED[sent];
  if ((sent === 'link' || sent === 'code') && code === 'INVALID_CREDENTIALS')
    return { ownPassword: 'PASSWORD_WRONG' };
  if (sent === 'code' && code === 'RATE_LIMITED') return { code: 'CODE_LIMITED' };
  switch (code) {
    case 'INVALID_EMAIL':
    case 'EMAIL_ALREADY_EXISTS':
      return { email: code };
    case 'WEAK_PASSWORD':
      return { password: code };
    default:
      return { form: isAuthErrorCode(code) ? code : 'default' };
  }
}

/** Returns an error in the reader's language (docs/spec/product.md section 8), or undefined for none. */
export function formErrorText(error: FormError | undefined, m: Messages): string | undefined {
  const { authMail, factors, post, signIn } = m;
  switch (error) {
    case undefined:
      return undefined;
    case 'CODE_LIMITED':
      return authMail.code.tooMany;
    case 'CODE_MISSING':
      return authMail.code.missing;
    case 'CODE_WRONG':
      return authMail.code.wrong(CODE_TRIES);
    case 'FACTOR_MISSING':
      return factors.codeMissing;
    case 'FACTOR_WRONG':
      return factors.codeWrong;
    case 'LINK_USED':
      return authMail.link.used;
    case 'NAME_IS_EMAIL':
      return post.comments.nameIsEmail;
    case 'NAME_UNCLEAR':
      return post.comments.nameUnclear;
    case 'NAME_TOO_LONG':
      return signIn.nameTooLong;
    case 'NEW_PASSWORD_MISSING':
      return authMail.reset.passwordMissing;
    case 'PASSKEY_KNOWN':
      return factors.known;
    case 'PASSKEY_NOT_SHOWN':
      return factors.notShown;
    case 'PASSWORD_MISSING':
      return signIn.passwordMissing;
    case 'PASSWORD_WRONG':
      return authMail.verify.passwordWrong;
    case 'TOO_MANY_CODES':
      return factors.tooMany;
    default:
      return signIn.errors[error];
  }
}

/** Focuses the first field that has an error. */
export function focusFirstError(form: HTMLFormElement, errors: FormErrors): void {
  const name = FIELDS.find((field) => errors[field]);
  const field = name && form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/**
 * Returns the code of an error that a client threw, and undefined for any other error. The shape is checked instead of
 * the class: the built pages and the server, which makes the client of their actions, each hold a copy of the class.
 */
export function clientErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

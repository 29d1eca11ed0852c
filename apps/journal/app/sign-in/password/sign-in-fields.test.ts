import { AuthError, NetworkError } from '@fabrica/client';
import { describe, expect, it } from 'vitest';
import { messages } from '../../../messages/en/index.ts';
import { type FormErrors, formErrorText, toFormErrors } from '../forms/form-errors.ts';
import { checkSignInFields } from './sign-in-fields.ts';

const GOOD = { email: 'ada@example.org', password: 'a long enough passphrase', displayName: 'Ada' };

/** Returns the errors as the page shows them. */
function textsOf(errors: FormErrors): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name, formErrorText(error, messages)]),
  );
}

describe('the form before the server is called', () => {
  it('an email and a passphrase are accepted, with and without a name', () => {
    expect(checkSignInFields('sign-up', GOOD)).toEqual({});
    expect(checkSignInFields('sign-in', { ...GOOD, displayName: '' })).toEqual({});
  });

  it.each(['', 'ada', 'ada@', '@example.org', 'ada@example', 'a da@example.org'])(
    'the form asks for a valid email in place of "%s"',
    (email) => {
      expect(textsOf(checkSignInFields('sign-in', { ...GOOD, email }))).toEqual({
        email: 'Please enter a valid email address.',
      });
    },
  );

  it('the password of a new account has 10 to 200 characters, and an emoji counts as one', () => {
    const check = (password: string) => checkSignInFields('sign-up', { ...GOOD, password }).password;
    expect(check('123456789')).toBe('WEAK_PASSWORD');
    expect(check('1234567890')).toBeUndefined();
    expect(check('🫀'.repeat(9))).toBe('WEAK_PASSWORD');
    expect(check('x'.repeat(200))).toBeUndefined();
    expect(check('x'.repeat(201))).toBe('WEAK_PASSWORD');
  });

  it('an existing account may have a password of any length', () => {
    expect(checkSignInFields('sign-in', { ...GOOD, password: 'short' })).toEqual({});
  });
});

describe('an error of the server', () => {
  it.each([
    [new AuthError('EMAIL_ALREADY_EXISTS'), { email: 'An account with this email already exists.' }],
    [new AuthError('INVALID_EMAIL'), { email: 'Please enter a valid email address.' }],
    [new AuthError('WEAK_PASSWORD'), { password: messages.signIn.errors.WEAK_PASSWORD }],
    [new AuthError('INVALID_CREDENTIALS'), { form: 'Invalid email or password. Please try again.' }],
    [new NetworkError(), { form: 'Network error. Please check your connection and try again.' }],
    [
      new NetworkError({ code: 'RATE_LIMITED' }),
      { form: 'Too many attempts. Please wait a moment and try again.' },
    ],
    [new Error('anything else'), { form: 'Authentication error. Please try again.' }],
  ])('the text of an error is shown beside the field that it is about: %s', (error, texts) => {
    expect(textsOf(toFormErrors(error))).toEqual(texts);
  });
});

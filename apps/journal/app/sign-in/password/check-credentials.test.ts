import { AuthError, NetworkError } from '@fabrica/client';
import { describe, expect, it } from 'vitest';
import { messages } from '../../../messages/en/index.ts';
import { checkCredentials, complaintsOf } from './check-credentials.ts';

const GOOD = { email: 'ada@example.org', password: 'a long enough passphrase', displayName: 'Ada' };

describe('credentials, before the server is asked', () => {
  it('finds nothing wrong with an address and a passphrase', () => {
    expect(checkCredentials('sign-up', GOOD, messages)).toEqual({});
    expect(checkCredentials('sign-in', { ...GOOD, displayName: '' }, messages)).toEqual({});
  });

  it.each(['', 'ada', 'ada@', '@example.org', 'ada@example', 'a da@example.org'])(
    'asks for a valid address in place of "%s"',
    (email) => {
      expect(checkCredentials('sign-in', { ...GOOD, email }, messages)).toEqual({
        email: 'Please enter a valid email address.',
      });
    },
  );

  it('asks a new account for 10 to 200 characters, counted as a person counts them', () => {
    const complain = (password: string) =>
      checkCredentials('sign-up', { ...GOOD, password }, messages).password;
    expect(complain('123456789')).toBeDefined();
    expect(complain('1234567890')).toBeUndefined();
    expect(complain('🫀'.repeat(9))).toBeDefined();
    expect(complain('x'.repeat(200))).toBeUndefined();
    expect(complain('x'.repeat(201))).toBeDefined();
  });

  it('lets an old account in with whatever password it has', () => {
    expect(checkCredentials('sign-in', { ...GOOD, password: 'short' }, messages)).toEqual({});
  });
});

describe('what the server refuses', () => {
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
  ])('stands beside what it speaks of: %s', (error, complaints) => {
    expect(complaintsOf(error, messages)).toEqual(complaints);
  });
});

import { AuthError, NetworkError, ValidationError } from '@fabrica/client';
import { describe, expect, it } from 'vitest';
import { submitCode, submitEmail, submitLink } from './mail-form-state.ts';

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

/** Stands in for the server: records the calls, and rejects them if an error is given. */
function server(error?: Error) {
  const calls: unknown[][] = [];
  const call = async (...parameters: unknown[]) => {
    calls.push(parameters);
    if (error) throw error;
  };
  return { call, calls };
}

const NEW_PASSWORD = 'a long enough passphrase';

describe('requesting a mail', () => {
  it('the form asks for the code once the mail is sent', async () => {
    const { call, calls } = server();
    expect(await submitEmail(form({ intent: 'ask', email: ' ada@example.org ' }), call)).toMatchObject({
      step: 'sent',
      email: 'ada@example.org',
      again: false,
      errors: {},
    });
    expect(calls).toEqual([['ada@example.org']]);
  });

  it.each(['', 'ada', 'ada@example', 'a da@example.org'])(
    'no mail is requested for the invalid email "%s"',
    async (email) => {
      const { call, calls } = server();
      expect(await submitEmail(form({ intent: 'ask', email }), call)).toMatchObject({
        step: 'begin',
        email,
        errors: { email: 'INVALID_EMAIL' },
      });
      expect(calls).toEqual([]);
    },
  );

  it.each([
    ['ask', 'begin'],
    ['again', 'sent'],
  ])('a form whose request "%s" fails stays in the step "%s"', async (intent, step) => {
    const { call } = server(new NetworkError({ code: 'RATE_LIMITED' }));
    expect(await submitEmail(form({ intent, email: 'ada@example.org' }), call)).toMatchObject({
      step,
      email: 'ada@example.org',
      again: false,
      errors: { form: 'RATE_LIMITED' },
    });
  });

  it.each([new AuthError('INVALID_EMAIL'), new ValidationError('The address is too long.')])(
    'the form asks for another email after %s',
    async (error) => {
      const state = await submitEmail(form({ intent: 'ask', email: 'ada@example.org' }), server(error).call);
      expect(state).toMatchObject({ step: 'begin', errors: { email: 'INVALID_EMAIL' } });
    },
  );

  it('the form says when the mail was requested once more', async () => {
    const { call } = server();
    const state = await submitEmail(form({ intent: 'again', email: 'ada@example.org' }), call);
    expect(state).toMatchObject({ step: 'sent', again: true });
  });

  it('a file in place of the email is an invalid email', async () => {
    const { call } = server();
    const fields = new FormData();
    fields.set('email', new File(['ada@example.org'], 'email'));
    expect((await submitEmail(fields, call)).errors).toEqual({ email: 'INVALID_EMAIL' });
  });
});

describe('the code of a mail', () => {
  const typed = { intent: 'code', email: 'ada@example.org', code: '012 345' };

  it('the code is submitted with its email, and with the new password if the form has one', async () => {
    const { call, calls } = server();
    expect((await submitCode(form(typed), call)).step).toBe('done');
    expect((await submitCode(form({ ...typed, password: NEW_PASSWORD }), call)).step).toBe('done');
    const proof = { email: 'ada@example.org', code: '012345' };
    expect(calls).toEqual([
      [proof, ''],
      [proof, NEW_PASSWORD],
    ]);
  });

  it('all errors of a form with a code are shown at once, without a call that would cost a try', async () => {
    const { call, calls } = server();
    const state = await submitCode(form({ ...typed, code: '12', password: '' }), call);
    expect(state).toMatchObject({
      step: 'sent',
      email: 'ada@example.org',
      code: '12',
      errors: { code: 'CODE_MISSING', password: 'NEW_PASSWORD_MISSING' },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    [new AuthError('VERIFICATION_FAILED'), { code: 'CODE_WRONG' }],
    [new AuthError('MAGIC_LINK_EXPIRED'), { code: 'CODE_WRONG' }],
    [new AuthError('WEAK_PASSWORD'), { password: 'WEAK_PASSWORD' }],
    [new AuthError('USER_NOT_FOUND'), { form: 'USER_NOT_FOUND' }],
    [new NetworkError(), { form: 'NETWORK_ERROR' }],
    // The server's copy of the client throws errors of a class that the built pages do not know.
    [Object.assign(new Error('refused'), { code: 'VERIFICATION_FAILED' }), { code: 'CODE_WRONG' }],
    [new Error('anything else'), { form: 'default' }],
  ])('the code that was typed stays in the form after %s', async (error, errors) => {
    const state = await submitCode(form(typed), server(error).call);
    expect(state).toMatchObject({ step: 'sent', email: 'ada@example.org', code: '012 345', errors });
  });
});

describe('the link of a mail', () => {
  it.each(['123456789', 'x'.repeat(201), '🫀'.repeat(9)])(
    'the link of a mail is not used up by the weak password "%s"',
    async (password) => {
      const { call, calls } = server();
      expect((await submitLink(form({ password }), call)).errors).toEqual({ password: 'WEAK_PASSWORD' });
      expect(calls).toEqual([]);
    },
  );

  it.each([
    new AuthError('VERIFICATION_FAILED'),
    new AuthError('MAGIC_LINK_EXPIRED'),
    new ValidationError('The token is too long.'),
  ])('the link of a mail is shown as used or expired after %s', async (error) => {
    expect((await submitLink(form({}), server(error).call)).errors).toEqual({ form: 'LINK_USED' });
  });

  it('a link that works is submitted, with the new password if the form has one', async () => {
    const { call, calls } = server();
    expect((await submitLink(form({ password: NEW_PASSWORD }), call)).step).toBe('done');
    expect((await submitLink(form({}), call)).step).toBe('done');
    expect(calls.map(([password]) => password)).toEqual([NEW_PASSWORD, '']);
  });
});

import { AuthError, NetworkError, ValidationError } from '@fabrica/client';
import { describe, expect, it } from 'vitest';
import { askForMail, spendLink, spendTypedCode } from './mail-form-state.ts';

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

/** A step of the server that is recorded, and refused when there is something to refuse it with. */
function server(refusal?: Error) {
  const calls: unknown[][] = [];
  const act = async (...call: unknown[]) => {
    calls.push(call);
    if (refusal) throw refusal;
  };
  return { act, calls };
}

const NEW_PASSWORD = 'a long enough passphrase';

describe('asking for a mail', () => {
  it('goes on to the code once it is sent', async () => {
    const { act, calls } = server();
    expect(await askForMail(form({ intent: 'ask', email: ' ada@example.org ' }), act)).toMatchObject({
      step: 'sent',
      email: 'ada@example.org',
      again: false,
      faults: {},
    });
    expect(calls).toEqual([['ada@example.org']]);
  });

  it.each(['', 'ada', 'ada@example', 'a da@example.org'])('asks nobody with "%s"', async (email) => {
    const { act, calls } = server();
    expect(await askForMail(form({ intent: 'ask', email }), act)).toMatchObject({
      step: 'begin',
      email,
      faults: { email: 'INVALID_EMAIL' },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ['ask', 'begin'],
    ['again', 'sent'],
  ])('stays where it was when "%s" fails', async (intent, step) => {
    const { act } = server(new NetworkError({ code: 'RATE_LIMITED' }));
    expect(await askForMail(form({ intent, email: 'ada@example.org' }), act)).toMatchObject({
      step,
      email: 'ada@example.org',
      again: false,
      faults: { form: 'RATE_LIMITED' },
    });
  });

  it.each([new AuthError('INVALID_EMAIL'), new ValidationError('The address is too long.')])(
    'asks for another address after %s',
    async (refusal) => {
      const state = await askForMail(form({ intent: 'ask', email: 'ada@example.org' }), server(refusal).act);
      expect(state).toMatchObject({ step: 'begin', faults: { email: 'INVALID_EMAIL' } });
    },
  );

  it('says when it was asked for once more', async () => {
    const { act } = server();
    const state = await askForMail(form({ intent: 'again', email: 'ada@example.org' }), act);
    expect(state).toMatchObject({ step: 'sent', again: true });
  });

  it('needs a field for the address, whatever else was sent', async () => {
    const { act } = server();
    const fields = new FormData();
    fields.set('email', new File(['ada@example.org'], 'email'));
    expect((await askForMail(fields, act)).faults).toEqual({ email: 'INVALID_EMAIL' });
  });
});

describe('the code of a mail', () => {
  const typed = { intent: 'code', email: 'ada@example.org', code: '012 345' };

  it('is spent with its address, and with the new password where there is one', async () => {
    const { act, calls } = server();
    expect((await spendTypedCode(form(typed), act)).step).toBe('done');
    expect((await spendTypedCode(form({ ...typed, password: NEW_PASSWORD }), act)).step).toBe('done');
    const proof = { email: 'ada@example.org', code: '012345' };
    expect(calls).toEqual([
      [proof, ''],
      [proof, NEW_PASSWORD],
    ]);
  });

  it('tells all that is wrong at once, and costs no try then', async () => {
    const { act, calls } = server();
    const state = await spendTypedCode(form({ ...typed, code: '12', password: '' }), act);
    expect(state).toMatchObject({
      step: 'sent',
      email: 'ada@example.org',
      code: '12',
      faults: { code: 'CODE_MISSING', password: 'PASSWORD_MISSING' },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    [new AuthError('VERIFICATION_FAILED'), { code: 'CODE_WRONG' }],
    [new AuthError('MAGIC_LINK_EXPIRED'), { code: 'CODE_WRONG' }],
    [new AuthError('WEAK_PASSWORD'), { password: 'WEAK_PASSWORD' }],
    [new AuthError('USER_NOT_FOUND'), { form: 'USER_NOT_FOUND' }],
    [new NetworkError(), { form: 'NETWORK_ERROR' }],
    // As the server's copy of the client throws it: of a class that the built pages do not know.
    [Object.assign(new Error('refused'), { code: 'VERIFICATION_FAILED' }), { code: 'CODE_WRONG' }],
    [new Error('anything else'), { form: 'default' }],
  ])('stands there to be mended after %s', async (refusal, faults) => {
    const state = await spendTypedCode(form(typed), server(refusal).act);
    expect(state).toMatchObject({ step: 'sent', email: 'ada@example.org', code: '012 345', faults });
  });
});

describe('the link of a mail', () => {
  it.each(['123456789', 'x'.repeat(201), '🫀'.repeat(9)])(
    'is kept for a better password than "%s"',
    async (password) => {
      const { act, calls } = server();
      expect((await spendLink(form({ password }), act)).faults).toEqual({ password: 'WEAK_PASSWORD' });
      expect(calls).toEqual([]);
    },
  );

  it.each([
    new AuthError('VERIFICATION_FAILED'),
    new AuthError('MAGIC_LINK_EXPIRED'),
    new ValidationError('The token is too long.'),
  ])('is said to be used, or too old, after %s', async (refusal) => {
    expect((await spendLink(form({}), server(refusal).act)).faults).toEqual({ form: 'LINK_USED' });
  });

  it('does its work once it is spent', async () => {
    const { act, calls } = server();
    expect((await spendLink(form({ password: NEW_PASSWORD }), act)).step).toBe('done');
    expect((await spendLink(form({}), act)).step).toBe('done');
    expect(calls).toEqual([[NEW_PASSWORD], ['']]);
  });
});

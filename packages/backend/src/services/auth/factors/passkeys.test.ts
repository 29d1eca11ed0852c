import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  addApp,
  addTestPasskey,
  takeStep,
  ticketOf,
} from '@fabrica/backend/testing/auth/build-test-factors.ts';
import {
  buildTestPasskey,
  type PasskeyFault,
  type TestPasskey,
} from '@fabrica/backend/testing/auth/build-test-passkey.ts';
import {
  noticesTo,
  PASSWORD,
  personOf,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authReader, authWriter, updateUser } from '../queries.ts';

const MINUTE = 60_000;
const projectId = 'journal';
const proof = { password: PASSWORD };

describe('passkeys', () => {
  let test: TestAuth;
  let ada: TestPerson;
  let passkey: TestPasskey;
  let people = 0;
  beforeAll(async () => {
    test = await buildTestAuth();
  });
  beforeEach(async () => {
    people += 1;
    ada = await signUpPerson(test, `ada-${people}@example.org`);
    ({ passkey } = await addTestPasskey(ada));
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => test.close());

  const ask = async (id = projectId) =>
    (await test.call('GET', `/api/auth/signin/passkey/options?projectId=${id}`)).body;
  const signIn = (credential: unknown, id = projectId) =>
    test.call('POST', '/api/auth/signin/passkey', { body: { projectId: id, credential } });
  const refused = (response: { status: number; body: { code: string } }) =>
    expect({ status: response.status, code: response.body.code }).toEqual({
      status: 401,
      code: 'SECOND_FACTOR_FAILED',
    });
  const stored = () =>
    authReader(test.database)
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', ada.id)
      .execute();

  it('a passkey alone signs in, as both steps at once', async () => {
    const asked = await ask();
    expect(asked.options).toMatchObject({ rpId: 'journal.example', userVerification: 'required' });
    expect(asked.options.allowCredentials).toEqual([]);
    const { status, body } = await signIn(passkey.get(asked));
    expect(status).toBe(200);
    const { sessions } = (await personOf(test, body).call('GET', '/api/auth/sessions')).body;
    expect(sessions.find(({ current }: { current: boolean }) => current).method).toBe('passkey');
    expect((await stored())[0]?.last_used_at).not.toBeNull();
  });

  it('the options to make one name the account and its passkeys, and ask for one that is found and unlocked by itself', async () => {
    const { body } = await ada.call('POST', '/api/auth/factors/passkeys/begin', {
      proof: { passkey: passkey.get((await ada.call('POST', '/api/auth/factors/proof-options')).body) },
    });
    expect(body.options).toMatchObject({
      rp: { id: 'journal.example' },
      user: { id: Buffer.from(ada.id).toString('base64url'), name: ada.email },
      excludeCredentials: [{ id: passkey.id }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it('a passkey is the second step of a sign-in with a password', async () => {
    const asked = await signInWith(test, ada.email);
    expect(asked.body.details.methods).toEqual(['passkey', 'recovery-code']);
    const ticket = ticketOf(asked);
    const { body } = await test.call('POST', '/api/auth/signin/second-step/options', { body: { ticket } });
    expect(body.options.allowCredentials).toMatchObject([{ id: passkey.id }]);
    const done = await takeStep(test, ticket, { credential: passkey.get(body) });
    expect(done.status).toBe(200);
    expect(done.body.user.id).toBe(ada.id);
  });

  const FAULTS: [string, PasskeyFault][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a host below this one', { origin: 'https://a.journal.example' }],
    ['of another port', { origin: 'https://journal.example:8443' }],
    ['over plain HTTP', { origin: 'http://journal.example' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['for another site', { rpId: 'evil.example' }],
    ['that was made for registration', { type: 'webauthn.create' }],
    ['with a challenge of nobody', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['with an empty challenge', { challenge: '' }],
    ['that its owner has not unlocked', { verified: false }],
    ['that its owner has not touched', { present: false, verified: false }],
    ['whose signature is of something else', { forged: true }],
    ['that nobody knows', { credentialId: Buffer.alloc(32).toString('base64url') }],
    ['that names another account', { userHandle: Buffer.from('user_other').toString('base64url') }],
    ['whose counter went back', { counter: 1 }],
  ];

  it.each(FAULTS)('a response of a passkey %s signs nobody in', async (_, fault) => {
    refused(await signIn(passkey.get(await ask(), fault)));
    expect((await signIn(passkey.get(await ask(), { counter: 50 }))).status).toBe(200);
  });

  it.each(FAULTS)('a response of a passkey %s takes no second step', async (_, fault) => {
    const ticket = ticketOf(await signInWith(test, ada.email));
    const { body } = await test.call('POST', '/api/auth/signin/second-step/options', { body: { ticket } });
    refused(await takeStep(test, ticket, { credential: passkey.get(body, fault) }));
  });

  it('a response with any faults, generated together, signs nobody in', async () => {
    const faults = fc
      .uniqueArray(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 5 })
      .map((some) => Object.assign({}, ...some.map(([, fault]) => fault)) as PasskeyFault);
    for (const fault of fc.sample(faults, { numRuns: 200, seed: 20_261 }))
      refused(await signIn(passkey.get(await ask(), fault)));
    for (const data of ['null', '[]', '""', '{', '{"crossOrigin":{}}', '{"crossOrigin":"false"}']) {
      const credential = passkey.get(await ask());
      const clientDataJSON = Buffer.from(data).toString('base64url');
      refused(await signIn({ ...credential, response: { ...credential.response, clientDataJSON } }));
    }
    expect((await signIn(passkey.get(await ask(), { counter: 1_000 }))).status).toBe(200);
  });

  it('a response is good once, also at the same moment and from a passkey that does not count', async () => {
    const bela = await signUpPerson(test, `bela-${people}@example.org`);
    const silent = (await addTestPasskey(bela, { counts: false })).passkey;
    for (const key of [passkey, silent]) {
      const credential = key.get(await ask());
      const all = await Promise.all(Array.from({ length: 8 }, () => signIn(credential)));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      refused(await signIn(credential));
    }
  });

  it('a counter that was seen before is a copy of the passkey, also at the same moment', async () => {
    const [one, other] = [await ask(), await ask()];
    const both = await Promise.all([
      signIn(passkey.get(one, { counter: 9 })),
      signIn(passkey.get(other, { counter: 9 })),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('a challenge is good for ten minutes', async () => {
    const asked = await ask();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * MINUTE + 1 });
    refused(await signIn(passkey.get(asked)));
  });

  it('a challenge is good for its purpose, its account and its project alone', async () => {
    const bela = await signUpPerson(test, `bela-${people}@example.org`);
    const other = (await addTestPasskey(bela)).passkey;
    const ticket = ticketOf(await signInWith(test, ada.email));
    const belasTicket = ticketOf(await signInWith(test, bela.email));
    const step = { ticket };
    const forStep = (await test.call('POST', '/api/auth/signin/second-step/options', { body: step })).body;
    const forProof = (await ada.call('POST', '/api/auth/factors/proof-options')).body;
    refused(await signIn(passkey.get(forStep)));
    refused(await signIn(passkey.get(forProof)));
    refused(await signIn(passkey.get(await ask('other'))));
    refused(await takeStep(test, ticket, { credential: passkey.get(await ask()) }));
    refused(await takeStep(test, ticket, { credential: passkey.get(forProof) }));
    refused(await takeStep(test, belasTicket, { credential: other.get(forStep) }));
    refused(await takeStep(test, ticket, { credential: other.get(forStep) }));
    refused(await signIn(passkey.get(await ask('other')), 'other'));
  });

  it('a removed passkey signs nobody in, and the owner is told of both', async () => {
    const [row] = await stored();
    const removal = await ada.call('DELETE', `/api/auth/factors/${row?.id}`, {
      proof: { passkey: passkey.get((await ada.call('POST', '/api/auth/factors/proof-options')).body) },
    });
    expect(removal.body).toEqual({ success: true });
    refused(await signIn(passkey.get(await ask())));
    expect((await signInWith(test, ada.email)).status).toBe(200);
    expect(noticesTo(test, ada.email)).toEqual(['factor-added', 'factor-removed', 'new-device']);
    const { body } = await ada.call('GET', '/api/auth/factors');
    expect(body).toEqual({
      factors: [],
      recoveryCodesLeft: 0,
      required: false,
      proofs: ['password', 'code'],
      hasPassword: true,
    });
  });

  it('a disabled account is not signed in to with its passkey', async () => {
    await updateUser(authWriter(test.database), ada.id, { disabled_at: Date.now() });
    expect((await signIn(passkey.get(await ask()))).body.code).toBe('USER_NOT_FOUND');
  });

  describe('adding one', () => {
    const begin = async (person: TestPerson, given: object = proof) =>
      person.call('POST', '/api/auth/factors/passkeys/begin', { proof: given });
    const add = (person: TestPerson, credential: unknown, name?: string) =>
      person.call('POST', '/api/auth/factors/passkeys', { credential, ...(name !== undefined && { name }) });

    it.each([
      ['of another origin', { origin: 'https://evil.example' }],
      ['in a frame of another site', { crossOrigin: true }],
      ['for another site', { rpId: 'evil.example' }],
      ['that its owner has not unlocked', { verified: false }],
      ['with a challenge of nobody', { challenge: Buffer.alloc(54).toString('base64url') }],
      ['of a sign-in', { type: 'webauthn.get' }],
    ])('a new passkey %s is refused', async (_, fault) => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      refused(await add(bela, buildTestPasskey().create((await begin(bela)).body, fault)));
      expect((await bela.call('GET', '/api/auth/factors')).body.factors).toEqual([]);
    });

    it('a passkey is made for the account that asked, once', async () => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      const key = buildTestPasskey();
      const credential = key.create((await begin(bela)).body);
      refused(await add(ada, credential));
      const clara = await signUpPerson(test, `clara-${people}@example.org`);
      const good = key.create((await begin(clara)).body);
      expect((await add(clara, good)).status).toBe(200);
      refused(await add(clara, good));
    });

    it('a passkey of another account cannot be added again', async () => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      refused(await add(bela, passkey.create((await begin(bela)).body)));
    });

    it('a passkey needs a proof, and a name that can be shown', async () => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      const missing = await bela.call('POST', '/api/auth/factors/passkeys/begin', {});
      expect(missing.body).toMatchObject({
        code: 'INVALID_CREDENTIALS',
        details: { proofs: ['password', 'code'] },
      });
      expect((await begin(bela, { password: 'a wrong one' })).status).toBe(401);
      const { body } = await begin(bela);
      for (const name of ['', ' ', 'a\nb', '\u202eback', 'x'.repeat(101)]) {
        expect((await add(bela, buildTestPasskey().create(body), name)).status).toBe(400);
      }
    });

    it('an account has ten passkeys at most', async () => {
      for (let count = 1; count < 10; count += 1) {
        const shown = passkey.get((await ada.call('POST', '/api/auth/factors/proof-options')).body);
        await addTestPasskey(ada, { proof: { passkey: shown } });
      }
      const shown = passkey.get((await ada.call('POST', '/api/auth/factors/proof-options')).body);
      const begun = await begin(ada, { passkey: shown });
      expect((await add(ada, buildTestPasskey().create(begun.body))).status).toBe(409);
    });
  });

  describe('proofs of an account with a factor', () => {
    /** Every call that asks for one. */
    const calls = [
      ['POST', '/factors/passkeys/begin', 200],
      ['POST', '/factors/totp/begin', 200],
      ['POST', '/factors/recovery-codes', 200],
      ['DELETE', '/factors/of-nobody', 404],
    ] as const;

    it.each(calls)(
      '%s %s takes the factor, and neither the password nor a mailed code nor a fresh sign-in',
      async (method, path, expected) => {
        const send = (given?: object) => ada.call(method, `/api/auth${path}`, given ? { proof: given } : {});
        for (const given of [
          undefined,
          proof,
          { code: '123456' },
          { factor: '000000' },
          { factor: 'AAAAA-AAAAA' },
        ]) {
          const { status, body } = await send(given);
          expect({ status, ...body }).toMatchObject({
            status: 401,
            code: 'INVALID_CREDENTIALS',
            details: { proofs: ['passkey', 'factor'] },
          });
        }
        const shown = passkey.get((await ada.call('POST', '/api/auth/factors/proof-options')).body);
        expect((await send({ passkey: shown })).status).toBe(expected);
        expect((await send({ passkey: shown })).status).toBe(401);
      },
    );

    it('the password is changed with the old one, as the contract has it', async () => {
      const body = { oldPassword: PASSWORD, newPassword: 'Hearts beat 70 times' };
      expect((await ada.call('POST', '/api/auth/password/change', body)).status).toBe(200);
    });

    it('another account’s factor is neither seen, renamed nor removed', async () => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      const [row] = await stored();
      const path = `/api/auth/factors/${row?.id}`;
      expect((await bela.call('GET', '/api/auth/factors')).body.factors).toEqual([]);
      expect((await bela.call('PATCH', path, { name: 'Mine' })).status).toBe(404);
      expect((await bela.call('DELETE', path, { proof })).status).toBe(404);
      expect(await stored()).toHaveLength(1);
      expect((await ada.call('PATCH', path, { name: '  My phone ' })).body.factor.name).toBe('My phone');
    });

    it.each([
      ['GET', '/factors'],
      ['POST', '/factors/proof-options'],
      ['POST', '/factors/passkeys/begin'],
      ['POST', '/factors/totp/begin'],
      ['POST', '/factors/recovery-codes'],
      ['PATCH', '/factors/any'],
      ['DELETE', '/factors/any'],
    ])('%s %s is for signed-in callers', async (method, path) => {
      const response = await test.call(method, `/api/auth${path}`, method === 'GET' ? {} : { body: {} });
      expect(response.status).toBe(401);
    });
  });

  it('a new authenticator app replaces the earlier one', async () => {
    const bela = await signUpPerson(test, `bela-${people}@example.org`);
    const { recoveryCodes } = await addApp(bela);
    const given = { proof: { factor: recoveryCodes[0] } };
    const { setUp, secret } = (await bela.call('POST', '/api/auth/factors/totp/begin', given)).body;
    const added = await bela.call('POST', '/api/auth/factors/totp', { setUp, code: codeNow(secret) });
    expect(added.body.recoveryCodes).toBeUndefined();
    const { factors } = (await bela.call('GET', '/api/auth/factors')).body;
    expect(factors.map(({ id }: { id: string }) => id)).toEqual([added.body.factor.id]);
    expect(
      (await ada.call('POST', '/api/auth/factors/totp', { setUp, code: codeNow(secret) })).body.code,
    ).toBe('TOKEN_EXPIRED');
  });
});

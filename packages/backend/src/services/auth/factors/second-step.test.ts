import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  addApp,
  addTestPasskey,
  type TestApp,
  takeStep,
  ticketOf,
} from '@fabrica/backend/testing/auth/build-test-factors.ts';
import {
  mailTo,
  noticesTo,
  personOf,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeRole } from '../accounts/people.ts';
import { listEvents } from '../audit.ts';
import { authReader, authWriter, updateUser } from '../queries.ts';
import { signIn } from '../sessions/sign-in.ts';

const MINUTE = 60_000;
const STEP = 30_000;
const projectId = 'journal';

/** Stops the clock in the middle of a time step, so that no code runs out while a test is on its way. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / STEP) * STEP + STEP / 2 });
}

describe('the second step of a sign-in', () => {
  let test: TestAuth;
  let ada: TestPerson;
  let app: TestApp;
  let people = 0;
  beforeAll(async () => {
    test = await buildTestAuth();
  });
  beforeEach(async () => {
    stopClock();
    people += 1;
    ada = await signUpPerson(test, `ada-${people}@example.org`);
    app = await addApp(ada);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => test.close());

  const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const askedBy = async (email = ada.email) => ticketOf(await signInWith(test, email));
  const eventsOf = async (userId: string) =>
    (await listEvents(authReader(test.database), { userId, limit: 50 })).map(({ event }) => event).reverse();
  const sessionsOf = (userId: string) =>
    authReader(test.database).selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();

  /** Every way to sign in but a passkey: each has to end with a ticket. */
  const ways: [string, () => Promise<{ status: number; body: Record<string, unknown> }>][] = [
    ['a password', () => signInWith(test, ada.email)],
    [
      'the link of a mail',
      async () => {
        await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: ada.email } });
        const { token } = mailTo(test, ada.email, 'magic-link');
        return test.call('POST', '/api/auth/signin/magic/verify', { body: { projectId, token } });
      },
    ],
    [
      'the code of a mail',
      async () => {
        await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: ada.email } });
        const { code } = mailTo(test, ada.email, 'magic-link');
        const body = { projectId, email: ada.email, code };
        return test.call('POST', '/api/auth/signin/magic/verify', { body });
      },
    ],
    [
      'a password that was just reset by mail',
      async () => {
        const password = 'Hearts beat 70 times';
        await test.call('POST', '/api/auth/password/reset', { body: { projectId, email: ada.email } });
        const { token } = mailTo(test, ada.email, 'reset-password');
        const body = { projectId, token, password };
        expect((await test.call('POST', '/api/auth/password/reset/confirm', { body })).status).toBe(200);
        return signInWith(test, ada.email, password);
      },
    ],
  ];

  it.each(ways)('an account with a factor gets no session by %s, but a ticket', async (_, signInBy) => {
    await authWriter(test.database)
      .updateTable('users')
      .set({ email_verified: 1 })
      .where('id', '=', ada.id)
      .execute();
    const before = (await sessionsOf(ada.id)).length;
    const { status, body } = await signInBy();
    expect(status).toBe(401);
    expect(Object.keys(body).sort()).toEqual(['code', 'details', 'error']);
    expect(body).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
      error: 'This account asks for a second factor. Please sign in at https://journal.example/auth.',
      details: { expiresIn: 600, methods: ['totp', 'recovery-code'], setUp: false },
    });
    expect((await sessionsOf(ada.id)).length).toBeLessThanOrEqual(before);
    const { ticket } = body.details as { ticket: string };
    const done = await takeStep(test, ticket, { code: codeNow(app.secret) });
    expect(done.status).toBe(200);
    expect((await personOf(test, done.body).call('GET', '/api/auth/me')).body.user.id).toBe(ada.id);
    expect((await sessionsOf(ada.id)).find(({ second_step }) => second_step === 'totp')).toBeDefined();
  });

  it('a sign-in at a provider gets no session either, as all of them end in one function', async () => {
    const project = test.projects.get('journal');
    if (!project) throw new Error('There is a journal.');
    const context = { keys: test.keys, settings: test.settings };
    const info = { method: 'provider:museum', ip: null, device: null } as const;
    const outcome = await signIn(context, project, { userId: ada.id, ...info });
    expect(outcome).toMatchObject({ details: { setUp: false } });
    expect(outcome).not.toHaveProperty('refreshToken');
  });

  it('a session that is handed to an app has taken the step that the owner’s own session has taken', async () => {
    const id = `app-session-${people}-0123456789`;
    await ada.call('POST', `/api/auth/mobile-session/${id}`);
    const taken = await test.call('GET', `/api/auth/mobile-session/${id}`);
    expect(taken.status).toBe(200);
    const handed = (await sessionsOf(ada.id)).find(({ method }) => method === 'hand-over');
    expect(handed?.second_step).toBe('totp');
  });

  it('the first factor ends the sessions, links and hand-overs of before, and leaves the owner’s own session', async () => {
    const bela = await signUpPerson(test, `bela-${people}@example.org`);
    const elsewhere = personOf(test, (await signInWith(test, bela.email)).body);
    const id = `app-session-bela-${people}-0123456789`;
    await elsewhere.call('POST', `/api/auth/mobile-session/${id}`);
    await addApp(bela);
    expect((await elsewhere.call('GET', '/api/auth/me')).status).toBe(401);
    const refresh = { refresh_token: elsewhere.refreshToken };
    expect((await test.call('POST', '/api/auth/refresh', { body: refresh })).status).toBe(401);
    expect(await test.auth.resumeSession(elsewhere.refreshToken)).toBeUndefined();
    expect((await test.call('GET', `/api/auth/mobile-session/${id}`)).status).toBe(202);
    expect((await bela.call('GET', '/api/auth/me')).status).toBe(200);
    const own = await test.call('POST', '/api/auth/refresh', { body: { refresh_token: bela.refreshToken } });
    expect(own.status).toBe(200);
  });

  describe('attacks', () => {
    it('a code is good once, also with another ticket and at the same moment', async () => {
      const code = codeNow(app.secret);
      const tickets = await Promise.all(Array.from({ length: 8 }, () => askedBy()));
      const all = await Promise.all(tickets.map((ticket) => takeStep(test, ticket, { code })));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      const late = await takeStep(test, await askedBy(), { code });
      expect(late.body).toMatchObject({ code: 'SECOND_FACTOR_FAILED' });
    });

    it('a code of an earlier step is refused once a later one was used', async () => {
      expect((await takeStep(test, await askedBy(), { code: codeNow(app.secret) })).status).toBe(200);
      const earlier = await takeStep(test, await askedBy(), { code: codeNow(app.secret, -1) });
      expect(earlier.status).toBe(401);
    });

    it('a ticket ends with its sign-in', async () => {
      const ticket = await askedBy();
      await takeStep(test, ticket, { code: codeNow(app.secret) });
      const again = await takeStep(test, ticket, { code: codeNow(app.secret, 1) });
      expect(again.body.code).toBe('TOKEN_EXPIRED');
    });

    it('of two right codes for one ticket at once, one opens a session', async () => {
      const ticket = await askedBy();
      const before = (await sessionsOf(ada.id)).length;
      const both = await Promise.all([
        takeStep(test, ticket, { code: codeNow(app.secret) }),
        takeStep(test, ticket, { code: app.recoveryCodes[0] }),
      ]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await sessionsOf(ada.id)).toHaveLength(before + 1);
    });

    it.each([
      ['a ticket that nobody made', 'journal.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['a ticket of no project', 'nowhere.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
      ['a word', 'ticket'],
      ['a refresh token', () => ada.refreshToken],
    ])('%s takes no step', async (_, given) => {
      const ticket = typeof given === 'string' ? given : given();
      const { status, body } = await takeStep(test, ticket, { code: codeNow(app.secret) });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'TOKEN_EXPIRED' });
      const options = await test.call('POST', '/api/auth/signin/second-step/options', { body: { ticket } });
      expect(options.body.code).toBe('TOKEN_EXPIRED');
    });

    it('a ticket is no access token, no refresh token and no other one-time token', async () => {
      const ticket = await askedBy();
      const headers = { authorization: `Bearer ${ticket}` };
      expect((await test.call('GET', '/api/auth/me', { headers })).status).toBe(401);
      const refresh = { refresh_token: ticket };
      expect((await test.call('POST', '/api/auth/refresh', { body: refresh })).status).toBe(401);
      for (const path of ['signin/magic/verify', 'email/verify']) {
        const body = { projectId, token: ticket };
        expect((await test.call('POST', `/api/auth/${path}`, { body })).status).toBe(400);
      }
      expect((await test.call('POST', '/api/auth/complete', { body: { code: ticket } })).status).toBe(400);
      expect((await takeStep(test, ticket, { code: codeNow(app.secret) })).status).toBe(200);
    });

    it.each([
      ['six zeros', { code: '000000' }],
      ['five digits', { code: '12345' }],
      ['letters of no recovery code', { code: 'AAAAA-AAAAA' }],
      ['a wide wrong number', { code: '９９９９９９' }],
      ['an injection', { code: "' or 1=1 --" }],
    ])('%s takes no step and is noted', async (_, proof) => {
      const { status, body } = await takeStep(test, await askedBy(), proof);
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'SECOND_FACTOR_FAILED' });
      expect(await eventsOf(ada.id)).toContain('second-step-failed');
    });

    it.each([
      ['nothing', {}],
      ['both', { code: '123456', credential: { id: 'x', rawId: 'x', type: 'public-key', response: {} } }],
      ['an empty code', { code: '  ' }],
      ['a number', { code: 123_456 }],
      ['a list', { code: ['123456'] }],
      ['a code of a kilobyte', { code: '1'.repeat(1_000) }],
    ])('%s instead of a proof is 400', async (_, proof) => {
      expect((await takeStep(test, await askedBy(), proof)).status).toBe(400);
    });

    it('a ticket has five tries, also when all are made at once', async () => {
      const ticket = await askedBy();
      const guesses = Array.from({ length: 20 }, () => takeStep(test, ticket, { code: '000000' }));
      const codes = (await Promise.all(guesses)).map(({ body }) => body.code);
      expect(codes.filter((code) => code === 'SECOND_FACTOR_FAILED')).toHaveLength(5);
      expect(codes.filter((code) => code === 'TOKEN_EXPIRED')).toHaveLength(15);
      expect((await takeStep(test, ticket, { code: codeNow(app.secret) })).status).toBe(401);
    });

    it('a ticket is good for ten minutes', async () => {
      const ticket = await askedBy();
      wait(10 * MINUTE + 1);
      const { body } = await takeStep(test, ticket, { code: codeNow(app.secret) });
      expect(body.code).toBe('TOKEN_EXPIRED');
    });

    it.each([
      ['a new password', (person: TestPerson) => resetPassword(person)],
      [
        'a sign-out everywhere',
        (person: TestPerson) =>
          person.call('DELETE', '/api/auth/sessions', { proof: { factor: app.recoveryCodes[0] } }),
      ],
    ])('%s ends the tickets of before', async (_, act) => {
      const ticket = await askedBy();
      await act(ada);
      expect((await takeStep(test, ticket, { code: codeNow(app.secret) })).body.code).toBe('TOKEN_EXPIRED');
    });

    async function resetPassword({ email }: TestPerson) {
      await test.call('POST', '/api/auth/password/reset', { body: { projectId, email } });
      const { token } = mailTo(test, email, 'reset-password');
      const body = { projectId, token, password: 'Hearts beat 70 times' };
      await test.call('POST', '/api/auth/password/reset/confirm', { body });
    }

    it('another account’s code and recovery code take no step', async () => {
      const bela = await signUpPerson(test, `bela-${people}@example.org`);
      const other = await addApp(bela);
      for (const code of [codeNow(other.secret), other.recoveryCodes[0]]) {
        expect((await takeStep(test, await askedBy(), { code })).body.code).toBe('SECOND_FACTOR_FAILED');
      }
    });
  });

  describe('recovery codes', () => {
    it('there are ten, each is good once, however it is typed, and the owner is told', async () => {
      expect(new Set(app.recoveryCodes).size).toBe(10);
      const [first = '', second = ''] = app.recoveryCodes;
      expect(first).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
      expect((await takeStep(test, await askedBy(), { code: first })).status).toBe(200);
      expect((await takeStep(test, await askedBy(), { code: first })).status).toBe(401);
      const typed = ` ${second.toLowerCase().replace('-', ' – ').replaceAll('o', '0')} `;
      const done = await takeStep(test, await askedBy(), { code: typed });
      expect(done.status).toBe(200);
      const list = await personOf(test, done.body).call('GET', '/api/auth/factors');
      expect(list.body.recoveryCodesLeft).toBe(8);
      const notices = noticesTo(test, ada.email).filter((kind) => kind !== 'new-device');
      expect(notices).toEqual(['factor-added', 'recovery-code-used', 'recovery-code-used']);
    });

    it('of one recovery code at the same moment, one opens a session', async () => {
      const tickets = await Promise.all(Array.from({ length: 8 }, () => askedBy()));
      const [code] = app.recoveryCodes;
      const all = await Promise.all(tickets.map((ticket) => takeStep(test, ticket, { code })));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it('new ones replace the earlier ones', async () => {
      const [earlier] = app.recoveryCodes;
      const made = await ada.call('POST', '/api/auth/factors/recovery-codes', {
        proof: { factor: codeNow(app.secret) },
      });
      expect(made.body.recoveryCodes).toHaveLength(10);
      expect((await takeStep(test, await askedBy(), { code: earlier })).status).toBe(401);
      const [code] = made.body.recoveryCodes;
      expect((await takeStep(test, await askedBy(), { code })).status).toBe(200);
      expect(noticesTo(test, ada.email)).toContain('recovery-codes-made');
    });

    it('no secret, no code and no challenge is stored in the clear', async () => {
      await addTestPasskey(ada, { proof: { factor: codeNow(app.secret) } });
      const ticket = await askedBy();
      const reader = authReader(test.database);
      const rows = await Promise.all([
        reader.selectFrom('second_factors').selectAll().execute(),
        reader.selectFrom('recovery_codes').selectAll().execute(),
        reader.selectFrom('one_time_tokens').selectAll().execute(),
        reader.selectFrom('audit_log').selectAll().execute(),
      ]);
      const stored = JSON.stringify(rows);
      for (const secret of [app.secret, ticket, ...app.recoveryCodes]) {
        expect(stored).not.toContain(secret);
        expect(stored).not.toContain(secret.replace('-', ''));
      }
    });
  });

  it('an account that is disabled in between takes no step', async () => {
    const ticket = await askedBy();
    await updateUser(authWriter(test.database), ada.id, { disabled_at: Date.now() });
    expect((await takeStep(test, ticket, { code: codeNow(app.secret) })).body.code).toBe('TOKEN_EXPIRED');
  });
});

describe('guesses', () => {
  it('an account takes so many codes in a day, from all networks together, and tells its owner', async () => {
    stopClock();
    const test = await buildTestAuth({ rateLimit: true, settings: { secondFactorTries: 8 } });
    try {
      const ada = await signUpPerson(test);
      const app = await addApp(ada);
      let network = 0;
      const guess = async (proof: object) => {
        network += 1;
        const ip = `198.51.100.${network}`;
        const body = { projectId, email: ada.email, password: 'Lungs draw 12 breaths' };
        const asked = await test.call('POST', '/api/auth/signin/email', { body, ip });
        return takeStep(test, ticketOf(asked), proof, ip);
      };
      for (let tries = 0; tries < 8; tries += 1) {
        expect((await guess({ code: '000000' })).body.code).toBe('SECOND_FACTOR_FAILED');
      }
      const late = await guess({ code: codeNow(app.secret) });
      expect(late.status).toBe(429);
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(80_000);
      expect(noticesTo(test, ada.email)).toContain('codes-guessed');
      // The owner is not locked out: a recovery code goes on working.
      expect((await guess({ code: app.recoveryCodes[0] })).status).toBe(200);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * MINUTE + 1 });
      expect((await guess({ code: codeNow(app.secret) })).status).toBe(200);
    } finally {
      vi.useRealTimers();
      await test.close();
    }
  });
});

describe('roles that have to have a second factor', () => {
  let test: TestAuth;
  beforeAll(async () => {
    test = await buildTestAuth({ settings: { secondFactorRoles: ['editor', 'admin'] } });
  });
  beforeEach(stopClock);
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => test.close());

  const promote = async (person: TestPerson) => {
    const project = test.projects.get('journal');
    if (!project) throw new Error('There is no journal.');
    await changeRole(project, { personId: person.id, role: 'admin', source: { ip: null, device: null } });
  };

  it('a session of before ends with the role, in every way it could go on', async () => {
    const ada = await signUpPerson(test, 'ada@example.org');
    const id = 'app-session-of-an-author-1';
    await ada.call('POST', `/api/auth/mobile-session/${id}`);
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(200);
    await promote(ada);
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await ada.call('GET', '/api/who/journal?signedIn')).status).toBe(401);
    expect(await test.auth.resumeSession(ada.refreshToken)).toBeUndefined();
    const body = { refresh_token: ada.refreshToken };
    expect((await test.call('POST', '/api/auth/refresh', { body })).body.code).toBe('TOKEN_EXPIRED');
    const handed = await test.call('GET', `/api/auth/mobile-session/${id}`);
    expect(handed.body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', details: { setUp: true } });
  });

  it('the next sign-in sets the factor up before anything else, and is signed in with it', async () => {
    const bela = await signUpPerson(test, 'bela@example.org');
    await promote(bela);
    const asked = await signInWith(test, bela.email);
    expect(asked.body.details).toMatchObject({ methods: [], setUp: true });
    const ticket = ticketOf(asked);
    // The ticket signs in to nothing by itself.
    expect((await takeStep(test, ticket, { code: '000000' })).body.code).toBe('SECOND_FACTOR_FAILED');
    const begun = await test.call('POST', '/api/auth/factors/totp/begin', { body: { ticket } });
    const { setUp, secret } = begun.body;
    const wrong = { ticket, setUp, code: '000000' };
    expect((await test.call('POST', '/api/auth/factors/totp', { body: wrong })).status).toBe(401);
    const body = { ticket, setUp, code: codeNow(secret, -1) };
    const done = await test.call('POST', '/api/auth/factors/totp', { body });
    expect(done.status).toBe(200);
    expect(done.body.recoveryCodes).toHaveLength(10);
    const signedIn = personOf(test, done.body);
    expect((await signedIn.call('GET', '/api/auth/me')).body.user.role).toBe('admin');
    expect((await test.call('POST', '/api/auth/factors/totp', { body })).body.code).toBe('TOKEN_EXPIRED');
    const again = ticketOf(await signInWith(test, bela.email));
    expect((await takeStep(test, again, { code: codeNow(secret) })).status).toBe(200);
  });

  it('a ticket for setting up is worth nothing once the owner has a factor', async () => {
    const clara = await signUpPerson(test, 'clara@example.org');
    await promote(clara);
    const early = ticketOf(await signInWith(test, clara.email));
    const begun = await test.call('POST', '/api/auth/factors/totp/begin', { body: { ticket: early } });
    const other = ticketOf(await signInWith(test, clara.email));
    const owners = await test.call('POST', '/api/auth/factors/totp/begin', { body: { ticket: other } });
    const finish = (ticket: string, { setUp, secret }: { setUp: string; secret: string }) =>
      test.call('POST', '/api/auth/factors/totp', { body: { ticket, setUp, code: codeNow(secret, -1) } });
    expect((await finish(other, owners.body)).status).toBe(200);
    expect((await finish(early, begun.body)).body.code).toBe('TOKEN_EXPIRED');
  });

  it('a ticket for the second step sets nothing up', async () => {
    const dora = await signUpPerson(test, 'dora@example.org');
    await addApp(dora);
    const ticket = ticketOf(await signInWith(test, dora.email));
    for (const path of ['totp/begin', 'passkeys/begin']) {
      const { body } = await test.call('POST', `/api/auth/factors/${path}`, { body: { ticket } });
      expect(body.code).toBe('TOKEN_EXPIRED');
    }
  });

  it('the last factor of such an account is not removed', async () => {
    const emil = await signUpPerson(test, 'emil@example.org');
    const app = await addApp(emil);
    await promote(emil);
    const { body } = await emil.call('GET', '/api/auth/factors');
    expect(body).toMatchObject({ required: true, recoveryCodesLeft: 10 });
    const proof = { factor: codeNow(app.secret) };
    const removal = await emil.call('DELETE', `/api/auth/factors/${body.factors[0].id}`, { proof });
    expect(removal.status).toBe(409);
    expect((await emil.call('GET', '/api/auth/factors')).body.factors).toHaveLength(1);
  });
});

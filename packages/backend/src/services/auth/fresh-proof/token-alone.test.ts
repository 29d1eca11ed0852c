import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  addApp,
  addTestPasskey,
  takeStep,
  ticketOf,
} from '@fabrica/backend/testing/auth/build-test-factors.ts';
import { buildTestPasskey } from '@fabrica/backend/testing/auth/build-test-passkey.ts';
import {
  PASSWORD,
  personOf,
  proofCodeTo,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeRole } from '../accounts/people.ts';
import { authReader } from '../queries.ts';

/** Calls with a stolen access token. `npm run test:long` makes more. */
const CALLS = 25 * Number(process.env.WALKS ?? 24);
const SEED = Number(process.env.SEED ?? 20_261);
const MINUTE = 60_000;
const NEW_PASSWORD = 'Hearts beat 70 times';
const EVES_PASSWORD = 'Kidneys clear 120 ml';

/** An account whose access token was stolen, and what its owner alone has. */
interface Victim {
  person: TestPerson;
  hasFactor: boolean;
  /** Whether its session is younger than ten minutes. */
  isFresh: boolean;
  /** The ids that its routes take. */
  ids: Record<'account' | 'session' | 'factor', string>;
  recoveryCodes: readonly string[];
}

/** What the thief has of an account of their own. */
interface Thief {
  setUp: string;
  code: string;
  credential: unknown;
  recoveryCode: string;
  proofCode: string;
}

type BodyOf = (thief: Thief) => Record<string, unknown>;

/**
 * The routes that change what cannot be undone, or give all data away, with a body that lacks nothing but the proof. The last two
 * end what another route begins with a proof.
 */
const PROVEN: Readonly<Record<string, BodyOf>> = {
  'PATCH /me': () => ({ password: NEW_PASSWORD }),
  'POST /password/change': () => ({ newPassword: NEW_PASSWORD }),
  'DELETE /account': () => ({}),
  'GET /export': () => ({}),
  'POST /export': () => ({}),
  'PATCH /people/:account': () => ({ role: 'author' }),
  'DELETE /sessions': () => ({}),
  'DELETE /sessions/:session': () => ({}),
  'POST /factors/totp/begin': () => ({}),
  'POST /factors/passkeys/begin': () => ({}),
  'POST /factors/recovery-codes': () => ({}),
  'DELETE /factors/:factor': () => ({}),
  'POST /factors/totp': ({ setUp, code }) => ({ setUp, code }),
  'POST /factors/passkeys': ({ credential }) => ({ credential, name: 'Key' }),
};

/** For a session of the last ten minutes these ask for no further proof, unless the account has a second factor. */
const BY_RECENT_SIGN_IN = [
  'DELETE /account',
  'GET /export',
  'POST /export',
  'DELETE /sessions',
  'DELETE /sessions/:session',
];

/** The other routes that write, and why a token alone may call them. */
const UNPROVEN: Readonly<Record<string, string>> = {
  'POST /signup': 'takes no token',
  'POST /signin/email': 'takes a password',
  'POST /signin/magic': 'takes no token',
  'POST /signin/magic/generate': 'takes the secret key',
  'POST /signin/magic/verify': 'takes a mailed token',
  'POST /signin/passkey': 'takes a passkey',
  'POST /signin/second-step/options': 'takes a ticket of a sign-in',
  'POST /signin/second-step': 'takes a factor',
  'POST /refresh': 'takes a refresh token',
  'POST /logout': 'ends the session of the token',
  'POST /introspect': 'changes nothing',
  'POST /password/reset': 'takes no token',
  'POST /password/reset/generate': 'takes the secret key',
  'POST /password/reset/confirm': 'takes a mailed token',
  'POST /email/verify/generate': 'takes the secret key',
  'POST /email/verify/send': 'mails the owner',
  'POST /email/verify': 'takes a mailed token',
  'POST /proof/send': 'mails the owner',
  'POST /factors/proof-options': 'changes nothing',
  'PATCH /factors/:factor': 'changes a name, which the owner changes back',
  'POST /complete': 'takes the code of a provider',
  'POST /callback/:provider': 'takes the code of a provider',
  'POST /mobile-session/:id':
    'takes a sign-in of the last ten minutes, and opens a session that proves nobody',
};

describe('an access token alone', () => {
  let test: TestAuth;
  let thief: Thief;
  const victims: Victim[] = [];

  beforeAll(async () => {
    test = await buildTestAuth({ settings: { accessTokenSeconds: 3_600, secondFactorTries: 1_000_000 } });
    for (const hasFactor of [false, true])
      victims.push(await buildVictim(test, { hasFactor, isFresh: false }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * MINUTE });
    for (const hasFactor of [false, true])
      victims.push(await buildVictim(test, { hasFactor, isFresh: true }));
    thief = await buildThief(test);
  });
  afterAll(async () => {
    vi.useRealTimers();
    await test.close();
  });

  it('each route that writes is known to ask for a proof, or not to need one', () => {
    const named = (route: string) => route.replace(/:(account|session|factor)$/, ':id');
    const routes = test.auth.routes.routes.flatMap(({ method, path }) => {
      return method === 'ALL' || (method === 'GET' && path !== '/export') ? [] : [`${method} ${path}`];
    });
    const known = [...Object.keys(PROVEN), ...Object.keys(UNPROVEN)].map(named);
    expect([...new Set(routes)].sort()).toEqual(known.sort());
  });

  it('changes nothing that cannot be undone, whatever stands in the place of a proof', async () => {
    const before = await Promise.all(victims.map((victim) => readLasting(test, victim)));
    const call = fc.record({
      route: fc.constantFrom(...Object.keys(PROVEN)),
      index: fc.nat(victims.length - 1),
      proof: proofsOfThief(thief),
      /** A second factor is there to outlast a password that was found. */
      knowsPassword: fc.boolean(),
      extra: fc.dictionary(
        fc.constantFrom('oldPassword', 'email', 'userId', 'code', 'token', 'ticket', 'session'),
        fc.constantFrom('', 'not the password', EVES_PASSWORD, thief.proofCode, thief.recoveryCode),
      ),
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(call, async ({ route, index, proof: shown, knowsPassword, extra }) => {
        const victim = victims[index];
        if (!victim || (victim.isFresh && !victim.hasFactor && BY_RECENT_SIGN_IN.includes(route))) return;
        const proof = knowsPassword && victim.hasFactor ? { password: PASSWORD } : shown;
        const isStrict = route.startsWith('PATCH');
        const body = {
          ...(!isStrict && extra),
          ...PROVEN[route]?.(thief),
          ...(proof !== undefined && { proof }),
        };
        const { status, body: response } = await send(victim, route, body);
        expect([400, 401, 404], `${route} ${JSON.stringify(response).slice(0, 200)}`).toContain(status);
        expect(await readLasting(test, victim)).toEqual(before[index]);
        if (status === 401) refused += 1;
      }),
      { numRuns: CALLS, seed: SEED, endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(CALLS / 4);
  });

  it('changes nothing that cannot be undone by a route that asks for no proof', async () => {
    for (const [index, victim] of victims.entries()) {
      const before = await readLasting(test, victim);
      for (const route of Object.keys(UNPROVEN)) {
        if (route === 'POST /logout') continue;
        const { setUp, code } = thief;
        const body = { projectId: 'journal', email: victim.person.email, password: NEW_PASSWORD };
        await send(victim, route, { ...body, newPassword: NEW_PASSWORD, ticket: setUp, token: setUp, code });
        expect(await readLasting(test, victim), `${route} ${index}`).toEqual(before);
      }
    }
  });

  it.each(
    Object.keys(PROVEN).filter(
      (route) => !['GET /export', 'POST /factors/totp', 'POST /factors/passkeys'].includes(route),
    ),
  )('with a proof of the owner, %s is done', async (route) => {
    const victim = await buildVictim(test, { hasFactor: true, isFresh: false });
    const proof = { factor: victim.recoveryCodes[1] };
    const { status } = await send(victim, route, { ...PROVEN[route]?.(thief), proof });
    expect(status).toBe(200);
  });
});

/** Sends a request with the stolen token. */
function send({ person, ids }: Victim, route: string, body: object) {
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(
    /:(\w+)/,
    (_, name) => ids[name as keyof typeof ids] ?? 'an-id-of-the-thief-0123456789',
  );
  return person.call(method, `/api/auth${filled}`, method === 'GET' ? undefined : body);
}

/** Returns what a thief can show in the place of a proof: guesses, what is theirs, and things of the wrong shape. */
function proofsOfThief({ proofCode, recoveryCode, credential, code }: Thief): fc.Arbitrary<unknown> {
  const text = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '000000',
      'not the password',
      EVES_PASSWORD,
      proofCode,
      recoveryCode,
      code,
      'true',
      '%',
    ),
    fc.string({ maxLength: 30 }),
    fc.stringMatching(/^\d{6}$/),
  );
  const passkey = fc.oneof(text, fc.constantFrom(credential, {}, null, { id: 'x', response: {} }));
  return fc.oneof(
    fc.constantFrom(undefined, null, {}, [], true, 'password', { password: null }),
    fc.record({ password: text, code: text, factor: text, passkey }, { requiredKeys: [] }),
    fc.record({ password: text }),
    fc.record({ code: text }),
    fc.record({ factor: text }),
  );
}

let victims = 0;

/** Builds an account that may give roles, with a further session, and with an authenticator app where it has a factor. */
async function buildVictim(
  test: TestAuth,
  { hasFactor, isFresh }: Pick<Victim, 'hasFactor' | 'isFresh'>,
): Promise<Victim> {
  victims += 1;
  const email = `ada-${victims}@example.org`;
  const person = await signUpPerson(test, email);
  const project = test.projects.get('journal');
  if (!project) throw new Error('There is no journal.');
  await changeRole(project, { personId: person.id, role: 'admin', source: { ip: null, device: null } });
  const recoveryCodes = hasFactor ? (await addApp(person)).recoveryCodes : [];
  const signedIn = await signInWith(test, email);
  if (hasFactor) await takeStep(test, ticketOf(signedIn), { code: recoveryCodes[0] });
  const { sessions } = (await person.call('GET', '/api/auth/sessions')).body;
  const { factors } = (await person.call('GET', '/api/auth/factors')).body;
  const session = sessions.find(({ current }: { current: boolean }) => !current).id;
  return {
    person,
    hasFactor,
    isFresh,
    ids: { account: person.id, session, factor: factors[0]?.id ?? 'none' },
    recoveryCodes,
  };
}

/** Builds an account of the thief's own, with all that could be taken for a proof of another's. */
async function buildThief(test: TestAuth): Promise<Thief> {
  const body = { projectId: 'journal', email: 'eve@example.org', password: EVES_PASSWORD };
  const eve = personOf(test, (await test.call('POST', '/api/auth/signup', { body })).body);
  const proof = { password: EVES_PASSWORD };
  const { setUp, secret } = (await eve.call('POST', '/api/auth/factors/totp/begin', { proof })).body;
  const options = (await eve.call('POST', '/api/auth/factors/passkeys/begin', { proof })).body;
  const { added } = await addTestPasskey(eve, { proof });
  await eve.call('POST', '/api/auth/proof/send');
  return {
    setUp,
    code: codeNow(secret),
    credential: buildTestPasskey().create(options),
    recoveryCode: added.recoveryCodes[0],
    proofCode: proofCodeTo(test, eve.email),
  };
}

/** Reads what the owner could not bring back: the account, its ways to sign in, its sessions of before and whether it was exported. */
async function readLasting({ database }: TestAuth, { person, ids }: Victim) {
  const reader = authReader(database);
  const { email, role, password_hash, email_verified } = await reader
    .selectFrom('users')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  const session = await reader.selectFrom('sessions').select('id').where('id', '=', ids.session).execute();
  const factors = await reader
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', person.id)
    .execute();
  const codes = await reader
    .selectFrom('recovery_codes')
    .select(['code_hash', 'used_at'])
    .where('user_id', '=', person.id)
    .orderBy('code_hash')
    .execute();
  const identities = await reader
    .selectFrom('identities')
    .select('subject')
    .where('user_id', '=', person.id)
    .execute();
  const events = await reader
    .selectFrom('audit_log')
    .select('event')
    .where('user_id', '=', person.id)
    .where('event', '=', 'account-exported')
    .execute();
  return { email, role, password_hash, email_verified, session, factors, codes, identities, events };
}

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authReader, findUserByEmail } from '../queries.ts';

const password = 'Lungs draw 12 breaths';
const longest = Array.from({ length: 50 }, (_, index) => 1_000 + index * 7).join('');

describe('accounts', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth();
  });
  afterEach(() => test.close());

  const signUp = (body: Record<string, unknown> = {}) =>
    test.call('POST', '/api/auth/signup', {
      body: { projectId: 'journal', email: 'ada@example.org', password, ...body },
    });
  const signIn = (body: Record<string, unknown> = {}) =>
    test.call('POST', '/api/auth/signin/email', {
      body: { projectId: 'journal', email: 'ada@example.org', password, ...body },
    });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('a sign-up returns a token set and the user', async () => {
    const { status, body, headers } = await signUp({ displayName: '  Ada L. ', email: ' ADA@Example.org ' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^journal\.[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: 2_592_000,
      user: {
        id: expect.stringMatching(/^user_/),
        email: 'ada@example.org',
        displayName: 'Ada L.',
        photoURL: null,
        emailVerified: false,
        role: 'author',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        lastSignInAt: expect.any(String),
      },
    });
  });

  it('a user signs in with the e-mail in any case', async () => {
    const { body: first } = await signUp();
    const { status, body } = await signIn({ email: 'Ada@EXAMPLE.org ' });
    expect(status).toBe(200);
    expect(body.user.id).toBe(first.user.id);
    expect(body.refresh_token).not.toBe(first.refresh_token);
  });

  it('an address at an international domain has one account, in both spellings of its domain', async () => {
    const { status, body } = await signUp({ email: 'ada@M\u00fcller.\u0440\u0444' });
    expect([status, body.user?.email]).toEqual([200, 'ada@xn--mller-kva.xn--p1ai']);
    expect((await signUp({ email: 'ada@xn--mller-kva.xn--p1ai' })).status).toBe(409);
    for (const email of ['ada@mu\u0308ller.\u0440\u0444', 'ADA@XN--MLLER-KVA.XN--P1AI']) {
      expect((await signIn({ email })).body.user?.id, email).toBe(body.user.id);
    }
  });

  it('a password is accepted in every Unicode spelling of its characters', async () => {
    await signUp({ password: 'caf\u00e9 au lait \u00e0 midi' });
    expect((await signIn({ password: 'cafe\u0301 au lait a\u0300 midi' })).status).toBe(200);
  });

  it('a sign-in gets the same error for a wrong password and for an unknown e-mail', async () => {
    await signUp();
    const wrong = await signIn({ password: 'Lungs draw 13 breaths' });
    const unknown = await signIn({ email: 'nobody@example.org' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({
      error: 'Invalid email or password. Please try again.',
      code: 'INVALID_CREDENTIALS',
    });
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
  });

  it('an account of one project cannot sign in to another', async () => {
    await signUp();
    expect((await signIn({ projectId: 'other' })).body.code).toBe('INVALID_CREDENTIALS');
    expect((await signIn({ projectId: 'nowhere' })).status).toBe(404);
    expect((await signUp({ projectId: 'nowhere' })).body.code).toBe('PROJECT_NOT_FOUND');
  });

  it('a second account with the same e-mail is refused, also when both sign up at once', async () => {
    const responses = await Promise.all([signUp(), signUp({ email: 'ADA@example.org' }), signUp()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { status, body } = await signUp();
    expect(status).toBe(409);
    expect(body).toEqual({
      error: 'An account with this email already exists.',
      code: 'EMAIL_ALREADY_EXISTS',
    });
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    `${'a'.repeat(250)}@example.org`,
    'ada@example.org\nBcc: x@y.z',
    'ada@m\u00fcller.example/x',
    'ada@m\u00fcller.example:25',
    'ada@m\u00fcl\u200bler.example',
    '\u00e4da@example.org',
  ])('a sign-up with the e-mail %j gets INVALID_EMAIL', async (email) => {
    const { status, body } = await signUp({ email });
    expect(status).toBe(400);
    expect(body.code).toBe('INVALID_EMAIL');
  });

  it.each([
    ['short', 'Short 9ch'],
    ['over-long', `${longest}!`],
    ['common', '1q2w3e4r5t'],
    ['common, dressed up', 'P@ssw0rd2024!'],
    ['one character over and over', 'zzzzzzzzzzzz'],
    ['one piece over and over', 'abc9abc9abc9'],
    ['a run', 'defghijklmno'],
    ['the e-mail itself', 'ADA@example.org'],
    ['the name in the e-mail and a year', 'ada.lovelace1815'],
  ])('a sign-up with a password that is %s gets WEAK_PASSWORD', async (_what, weak) => {
    const email = weak.startsWith('ada.') ? 'ada.lovelace@example.org' : 'ada@example.org';
    const { status, body } = await signUp({ email, password: weak });
    expect(status).toBe(400);
    expect(body.code).toBe('WEAK_PASSWORD');
  });

  it.each(['tenletters', 'Sonne über Würzburg', longest])(
    'a user signs up and in with the password %j',
    async (good) => {
      expect((await signUp({ password: good })).status).toBe(200);
      expect((await signIn({ password: good })).status).toBe(200);
    },
  );

  it('a sign-up cannot choose its role, its id or a verified e-mail', async () => {
    const { status, body } = await signUp({
      role: 'admin',
      emailVerified: true,
      id: 'user_1',
      email_verified: 1,
    });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ role: 'author', emailVerified: false });
    expect(body.user.id).not.toBe('user_1');
  });

  it('the database stores passwords as argon2id and tokens as hashes only', async () => {
    const { body } = await signUp();
    const row = await findUserByEmail(authReader(test.database), 'ada@example.org');
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$/);
    const tokens = await authReader(test.database).selectFrom('refresh_tokens').selectAll().execute();
    expect(tokens).toHaveLength(1);
    const stored = JSON.stringify([row, tokens]);
    expect(stored).not.toContain(password);
    expect(stored).not.toContain(body.refresh_token.split('.')[1]);
  });

  it.each([
    ['no JSON', '{"projectId":', 'INVALID_JSON'],
    ['nothing', '', 'INVALID_JSON'],
    ['a list', [], 'VALIDATION_FAILED'],
    ['null', 'null', 'VALIDATION_FAILED'],
    ['no password', { projectId: 'journal', email: 'a@b.cd' }, 'VALIDATION_FAILED'],
    [
      'a number as password',
      { projectId: 'journal', email: 'a@b.cd', password: 1234567890 },
      'VALIDATION_FAILED',
    ],
    ['an object as e-mail', { projectId: 'journal', email: { ne: '' }, password }, 'VALIDATION_FAILED'],
  ])('a sign-up with %s gets 400', async (_what, body, code) => {
    for (const path of ['/api/auth/signup', '/api/auth/signin/email']) {
      const response = await test.call('POST', path, { body });
      expect(response.status).toBe(400);
      expect(response.body.code).toBe(code);
    }
  });

  it('a validation error names the wrong fields', async () => {
    const { body } = await test.call('POST', '/api/auth/signup', {
      body: { projectId: 'journal', email: 3 },
    });
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(['email', 'password']);
    expect(body.error).toContain('email: ');
  });

  it('a body over 16 kB is refused', async () => {
    const { status, body } = await signUp({ displayName: 'x'.repeat(17_000) });
    expect(status).toBe(413);
    expect(body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('a user reads the own account and changes its name and picture', async () => {
    const { body: session } = await signUp();
    const headers = bearer(session.access_token);
    const changed = await test.call('PATCH', '/api/auth/me', {
      headers,
      body: { displayName: ' Ada ', photoURL: 'https://example.org/ada.png' },
    });
    expect(changed.status).toBe(200);
    const me = await test.call('GET', '/api/auth/me', { headers });
    expect(me.body).toEqual(changed.body);
    expect(me.body.user).toMatchObject({ displayName: 'Ada', photoURL: 'https://example.org/ada.png' });
    const cleared = await test.call('PATCH', '/api/auth/me', {
      headers,
      body: { displayName: '  ', photoURL: null },
    });
    expect(cleared.body.user).toMatchObject({ displayName: null, photoURL: null });
  });

  it.each([
    { role: 'admin' },
    { emailVerified: true },
    { id: 'user_1' },
    { email: 'eve@example.org' },
    { display_name: 'Ada' },
    { displayName: 'x'.repeat(201) },
    { displayName: 'Ada\u202Egpj.exe' },
    { displayName: 7 },
    { photoURL: 'javascript:alert(1)' },
    { photoURL: 'data:text/html,x' },
    { displayName: 'Ada', role: 'admin' },
    'Ada',
  ])('a profile update with %j changes nothing', async (changes) => {
    const { body: session } = await signUp({ displayName: 'Before' });
    const headers = bearer(session.access_token);
    const { status, body } = await test.call('PATCH', '/api/auth/me', {
      headers,
      body: JSON.stringify(changes),
    });
    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect((await test.call('GET', '/api/auth/me', { headers })).body.user).toEqual(session.user);
  });

  it('a sign-up and a new name are published on the bus with the columns of user views only', async () => {
    const { body } = await signUp({ displayName: 'Ada' });
    const headers = bearer(body.access_token);
    await test.call('PATCH', '/api/auth/me', { headers, body: { photoURL: 'https://example.org/a.png' } });
    await test.call('PATCH', '/api/auth/me', { headers, body: { displayName: 'Augusta' } });
    const { id } = body.user;
    const was = { id, display_name: 'Ada' };
    const is = { id, display_name: 'Augusta' };
    const event = { projectId: 'journal', table: 'names', id };
    expect(test.events).toEqual([
      { ...event, operation: 'create', changed: ['id', 'display_name'], before: null, after: was },
      { ...event, operation: 'update', changed: ['display_name'], before: was, after: is },
    ]);
  });

  it('the list of providers begins with e-mail', async () => {
    expect((await test.call('GET', '/api/auth/providers?projectId=journal')).body).toEqual({
      providers: ['email'],
    });
    expect((await test.call('GET', '/api/auth/providers?projectId=nowhere')).status).toBe(404);
    expect((await test.call('GET', '/api/auth/providers')).status).toBe(400);
  });

  it('an unknown path gets 404 as an error body', async () => {
    for (const path of ['/api/auth/', '/api/auth/nothing', '/api/auth/signup/x']) {
      expect((await test.call('GET', path)).body.code).toBe('NOT_FOUND');
    }
  });
});

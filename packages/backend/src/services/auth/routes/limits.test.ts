import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { mailTo } from '@fabrica/backend/testing/auth/build-test-person.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const password = 'Lungs draw 12 breaths';

describe('rate limits', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth({ rateLimit: true });
    await test.call('POST', '/api/auth/signup', {
      body: { projectId: 'journal', email: 'ada@example.org', password },
    });
  });
  afterEach(() => test.close());

  const signIn = (email: string, given: string, ip: string, projectId = 'journal') =>
    test.call('POST', '/api/auth/signin/email', { ip, body: { projectId, email, password: given } });
  const statuses = async (count: number, call: (index: number) => Promise<{ status: number }>) => {
    const all = [];
    for (let index = 0; index < count; index += 1) all.push((await call(index)).status);
    return all;
  };

  it('guessing one account’s password is limited to ten tries, with a Retry-After header', async () => {
    const tries = await statuses(10, () => signIn('ada@example.org', 'wrong', '198.51.100.7'));
    expect(tries).toEqual(Array(10).fill(401));
    const response = await signIn(' ADA@example.org', password, '198.51.100.7');
    expect(response.status).toBe(429);
    expect(response.body).toEqual({
      error: 'Too many attempts. Please wait a moment and try again.',
      code: 'RATE_LIMITED',
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  });

  it('an account of another project is counted separately', async () => {
    await statuses(11, () => signIn('ada@example.org', 'wrong', '198.51.100.7'));
    expect((await signIn('ada@example.org', password, '198.51.100.7')).status).toBe(429);
    expect((await signIn('ada@example.org', password, '198.51.100.7', 'other')).status).toBe(401);
  });

  it('a stranger cannot lock an account for its owner', async () => {
    await statuses(70, () => signIn('ada@example.org', 'wrong', '198.51.100.7'));
    expect((await signIn('ada@example.org', password, '203.0.113.9')).status).toBe(200);
  });

  it('the right password resets the count of failed sign-ins', async () => {
    for (let round = 0; round < 3; round += 1) {
      await statuses(9, () => signIn('ada@example.org', 'wrong', '203.0.113.9'));
      expect((await signIn('ada@example.org', password, '203.0.113.9')).status).toBe(200);
    }
  });

  it('guessing one account’s password from many networks leaves each of them three tries', async () => {
    const tries = await statuses(100, (index) => signIn('eve@example.org', 'wrong', `10.0.${index}.1`));
    expect(tries).toEqual(Array(100).fill(401));
    const fresh = await statuses(5, () => signIn('eve@example.org', 'wrong', '198.51.100.9'));
    expect(fresh).toEqual([401, 401, 401, 429, 429]);
  });

  it('trying many accounts from one IP ip or IPv6 network is limited', async () => {
    const tries = await statuses(61, (index) =>
      signIn(`user${index}@example.org`, 'wrong', `2001:db8::${index}`),
    );
    expect(tries.slice(0, 60)).toEqual(Array(60).fill(401));
    expect(tries.at(-1)).toBe(429);
    expect((await signIn('ada@example.org', password, '2001:db8:0:1::1')).status).toBe(200);
  });

  it('the number of accounts that one IP address creates is limited', async () => {
    const tries = await statuses(61, (index) =>
      test.call('POST', '/api/auth/signup', {
        ip: '198.51.100.8',
        body: { projectId: 'journal', email: `user${index}@example.org`, password: 'short' },
      }),
    );
    expect(tries.slice(0, 60)).toEqual(Array(60).fill(400));
    expect(tries.at(-1)).toBe(429);
  });

  it('refreshes of one account are limited', async () => {
    const { body } = await signIn('ada@example.org', password, '203.0.113.9');
    let token = body.refresh_token;
    const tries = await statuses(301, async () => {
      const response = await test.call('POST', '/api/auth/refresh', { body: { refresh_token: token } });
      token = response.body.refresh_token ?? token;
      return response;
    });
    expect(tries.slice(0, 300)).toEqual(Array(300).fill(200));
    expect(tries.at(-1)).toBe(429);
  });

  it.each([
    ['/signup', { email: 'x', password: 'x' }, 60],
    ['/signin/email', { email: 'nobody@example.org', password: 'x' }, 60],
    ['/refresh', { refresh_token: 'x' }, 600],
    ['/password/reset', { email: 'nobody@example.org' }, 30],
    ['/signin/magic', { email: 'nobody@example.org' }, 30],
    ['/password/reset/confirm', { token: 'x', password }, 60],
    ['/email/verify', { token: 'x' }, 60],
    ['/signin/magic/verify', { token: 'x' }, 60],
    ['/password/change', { oldPassword: 'x', newPassword: 'x' }, 60],
    ['/email/verify/send', {}, 30],
    ['/introspect', {}, 3_000],
    ['/complete', { code: 'x' }, 90],
  ])('calls of %s are limited by IP ip, and others are not affected', async (path, body, allowed) => {
    const call = (ip: string) =>
      test.call('POST', `/api/auth${path}`, { ip, body: { projectId: 'journal', ...body } });
    const tries = await statuses(allowed, () => call('198.51.100.20'));
    // An account’s own limit may be lower than that of an ip.
    expect(tries[0]).not.toBe(429);
    const last = await call('198.51.100.20');
    expect([last.status, last.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    if (!('email' in body)) expect((await call('198.51.100.21')).status).not.toBe(429);
  });

  const post = (path: string, ip: string, body: object, headers = {}) =>
    test.call('POST', `/api/auth${path}`, { ip, headers, body: { projectId: 'journal', ...body } });
  const ask = (email: string, ip: string, path = '/signin/magic') => post(path, ip, { email });

  it('an e-mail gets six mails of a kind an hour in one network, with or without an account', async () => {
    const known = await statuses(7, () => ask('ada@example.org', '10.1.0.1'));
    const unknown = await statuses(7, () => ask('nobody@example.org', '10.1.0.2'));
    expect([known, unknown]).toEqual(Array(2).fill([...Array(6).fill(200), 429]));
    expect((await ask('ada@example.org', '10.1.0.1', '/password/reset')).status).toBe(200);
  });

  it('an e-mail gets twenty further mails and sixty first ones from many networks, then one after each pause', async () => {
    const further = await statuses(40, (index) => ask('eve@example.org', `10.2.${index % 20}.1`));
    expect(further).toEqual(Array(40).fill(200));
    const late = await ask('eve@example.org', '10.2.3.1');
    expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([429, 60]);
    const first = await statuses(41, (index) => ask('eve@example.org', `10.3.${index}.1`));
    expect(first).toEqual([...Array(40).fill(200), 429]);
  });

  it('codes of one e-mail are tried a hundred times a day from all networks, and the link still works', async () => {
    const attempt = (index: number) =>
      post('/email/verify', `10.2.${index}.1`, { email: 'ada@example.org', code: '000000' });
    const tries = await statuses(101, attempt);
    expect(tries).toEqual([...Array(100).fill(400), 429]);
    const { token } = mailTo(test, 'ada@example.org', 'verify-email');
    expect((await post('/email/verify', '203.0.113.9', { token })).status).toBe(200);
  });

  it('codes have eight digits once ten were tried in a day', async () => {
    await ask('ada@example.org', '203.0.113.9');
    expect(mailTo(test, 'ada@example.org', 'magic-link').code).toMatch(/^\d{6}$/);
    for (let index = 0; index < 10; index += 1) {
      await post('/email/verify', `10.2.${index}.1`, { email: 'ada@example.org', code: '000000' });
    }
    await ask('ada@example.org', '203.0.113.9');
    const { code } = mailTo(test, 'ada@example.org', 'magic-link');
    expect(code).toMatch(/^\d{8}$/);
    const signedIn = await post('/signin/magic/verify', '203.0.113.9', { email: 'ada@example.org', code });
    expect(signedIn.status).toBe(200);
  });
});

/** Lists what strangers do before the owner tries. */
const ATTACKS: readonly [string, number, (post: PostFrom, index: number) => Promise<unknown>][] = [
  [
    '200 wrong passwords from 200 networks',
    200,
    (post, n) => post('/signin/email', `10.1.${n}.1`, { password: 'wrong' }),
  ],
  [
    '60 wrong passwords from one network',
    60,
    (post) => post('/signin/email', '10.1.1.1', { password: 'wrong' }),
  ],
  ['80 sign-in mails', 80, (post, n) => post('/signin/magic', `10.2.${n % 20}.1`, {})],
  ['50 reset mails', 50, (post, n) => post('/password/reset', `10.3.${n % 10}.1`, {})],
  [
    '40 sign-ups with the same address',
    40,
    (post, n) => post('/signup', `10.4.${n % 4}.1`, { password: 'short' }),
  ],
  ['40 wrong codes', 40, (post, n) => post('/signin/magic/verify', `10.5.${n}.1`, { code: '000000' })],
  [
    'all wrong sign-ins that the owner’s network may send',
    61,
    (post, n) => post('/signin/email', OWN_IP, { email: `eve${n}@example.org`, password: 'wrong' }),
  ],
];
type PostFrom = (path: string, ip: string, body: object) => Promise<TestResponse>;
const OWN_IP = '203.0.113.9';

describe.each(ATTACKS)('after %s', (_, count, act) => {
  it.each([
    ['a known browser', true],
    ['a browser that is new', false],
  ])('%s of the owner signs in, and gets a reset mail whose link works', async (_, isKnown) => {
    const test = await buildTestAuth({ rateLimit: true });
    const email = 'ada@example.org';
    let cookie = '';
    const post: PostFrom = (path, ip, body) =>
      test.call('POST', `/api/auth${path}`, {
        ip,
        headers:
          ip === OWN_IP && cookie && !('password' in body && body.password === 'wrong') ? { cookie } : {},
        body: { projectId: 'journal', email, ...body },
      });
    const signUp = await post('/signup', '192.0.2.1', { password });
    if (isKnown) cookie = String(signUp.headers.get('set-cookie')).split(';')[0] ?? '';
    for (let index = 0; index < count; index += 1) await act(post, index);
    const isOwnNetworkUsedUp = count === 61;
    if (isKnown || !isOwnNetworkUsedUp) {
      const signedIn = await post('/signin/email', OWN_IP, { password });
      expect(signedIn.status).toBe(200);
      expect(signedIn.headers.get('set-cookie') === null).toBe(isKnown);
    }
    expect((await post('/password/reset', OWN_IP, {})).status).toBe(200);
    const { token } = mailTo(test, email, 'reset-password');
    const reset = await post('/password/reset/confirm', OWN_IP, { token, password: 'Hearts beat 70 times' });
    expect(reset.status).toBe(200);
    await test.close();
  });
});

it('a known browser, and a network that the account was signed in to from, have their passwords checked first', async () => {
  const test = await buildTestAuth({ rateLimit: true });
  const body = { projectId: 'journal', email: 'ada@example.org', password };
  const { headers } = await test.call('POST', '/api/auth/signup', { ip: '192.0.2.1', body });
  const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  test.priorities.length = 0;
  const signIn = (ip: string, own: string, email = body.email) =>
    test.call('POST', '/api/auth/signin/email', { ip, headers: { cookie: own }, body: { ...body, email } });
  await signIn('198.51.100.77', cookie);
  await signIn('192.0.2.1', '');
  await signIn('192.0.2.1', '', 'eve@example.org');
  await signIn('192.0.2.2', '');
  await signIn('10.1.1.1', cookie, 'eve@example.org');
  expect(test.priorities).toEqual([
    { key: '198.51.100.0/24', urgent: true },
    { key: '192.0.2.0/24', urgent: true },
    { key: '192.0.2.0/24', urgent: false },
    { key: '192.0.2.0/24', urgent: false },
    { key: '10.1.1.0/24', urgent: false },
  ]);
  await test.close();
});

it.each([
  ['a known network', '192.0.2.1', false],
  ['a known browser in a new network', '203.0.113.9', true],
])(
  'a sign-in from %s waits for one other password at most, while 150 networks guess',
  async (_, ip, isKnown) => {
    const test = await buildTestAuth({ rateLimit: true });
    const email = 'ada@example.org';
    const send = (path: string, from: string, given: string, cookie = '') =>
      test.call('POST', `/api/auth${path}`, {
        ip: from,
        headers: { cookie },
        body: { projectId: 'journal', email, password: given },
      });
    const { headers } = await send('/signup', '192.0.2.1', password);
    const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const guesses = Array.from({ length: 150 }, (_, n) => send('/signin/email', `10.0.${n}.1`, 'wrong'));
    const signedIn = await send('/signin/email', ip, password, isKnown ? cookie : '');
    expect(signedIn.status).toBe(200);
    const refused = (await Promise.all(guesses)).filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(50);
    const own = test.waits.filter(({ urgent }) => urgent);
    expect(own).toHaveLength(1);
    expect(own[0]?.others).toBeLessThanOrEqual(1);
    expect(Math.max(...test.waits.map(({ others }) => others))).toBeGreaterThan(20);
    await test.close();
  },
);

it('a refusal of too many sign-ins is held back for one to two seconds, and the owner signs in meanwhile', async () => {
  const test = await buildTestAuth({ rateLimit: true, settings: { refusalPauseMs: 1_000 } });
  const body = { projectId: 'journal', email: 'ada@example.org', password };
  const signIn = (ip: string, given: string) =>
    test.call('POST', '/api/auth/signin/email', { ip, body: { ...body, password: given } });
  await test.call('POST', '/api/auth/signup', { ip: '192.0.2.1', body });
  for (let guess = 0; guess < 10; guess += 1) await signIn('198.51.100.7', 'wrong');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  let isRefused = false;
  const refused = signIn('198.51.100.7', 'wrong').then(({ status }) => {
    isRefused = true;
    return status;
  });
  expect((await signIn('192.0.2.1', password)).status).toBe(200);
  await vi.advanceTimersByTimeAsync(999);
  expect(isRefused).toBe(false);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(await refused).toBe(429);
  vi.useRealTimers();
  await test.close();
});

describe('a device cookie', () => {
  let test: TestAuth;
  const email = 'ada@example.org';
  let headers: Headers;
  beforeEach(async () => {
    test = await buildTestAuth({ rateLimit: true });
    const body = { projectId: 'journal', email, password };
    ({ headers } = await test.call('POST', '/api/auth/signup', { body, ip: '192.0.2.1' }));
  });
  afterEach(() => test.close());
  const signInWithCookie = (cookie: string, given: string, ip = '10.1.1.1', who = email) =>
    test.call('POST', '/api/auth/signin/email', {
      ip,
      headers: { cookie },
      body: { projectId: 'journal', email: who, password: given },
    });

  it('a device cookie is sent to scripts and to the sign-in pages alone, and no script reads it', () => {
    const cookies = headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual(['/api/auth', '/auth']);
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^fabrica_device_[\w-]{10}=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; .*HttpOnly; Secure; SameSite=Lax$/,
      );
    }
  });

  it.each([
    ['made up', () => 'x.y', email],
    ['of another account', (value: string) => value, 'eve@example.org'],
    ['changed', (value: string) => value.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')), email],
  ])('a device cookie that is %s is none', async (_, change, who) => {
    const [name = '', value = ''] = (headers.getSetCookie()[0] ?? '').split(/[=;]/);
    const cookie = `${name}=${change(value)}`;
    for (let index = 0; index < 10; index += 1) await signInWithCookie('', 'wrong', '10.1.1.1', who);
    expect((await signInWithCookie(cookie, password, '10.1.1.1', who)).status).toBe(429);
  });

  it('a stolen device cookie has ten guesses, wherever they come from', async () => {
    const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const statuses = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await signInWithCookie(cookie, 'wrong', `10.1.${n}.1`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await signInWithCookie('', password, '203.0.113.9')).status).toBe(200);
  });
});

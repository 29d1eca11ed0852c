import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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

  it('guessing one account’s password from many IP addresses is limited', async () => {
    const tries = await statuses(101, (index) => signIn('eve@example.org', 'wrong', `10.0.${index}.1`));
    expect(tries.filter((status) => status === 401)).toHaveLength(100);
    expect(tries.at(-1)).toBe(429);
  });

  it('trying many accounts from one IP ip or IPv6 network is limited', async () => {
    const tries = await statuses(61, (index) =>
      signIn(`user${index}@example.org`, 'wrong', `2001:db8::${index}`),
    );
    expect(tries.slice(0, 60)).toEqual(Array(60).fill(401));
    expect(tries.at(-1)).toBe(429);
    expect((await signIn('ada@example.org', password, '2001:db8:0:1::1')).status).toBe(200);
  });

  it('the number of accounts that one IP ip creates is limited', async () => {
    const tries = await statuses(31, (index) =>
      test.call('POST', '/api/auth/signup', {
        ip: '198.51.100.8',
        body: { projectId: 'journal', email: `user${index}@example.org`, password: 'short' },
      }),
    );
    expect(tries.slice(0, 30)).toEqual(Array(30).fill(400));
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
    ['/signup', { email: 'x', password: 'x' }, 30],
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

  it('an e-mail gets six mails an hour from one IP ip and twenty from all, with or without an account', async () => {
    const ask = (email: string, ip: string) =>
      test.call('POST', '/api/auth/signin/magic', { ip, body: { projectId: 'journal', email } });
    const known = await statuses(7, () => ask('ada@example.org', '10.1.0.1'));
    const unknown = await statuses(7, () => ask('nobody@example.org', '10.1.0.2'));
    expect([known, unknown]).toEqual(Array(2).fill([...Array(6).fill(200), 429]));
    // A stranger does not keep the owner from a mail of one's own.
    expect((await ask('ada@example.org', '10.1.0.3')).status).toBe(200);
    const many = await statuses(20, (index) => ask('eve@example.org', `10.2.${index}.1`));
    expect(many).toEqual(Array(20).fill(200));
    expect((await ask('eve@example.org', '10.2.99.1')).status).toBe(429);
  });

  it('guessing the codes of one e-mail from many IP addresses is limited', async () => {
    const attempt = (index: number) =>
      test.call('POST', '/api/auth/email/verify', {
        ip: `10.2.${index}.1`,
        body: { projectId: 'journal', email: 'ada@example.org', code: '000000' },
      });
    const tries = await statuses(31, attempt);
    expect(tries.at(-2)).toBe(400);
    expect(tries.at(-1)).toBe(429);
  });
});

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { authReader, authWriter } from '../queries.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

describe('sessions', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth();
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const account = { projectId: 'journal', email: 'ada@example.org', password: 'Lungs draw 12 breaths' };
  const signUp = async () => (await test.call('POST', '/api/auth/signup', { body: account })).body;
  const refresh = (token: unknown) =>
    test.call('POST', '/api/auth/refresh', { body: { refresh_token: token } });
  const me = (token: string) =>
    test.call('GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
  const liveTokens = () =>
    authReader(test.database)
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('spent_at', 'is', null)
      .execute();
  const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it('a session continues with new tokens after a refresh', async () => {
    const first = await signUp();
    wait(14 * 60 * SECOND);
    const { status, body } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, refresh_expires_in: 2_592_000 });
    expect(body.user.id).toBe(first.user.id);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    wait(5 * 60 * SECOND);
    expect((await me(first.access_token)).status).toBe(401);
    expect((await me(body.access_token)).status).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('a session that a server resumes keeps its refresh token, and lasts as long as it is used', async () => {
    const first = await signUp();
    const resume = () => test.auth.resumeSession(first.refresh_token);
    for (let day = 0; day < 40; day += 20) {
      wait(20 * DAY);
      const resumed = await resume();
      expect(resumed).toMatchObject({ refresh_token: first.refresh_token, refresh_expires_in: 2_592_000 });
      expect((await me(resumed?.access_token ?? '')).status).toBe(200);
    }
    wait(30 * DAY + 1);
    expect(await resume()).toBeUndefined();
  });

  it.each([
    ['refreshed', async (token: string) => (await refresh(token)).body],
    ['resumed', async (token: string) => (await test.auth.resumeSession(token)) ?? {}],
  ])('a session that is %s daily ends ninety days after the sign-in', async (_, use) => {
    let { refresh_token } = await signUp();
    const lifetimes = [];
    for (let day = 1; day <= 90; day += 1) {
      wait(DAY);
      const used = await use(refresh_token);
      lifetimes.push(used.refresh_expires_in);
      refresh_token = used.refresh_token;
    }
    expect(lifetimes.slice(0, 60)).toEqual(Array(60).fill(2_592_000));
    expect(lifetimes.slice(-3)).toEqual([172_800, 86_400, undefined]);
    const again = await test.call('POST', '/api/auth/signin/email', { body: account });
    expect(again.body.refresh_expires_in).toBe(2_592_000);
  });

  it('a session is not resumed by a token that was spent, and does not end by it', async () => {
    const first = await signUp();
    const { body: second } = await refresh(first.refresh_token);
    wait(DAY);
    expect(await test.auth.resumeSession(first.refresh_token)).toBeUndefined();
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('a refresh token that is used again within ten seconds returns the same successor', async () => {
    const { refresh_token } = await signUp();
    const first = await refresh(refresh_token);
    wait(10 * SECOND);
    const second = await refresh(refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  it('a refresh token that is used again after ten seconds ends its session', async () => {
    const { refresh_token: stolen } = await signUp();
    const { body: owner } = await refresh(stolen);
    wait(10 * SECOND + 1);
    const reuse = await refresh(stolen);
    expect(reuse.status).toBe(401);
    expect(reuse.body).toEqual({ error: 'Session expired. Please sign in again.', code: 'TOKEN_EXPIRED' });
    expect((await refresh(owner.refresh_token)).status).toBe(401);
    expect(await liveTokens()).toEqual([]);
  });

  it('a reused refresh token leaves the user’s other sessions open', async () => {
    const { refresh_token: stolen } = await signUp();
    const { body: elsewhere } = await test.call('POST', '/api/auth/signin/email', { body: account });
    await refresh(stolen);
    wait(11 * SECOND);
    await refresh(stolen);
    expect((await refresh(elsewhere.refresh_token)).status).toBe(200);
  });

  it('a hundred refreshes at once leave one valid refresh token', async () => {
    const { refresh_token } = await signUp();
    const responses = await Promise.all(Array.from({ length: 100 }, () => refresh(refresh_token)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(responses.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    expect(await liveTokens()).toHaveLength(1);
    expect((await refresh([...successors][0])).status).toBe(200);
  });

  it('a refresh token expires after 30 days without use', async () => {
    const { refresh_token } = await signUp();
    wait(30 * DAY - SECOND);
    const { body } = await refresh(refresh_token);
    wait(30 * DAY);
    expect((await refresh(body.refresh_token)).body.code).toBe('TOKEN_EXPIRED');
  });

  it('a sign-in deletes the user’s expired tokens and stores its time', async () => {
    await signUp();
    wait(30 * DAY);
    const { body } = await test.call('POST', '/api/auth/signin/email', { body: account });
    expect(await liveTokens()).toHaveLength(1);
    expect(
      new Date(body.user.lastSignInAt).getTime() - new Date(body.user.createdAt).getTime(),
    ).toBeGreaterThanOrEqual(30 * DAY);
  });

  it.each([
    '',
    'journal',
    'journal.',
    `journal.${'A'.repeat(43)}`,
    `nowhere.${'A'.repeat(43)}`,
    `__proto__.${'A'.repeat(43)}`,
  ])('%j is refused as a refresh token', async (token) => {
    const { status, body } = await refresh(token);
    expect(status).toBe(token === '' ? 400 : 401);
    expect(body.code).toBe(token === '' ? 'VALIDATION_FAILED' : 'TOKEN_EXPIRED');
  });

  it('a refresh token is refused in another project', async () => {
    const { refresh_token } = await signUp();
    expect((await refresh(refresh_token.replace('journal.', 'other.'))).status).toBe(401);
    expect((await refresh(refresh_token)).status).toBe(200);
  });

  it('a refresh token of a deleted account is refused', async () => {
    const { refresh_token, user } = await signUp();
    await authWriter(test.database).deleteFrom('users').where('id', '=', user.id).execute();
    expect((await refresh(refresh_token)).status).toBe(401);
  });

  it('a refresh token signs out, also after the access token has expired', async () => {
    const { refresh_token, access_token } = await signUp();
    wait(DAY);
    const { status, body } = await test.call('POST', '/api/auth/logout', {
      headers: { authorization: `Bearer ${access_token}` },
      body: { refresh_token },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true });
    expect((await refresh(refresh_token)).status).toBe(401);
  });

  it('a sign-out without a refresh token ends the access token’s session', async () => {
    const { refresh_token, access_token } = await signUp();
    const { body: elsewhere } = await test.call('POST', '/api/auth/signin/email', { body: account });
    const { status } = await test.call('POST', '/api/auth/logout', {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(401);
    expect((await refresh(elsewhere.refresh_token)).status).toBe(200);
  });

  it('a session cannot be signed out by a stranger', async () => {
    const { refresh_token } = await signUp();
    expect((await test.call('POST', '/api/auth/logout')).status).toBe(401);
    const guess = await test.call('POST', '/api/auth/logout', {
      body: { refresh_token: `journal.${'A'.repeat(43)}` },
    });
    expect(guess.status).toBe(200);
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

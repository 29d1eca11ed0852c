import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { authWriter } from '../queries.ts';

describe('access tokens', () => {
  let test: TestAuth;
  let token: string;
  let userId: string;
  beforeEach(async () => {
    test = await buildTestAuth();
    const { body } = await test.call('POST', '/api/auth/signup', {
      body: {
        projectId: 'journal',
        email: 'ada@example.org',
        password: 'Lungs draw 12 breaths',
        displayName: 'Ada',
      },
    });
    token = body.access_token;
    userId = body.user.id;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const who = (authorization: string, project = 'journal') =>
    test.call('GET', `/api/who/${project}`, { headers: { authorization } });
  const expectRefused = async (authorization: string, code = 'UNAUTHENTICATED') => {
    const responses: TestResponse[] = [
      await who(authorization),
      await test.call('GET', '/api/auth/me', { headers: { authorization } }),
    ];
    for (const { status, body } of responses) expect([status, body.code]).toEqual([401, code]);
  };
  const claims = () => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const signed = async (changes: Record<string, unknown>) => {
    const { kid, key } = await test.keys.signer();
    return new SignJWT({ ...claims(), ...changes }).setProtectedHeader({ alg: 'EdDSA', kid }).sign(key);
  };
  const published = async () => ((await test.keys.jwks()) as JSONWebKeySet).keys[0];

  it('an access token carries user, project and role, and is verified with the published keys', async () => {
    const keySet = createLocalJWKSet((await test.keys.jwks()) as JSONWebKeySet);
    const { payload, protectedHeader } = await jwtVerify(token, keySet);
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: (await test.keys.signer()).kid });
    expect(payload).toMatchObject({
      sub: userId,
      email: 'ada@example.org',
      project_id: 'journal',
      role: 'author',
      type: 'access',
      iss: 'https://journal.example',
      aud: 'journal',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    expect(Object.keys((await published()) ?? {})).not.toContain('d');
  });

  it('the caller is the token’s user, anonymous without one, and the service with the secret key', async () => {
    expect((await who(`Bearer ${token}`)).body).toEqual({
      kind: 'user',
      id: userId,
      email: 'ada@example.org',
      displayName: 'Ada',
      role: 'author',
    });
    expect((await who(`bearer ${token}`)).status).toBe(200);
    expect((await test.call('GET', '/api/who/journal')).body).toEqual({ kind: 'anonymous' });
    const secretKey = test.projects.get('journal')?.secretKey ?? '';
    expect((await who(`Bearer ${secretKey}`)).body).toEqual({ kind: 'service' });
  });

  it.each([
    ['another server', { iss: 'https://other.example' }],
    ['another project', { aud: 'other' }],
    ['several projects', { aud: ['journal', 'other'] }],
    ['no server', { iss: undefined }],
    ['no project', { aud: undefined }],
    ['neither, although it is new', { iss: undefined, aud: undefined }],
  ])('an access token of ours that is meant for %s is refused', async (_, changes) => {
    await expectRefused(`Bearer ${await signed(changes)}`);
  });

  it('an access token of an earlier version, which names no server, is accepted until it expires', async () => {
    const iat = Math.floor(Date.now() / 1_000) - 60;
    const earlier = { iss: undefined, aud: undefined, iat, exp: iat + 900 };
    expect((await who(`Bearer ${await signed(earlier)}`)).status).toBe(200);
    await expectRefused(`Bearer ${await signed({ ...earlier, exp: iat + 30 })}`, 'TOKEN_EXPIRED');
  });

  it('an access token is refused in another project, also when it is cached', async () => {
    expect((await who(`Bearer ${token}`)).status).toBe(200);
    expect((await who(`Bearer ${token}`, 'other')).body.code).toBe('UNAUTHENTICATED');
    const secretKey = test.projects.get('journal')?.secretKey ?? '';
    expect((await who(`Bearer ${secretKey}`, 'other')).body.code).toBe('UNAUTHENTICATED');
  });

  it('an access token expires after 900 seconds, also when it is cached', async () => {
    const authorization = `Bearer ${token}`;
    vi.useFakeTimers({ toFake: ['Date'], now: claims().exp * 1_000 - 1_000 });
    expect((await who(authorization)).status).toBe(200);
    vi.setSystemTime(claims().exp * 1_000);
    await expectRefused(authorization, 'TOKEN_EXPIRED');
    expect((await who(authorization)).body.error).toBe('Session expired. Please sign in again.');
  });

  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer null',
    'Bearer undefined',
    'Bearer a.b.c',
    'Basic YTpi',
    'Bearer sk_',
    'Bearer sk_wrong',
    'Bearer a b',
  ])('the Authorization header %j is refused and not taken for the anonymous role', (authorization) =>
    expectRefused(authorization),
  );

  it('a new role and a deleted account take effect at once', async () => {
    const users = authWriter(test.database);
    await users
      .updateTable('users')
      .set({ role: 'reader', display_name: 'Countess' })
      .where('id', '=', userId)
      .execute();
    expect((await who(`Bearer ${token}`)).body).toMatchObject({ role: 'reader', displayName: 'Countess' });
    await users.deleteFrom('users').where('id', '=', userId).execute();
    await expectRefused(`Bearer ${token}`);
  });

  it('the secret key is not a signed-in user', async () => {
    const authorization = `Bearer ${test.projects.get('journal')?.secretKey}`;
    expect((await test.call('GET', '/api/auth/me', { headers: { authorization } })).status).toBe(401);
    expect((await test.call('GET', '/api/who/journal?signedIn', { headers: { authorization } })).status).toBe(
      401,
    );
  });
});

import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  FIREFOX,
  PASSWORD,
  personOf,
  signInWith,
  signUpPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listEvents } from '../audit.ts';
import { authReader, authWriter, updateUser } from '../queries.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describe('open sessions', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const onPhone = async () => {
    const { body } = await test.call('POST', '/api/auth/signin/email', {
      body: { projectId: 'journal', email: 'ada@example.org', password: PASSWORD },
      headers: { 'user-agent': SAFARI },
    });
    return personOf(test, body);
  };

  it('open sessions are listed with their devices, the current one marked', async () => {
    const ada = await signUpPerson(test);
    await onPhone();
    const { body } = await ada.call('GET', '/api/auth/sessions');
    expect(body.sessions).toHaveLength(2);
    expect(body.sessions).toContainEqual({
      id: expect.stringMatching(/^session_/),
      current: true,
      device: 'Firefox, Windows',
      method: 'password',
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
    });
    expect(body.sessions).toContainEqual(expect.objectContaining({ current: false, device: 'Safari, iOS' }));
    expect(FIREFOX).toContain('Firefox');
  });

  it('a session that is ended loses its access tokens at once', async () => {
    const ada = await signUpPerson(test);
    const phone = await onPhone();
    const { body } = await ada.call('GET', '/api/auth/sessions');
    const { id } = body.sessions.find(({ current }: { current: boolean }) => !current);
    expect((await ada.call('DELETE', `/api/auth/sessions/${id}`)).body).toEqual({ success: true });
    expect((await phone.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(200);
    expect((await ada.call('DELETE', `/api/auth/sessions/${id}`)).status).toBe(404);
  });

  it('a session cannot be ended by another user', async () => {
    const ada = await signUpPerson(test);
    const eve = await signUpPerson(test, 'eve@example.org');
    const { body } = await ada.call('GET', '/api/auth/sessions');
    expect((await eve.call('DELETE', `/api/auth/sessions/${body.sessions[0].id}`)).status).toBe(404);
    expect((await test.call('DELETE', '/api/auth/sessions')).status).toBe(401);
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('a sign-out everywhere ends all sessions of the user and no others', async () => {
    const ada = await signUpPerson(test);
    const eve = await signUpPerson(test, 'eve@example.org');
    const phone = await onPhone();
    expect((await ada.call('DELETE', '/api/auth/sessions')).body).toEqual({ success: true });
    for (const person of [ada, phone]) {
      expect((await person.call('GET', '/api/auth/me')).status).toBe(401);
      const refreshed = await test.call('POST', '/api/auth/refresh', {
        body: { refresh_token: person.refreshToken },
      });
      expect(refreshed.status).toBe(401);
    }
    expect((await eve.call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('introspection tells valid tokens from invalid ones', async () => {
    const ada = await signUpPerson(test);
    const { body } = await ada.call('POST', '/api/auth/introspect');
    expect(body).toEqual({
      valid: true,
      userId: ada.id,
      email: ada.email,
      projectId: 'journal',
      tokenType: 'access',
      appRole: 'author',
      exp: expect.any(Number),
    });
    await ada.call('DELETE', '/api/auth/sessions');
    for (const headers of [ada.headers, {}, { authorization: 'Bearer nonsense' }]) {
      const response = await test.call('POST', '/api/auth/introspect', { headers });
      expect([response.status, response.body]).toEqual([200, { valid: false, error: expect.any(String) }]);
    }
  });

  it('a disabled account loses its sessions and cannot sign in', async () => {
    const ada = await signUpPerson(test);
    await updateUser(authWriter(test.database), ada.id, { disabled_at: Date.now() });
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(401);
    expect(
      (await test.call('POST', '/api/auth/refresh', { body: { refresh_token: ada.refreshToken } })).status,
    ).toBe(401);
    expect((await signInWith(test, ada.email, 'not the password')).body.code).toBe('INVALID_CREDENTIALS');
    const right = await signInWith(test, ada.email);
    expect([right.status, right.body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it('sessions leave entries in the audit log, without e-mails or secrets', async () => {
    const ada = await signUpPerson(test);
    await signInWith(test, ada.email, 'not the password');
    await signInWith(test, 'nobody@example.org', 'not the password');
    await ada.call('POST', '/api/auth/password/change', {
      oldPassword: PASSWORD,
      newPassword: 'Hearts beat 70 times',
    });
    await test.call('POST', '/api/auth/refresh', { body: { refresh_token: ada.refreshToken } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
    await test.call('POST', '/api/auth/refresh', { body: { refresh_token: ada.refreshToken } });
    const events = await listEvents(authReader(test.database), { limit: 100 });
    expect(events.map(({ event }) => event)).toEqual([
      'refresh-reused',
      'password-changed',
      'sign-in-failed',
      'sign-in-failed',
      'sign-in',
      'sign-up',
    ]);
    expect(events[0]).toMatchObject({ user_id: ada.id, address: '203.0.113.1' });
    expect(events[2]).toMatchObject({ user_id: null });
    const all = JSON.stringify(events);
    for (const secret of [ada.email, 'nobody@example.org', PASSWORD, ada.refreshToken])
      expect(all).not.toContain(secret);
  });
});

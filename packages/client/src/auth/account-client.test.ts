import { BrowserStandIn } from '@fabrica/client/testing/browser-stand-in.ts';
import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import {
  buildStored,
  KEY,
  START,
  scriptedError,
  scriptSession,
  vesalia,
} from '@fabrica/client/testing/session-script.ts';
import type { SessionInfo } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, type FabricaClient } from '../client.ts';

const done = { body: { success: true } };

let backend: ScriptedServer;
let browser: BrowserStandIn;
let client: FabricaClient;
const open: FabricaClient[] = [];

async function openClient(): Promise<FabricaClient> {
  const window = browser.openTab();
  const opened = createClient({ projectId: 'journal', origin: backend.origin, window, now: () => START });
  open.push(opened);
  await opened.auth.ready();
  return opened;
}

beforeEach(async () => {
  backend = await ScriptedServer.start();
  browser = new BrowserStandIn();
  browser.setItem(KEY, buildStored(1));
  scriptSession(backend, { number: 1 });
  client = await openClient();
});

afterEach(async () => {
  for (const each of open.splice(0)) each.auth.destroy();
  await backend.close();
});

describe('the profile', () => {
  it('a changed profile is shown in every tab', async () => {
    const other = await openClient();
    const renamed = { ...vesalia, displayName: 'Dr Vesalia', photoURL: null };
    backend.on('PATCH /api/auth/me', { body: { user: renamed } });
    await expect(client.auth.updateMe({ displayName: 'Dr Vesalia', photoURL: null })).resolves.toEqual(
      renamed,
    );
    expect(backend.requests.at(-1)).toMatchObject({
      bearer: 'access-1',
      json: { displayName: 'Dr Vesalia', photoURL: null },
    });
    expect(client.auth.getState()).toMatchObject({ user: renamed, tokens: { access_token: 'access-1' } });
    await Promise.resolve();
    expect(other.auth.getState().user).toEqual(renamed);
  });

  it('a changed profile is shown even if another tab refreshes meanwhile', async () => {
    const other = await openClient();
    const renamed = { ...vesalia, displayName: 'Dr Vesalia' };
    backend.on('PATCH /api/auth/me', async () => {
      await other.auth.refresh();
      return { body: { user: renamed } };
    });
    await client.auth.updateMe({ displayName: 'Dr Vesalia' });
    expect(client.auth.getState()).toMatchObject({ user: renamed, tokens: { access_token: 'access-2' } });
  });

  it('the state does not change when the server rejects a profile', async () => {
    const before = client.auth.getState();
    backend.on(
      'PATCH /api/auth/me',
      scriptedError(400, 'VALIDATION_FAILED', 'photoURL: must be an http(s) address'),
    );
    await expect(client.auth.updateMe({ photoURL: 'x' })).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'photoURL: must be an http(s) address',
    });
    expect(client.auth.getState()).toBe(before);
  });
});

describe('the password', () => {
  it('a password is changed with the old one', async () => {
    backend.on('POST /api/auth/password/change', done);
    await client.auth.changePassword('de fabrica', 'de fabrica 1543');
    expect(backend.requests.at(-1)).toMatchObject({
      bearer: 'access-1',
      json: { oldPassword: 'de fabrica', newPassword: 'de fabrica 1543' },
    });
  });

  it('a wrong old password does not end the session', async () => {
    backend.on('POST /api/auth/password/change', scriptedError(401, 'INVALID_CREDENTIALS'));
    await expect(client.auth.changePassword('wrong', 'de fabrica 1543')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(client.auth.getState().status).toBe('authenticated');
    expect(backend.calls('POST /api/auth/refresh')).toHaveLength(0);
  });

  it('a forgotten password is replaced with the token or the code from a mail', async () => {
    backend.on('POST /api/auth/password/reset', done);
    backend.on('POST /api/auth/password/reset/confirm', done);
    const { auth } = client;
    await auth.sendPasswordReset('vesalia@example.org', { redirectUrl: 'https://guest.example/reset' });
    await auth.confirmPasswordReset({ token: 'token-1' }, 'de fabrica 1543');
    await auth.confirmPasswordReset({ email: 'vesalia@example.org', code: '123456' }, 'de fabrica 1543');
    const projectId = 'journal';
    expect(backend.requests.slice(1).map(({ json }) => json)).toEqual([
      { email: 'vesalia@example.org', projectId, redirectUrl: 'https://guest.example/reset' },
      { token: 'token-1', password: 'de fabrica 1543', projectId },
      { email: 'vesalia@example.org', code: '123456', password: 'de fabrica 1543', projectId },
    ]);
  });

  it.each(['VERIFICATION_FAILED', 'WEAK_PASSWORD'])('a password reset fails with %s', async (code) => {
    backend.on('POST /api/auth/password/reset/confirm', scriptedError(400, code));
    await expect(client.auth.confirmPasswordReset({ token: 'x' }, 'y')).rejects.toMatchObject({
      name: 'AuthError',
      code,
    });
  });
});

describe('the e-mail address', () => {
  it('the code from a mail verifies the e-mail address, and the user is loaded again', async () => {
    backend.on('POST /api/auth/email/verify/send', done);
    backend.on('POST /api/auth/email/verify', done);
    await client.auth.sendEmailVerification();
    expect(backend.requests.at(-1)?.bearer).toBe('access-1');
    const verified = { ...vesalia, displayName: 'Verified' };
    backend.on('GET /api/auth/me', { body: { user: verified } });
    await client.auth.verifyEmail({ email: 'vesalia@example.org', code: '123456' });
    expect(backend.calls('POST /api/auth/email/verify')[0]?.json).toEqual({
      email: 'vesalia@example.org',
      code: '123456',
      projectId: 'journal',
    });
    expect(client.auth.getState().user).toEqual(verified);
  });

  it('an e-mail address is verified even if the user cannot be loaded again', async () => {
    backend.on('POST /api/auth/email/verify', done);
    backend.on('GET /api/auth/me', () => 'hang up');
    await expect(client.auth.verifyEmail({ token: 'token-1' })).resolves.toBeUndefined();
    expect(client.auth.getState().status).toBe('authenticated');
  });

  it('an e-mail address is verified without a session', async () => {
    browser.openTab().localStorage.removeItem(KEY);
    const anonymous = await openClient();
    backend.on('POST /api/auth/email/verify', done);
    await anonymous.auth.verifyEmail({ token: 'token-1' });
    expect(backend.requests.at(-1)).toMatchObject({ path: '/api/auth/email/verify', bearer: undefined });
  });

  it('a used token does not verify an e-mail address', async () => {
    backend.on('POST /api/auth/email/verify', scriptedError(400, 'VERIFICATION_FAILED'));
    await expect(client.auth.verifyEmail({ token: 'x' })).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
    });
  });
});

describe('the sessions', () => {
  const session: SessionInfo = {
    id: 'session/1',
    current: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastUsedAt: '2026-01-02T00:00:00.000Z',
    device: 'Firefox, Windows',
    method: 'provider:google',
  };

  it('sessions are listed and ended one by one', async () => {
    backend.on('GET /api/auth/sessions', { body: { sessions: [session] } });
    backend.on('DELETE /api/auth/sessions/session%2F1', done);
    await expect(client.auth.sessions()).resolves.toEqual([session]);
    await client.auth.endSession(session.id);
    expect(backend.requests.at(-1)).toMatchObject({ method: 'DELETE', bearer: 'access-1' });
    expect(client.auth.getState().status).toBe('authenticated');
  });

  it('a response without a list of sessions is an error', async () => {
    backend.on('GET /api/auth/sessions', { body: {} });
    await expect(client.auth.sessions()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('signOutEverywhere signs out in all tabs of this browser', async () => {
    const other = await openClient();
    backend.on('DELETE /api/auth/sessions', done);
    await client.auth.signOutEverywhere();
    await Promise.resolve();
    expect([client, other].map(({ auth }) => auth.getState().status)).toEqual(['anonymous', 'anonymous']);
    expect(browser.getItem(KEY)).toBeNull();
  });

  it('signOutEverywhere fails and signs nobody out if the server cannot be reached', async () => {
    backend.on('DELETE /api/auth/sessions', () => 'hang up');
    await expect(client.auth.signOutEverywhere()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(client.auth.getState().status).toBe('authenticated');
  });

  it('a session is given to the app that waits for it', async () => {
    backend.on('POST /api/auth/mobile-session/app-1234567890123', done);
    await client.auth.handToMobileSession('app-1234567890123');
    expect(backend.requests.at(-1)?.bearer).toBe('access-1');
  });
});

describe('the account', () => {
  it('an account is exported as a file', async () => {
    const text = '{\n  "account": { "email": "vesalia@example.org" }\n}\n';
    backend.on('POST /api/auth/export', { body: text, headers: { 'content-type': 'application/json' } });
    const file = await client.auth.exportData();
    expect(file.type).toBe('application/json');
    await expect(file.text()).resolves.toBe(text);
  });

  it.each([
    ['truncated', '{ "account": {'],
    ['empty', ''],
  ])('an export that arrives %s is an error', async (_, body) => {
    backend.on('POST /api/auth/export', { body });
    await expect(client.auth.exportData()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('a deleted account is signed out', async () => {
    backend.on('DELETE /api/auth/account', done);
    await client.auth.deleteAccount();
    expect(backend.requests.at(-1)?.bearer).toBe('access-1');
    expect(client.auth.getState().status).toBe('anonymous');
    expect(browser.getItem(KEY)).toBeNull();
  });

  it('an account whose deletion fails stays signed in', async () => {
    backend.on('DELETE /api/auth/account', scriptedError(503, 'INTERNAL_ERROR'));
    await expect(client.auth.deleteAccount()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(client.auth.getState().status).toBe('authenticated');
  });
});

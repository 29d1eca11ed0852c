import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient as createNewest } from '@blinkdotnew/sdk';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A client of the wire contract that nobody here wrote: every auth method it has, in headless mode, with real mails. */
type PublicClient = ReturnType<typeof createNewest>;

const PASSWORD = 'a long enough passphrase';
const NEW_PASSWORD = 'another long passphrase';
const projectId = 'journal';

let server: RunningServer;
let smtp: TestSmtpServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startServer({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Fabrica <mail@journal.example>',
    OAUTH_GITHUB_CLIENT_ID: 'client',
    OAUTH_GITHUB_CLIENT_SECRET: 'secret',
    ALLOWED_ORIGINS: 'https://app.example',
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

describe.each(versions)('the public client %s', (version, createClient) => {
  let people = 0;
  const connect = (): PublicClient => {
    const url = server.url;
    const roles = {
      author: { permissions: ['posts'], inherit: ['reader'] },
      reader: { permissions: ['comments.create'] },
    };
    return createClient({ projectId, auth: { mode: 'headless', authUrl: url, coreUrl: url, roles } });
  };
  const newAddress = () => {
    people += 1;
    return `person-${people}-${version}-${Date.now()}@example.org`;
  };
  const newPerson = async () => {
    const client = connect();
    const email = newAddress();
    const user = await client.auth.signUp({ email, password: PASSWORD });
    return { client, email, user };
  };
  /** The token in the newest mail to the address whose link leads to the page. */
  const mailed = async (email: string, page: string) => {
    const mail = await smtp.waitFor(({ to, text }) => to === email && text.includes(page));
    const link = new URL(/https?:\/\/\S+token=\S+/.exec(mail.text)?.[0] ?? '');
    return { link, token: link.searchParams.get('token') ?? '', mail };
  };

  it('signs up, out and in again', async () => {
    const { client, email, user } = await newPerson();
    expect(client.auth.isAuthenticated()).toBe(true);
    await client.auth.signOut();
    expect(client.auth.isAuthenticated()).toBe(false);
    const again = await client.auth.signInWithEmail(email, PASSWORD);
    expect(again.id).toBe(user.id);
    expect((await client.auth.me())?.email).toBe(email);
  });

  it('changes what may be changed of a profile, and nothing else', async () => {
    const { client, user } = await newPerson();
    expect(await client.auth.updateMe({ displayName: 'Ada Byron' })).toMatchObject({
      id: user.id,
      displayName: 'Ada Byron',
    });
    await expect(client.auth.updateMe({ role: 'admin' })).rejects.toMatchObject({ name: 'BlinkAuthError' });
    expect((await client.auth.me())?.role).toBe('author');
  });

  it('changes a password', async () => {
    const { client, email } = await newPerson();
    await expect(client.auth.changePassword('not the passphrase', NEW_PASSWORD)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(client.auth.changePassword(PASSWORD, 'short')).rejects.toMatchObject({
      code: 'WEAK_PASSWORD',
    });
    await client.auth.changePassword(PASSWORD, NEW_PASSWORD);
    expect((await connect().auth.signInWithEmail(email, NEW_PASSWORD)).email).toBe(email);
  });

  it('resets a forgotten password by mail', async () => {
    const { client, email } = await newPerson();
    await client.auth.sendPasswordResetEmail(email);
    const { token } = await mailed(email, '/auth/reset');
    await connect().auth.confirmPasswordReset(token, NEW_PASSWORD);
    await expect(connect().auth.confirmPasswordReset(token, PASSWORD)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
    });
    await expect(connect().auth.signInWithEmail(email, PASSWORD)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect((await connect().auth.signInWithEmail(email, NEW_PASSWORD)).email).toBe(email);
  });

  it('is told nothing of an address that is not known', async () => {
    await expect(connect().auth.sendPasswordResetEmail(newAddress())).resolves.toBeUndefined();
  });

  it('verifies an address by mail', async () => {
    const { client, email } = await newPerson();
    await client.auth.sendEmailVerification();
    const { token, mail } = await mailed(email, '/auth/verify');
    expect(mail.from).toBe('mail@journal.example');
    await client.auth.verifyEmail(token);
    expect(await connect().auth.signInWithEmail(email, PASSWORD)).toMatchObject({ emailVerified: true });
    await expect(client.auth.verifyEmail(token)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  it('signs in by a link that hands its token on to the page it was asked for', async () => {
    const email = newAddress();
    await connect().auth.sendMagicLink(email, { redirectUrl: 'https://app.example/welcome' });
    const { link, token } = await mailed(email, '/auth/magic');
    expect(link.searchParams.get('redirect_url')).toBe('https://app.example/welcome');
    const client = connect();
    expect(await client.auth.verifyMagicLink(token)).toMatchObject({ email, emailVerified: true });
    expect((await client.auth.me())?.email).toBe(email);
    await expect(connect().auth.verifyMagicLink(token)).rejects.toMatchObject({ code: 'MAGIC_LINK_EXPIRED' });
    await expect(
      connect().auth.sendMagicLink(email, { redirectUrl: 'https://evil.example/' }),
    ).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  });

  it('is handed no token that would open somebody’s account', async () => {
    const { client, email } = await newPerson();
    await expect(client.auth.generatePasswordResetToken(email)).rejects.toThrow();
    await expect(client.auth.generateMagicLinkToken(email)).rejects.toThrow();
    expect(await client.auth.generateEmailVerificationToken()).not.toHaveProperty('token');
  });

  it('lists the ways to sign in', async () => {
    expect(await connect().auth.getAvailableProviders()).toEqual(['email', 'github']);
  });

  it('knows the role of its user, and what that grants', async () => {
    const { client } = await newPerson();
    expect(client.auth.hasRole('author')).toBe(true);
    expect(client.auth.hasRole(['admin', 'author'])).toBe(true);
    expect(client.auth.hasRole('admin')).toBe(false);
    expect(client.auth.can('posts')).toBe(true);
    expect(client.auth.can('comments', 'create')).toBe(true);
    expect(client.auth.can('accounts')).toBe(false);
  });

  it('goes on with a new token set when it is given one', async () => {
    const { client, email } = await newPerson();
    const refreshed = await client.auth.refreshToken();
    expect(refreshed).toBe(true);
    expect((await client.auth.me())?.email).toBe(email);
  });

  it('uses the service role with the secret key, where the calls allow it', async () => {
    const { email } = await newPerson();
    const secretKey = readFileSync(join(server.dataDir, 'keys', 'project-journal.secret'), 'utf8').trim();
    const answer = await fetch(`${server.url}/api/auth/signin/magic/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({ projectId, email }),
    });
    const { token } = (await answer.json()) as { token: string };
    expect(await connect().auth.verifyMagicLink(token)).toMatchObject({ email });
  });

  if (version === '2.9.0') {
    it('has tokens looked at', async () => {
      const { client, user } = await newPerson();
      const token = (await client.auth.getValidToken()) ?? '';
      expect(await client.auth.verifyToken(token)).toMatchObject({
        valid: true,
        userId: user.id,
        projectId,
        tokenType: 'access',
        appRole: 'author',
      });
      expect(await client.auth.verifyToken(`${token.slice(0, -2)}xx`)).toMatchObject({ valid: false });
    });

    it('takes over a session', async () => {
      const { user } = await newPerson();
      const { client: other, email } = await newPerson();
      const answer = await fetch(`${server.url}/api/auth/signin/email`, {
        method: 'POST',
        body: JSON.stringify({ projectId, email, password: PASSWORD }),
      });
      const taken = connect();
      const me = await taken.auth.setSession(
        (await answer.json()) as Parameters<typeof taken.auth.setSession>[0],
      );
      expect(me.email).toBe(email);
      expect(me.id).not.toBe(user.id);
      expect((await other.auth.me())?.id).toBe(me.id);
    });

    it('signs an app in that waits for its session', async () => {
      const { client, user } = await newPerson();
      const app = connect();
      const { sessionId, authUrl } = await app.auth.initiateMobileOAuth('github');
      expect(new URL(authUrl).pathname).toBe('/auth');
      expect(await app.auth.checkMobileOAuthSession(sessionId)).toBeNull();
      await fetch(`${server.url}/api/auth/mobile-session/${sessionId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await client.auth.getValidToken()}` },
      });
      await app.auth.pollMobileOAuthSession(sessionId, { maxAttempts: 5, intervalMs: 50 });
      expect((await app.auth.me())?.id).toBe(user.id);
      expect(await app.auth.checkMobileOAuthSession(sessionId)).toBeNull();
    });

    it('deletes its account', async () => {
      const { client, email } = await newPerson();
      await client.auth.deleteAccount();
      expect(client.auth.isAuthenticated()).toBe(false);
      await expect(connect().auth.signInWithEmail(email, PASSWORD)).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
    });
  }
});

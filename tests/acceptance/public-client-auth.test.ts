import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { PASSWORD, secretKeyOf, signIn } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectNoLimits, type PublicClient, versions } from './connect-public-client.ts';

/** All auth methods in headless mode of a client that is not part of this project, with real mails. */

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
    ...BEHIND_PROXY,
  });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});

expectNoLimits(() => server);

describe.each(versions)('the public client %s', (version, createClient) => {
  let accounts = 0;
  const connect = (): PublicClient => {
    const url = server.url;
    const roles = {
      author: { permissions: ['posts'], inherit: ['reader'] },
      reader: { permissions: ['comments.create'] },
    };
    return createClient({ projectId, auth: { mode: 'headless', authUrl: url, coreUrl: url, roles } });
  };
  const newEmail = () => {
    accounts += 1;
    return `person-${accounts}-${version}-${Date.now()}@example.org`;
  };
  const newPerson = async () => {
    const client = connect();
    const email = newEmail();
    const user = await client.auth.signUp({ email, password: PASSWORD });
    return { client, email, user };
  };
  /** Returns the mail to an address that links to a page, with its link and token. */
  const receiveMail = async (email: string, page: string) => {
    const mail = await smtp.waitFor(({ to, text }) => to === email && text.includes(page));
    const link = new URL(/https?:\/\/\S+token=\S+/.exec(mail.text)?.[0] ?? '');
    return { link, token: link.searchParams.get('token') ?? '', mail };
  };

  it('the public client is told where to sign in when the account has a second factor', async () => {
    const { client, email } = await newPerson();
    const send = async (path: string, body: unknown, token = '') => {
      const response = await fetch(`${server.url}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, string>;
    };
    const { access_token } = await send('signin/email', { projectId, email, password: PASSWORD });
    const { token } = await receiveMail(email, '/auth/verify');
    await send('email/verify', { projectId, token }, access_token);
    const proof = { password: PASSWORD };
    const { secret = '', setUp } = await send('factors/totp/begin', { proof }, access_token);
    expect(await send('factors/totp', { setUp, code: codeNow(secret) }, access_token)).toHaveProperty(
      'factor',
    );
    const refused = await client.auth.signInWithEmail(email, PASSWORD).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      message: `This account asks for a second factor. Please sign in at ${server.url}/auth.`,
    });
  });

  it('the public client signs up, signs out and signs in again', async () => {
    const { client, email, user } = await newPerson();
    expect(client.auth.isAuthenticated()).toBe(true);
    await client.auth.signOut();
    expect(client.auth.isAuthenticated()).toBe(false);
    const again = await client.auth.signInWithEmail(email, PASSWORD);
    expect(again.id).toBe(user.id);
    expect((await client.auth.me())?.email).toBe(email);
  });

  it('the public client changes the profile, but not the role', async () => {
    const { client, user } = await newPerson();
    expect(await client.auth.updateMe({ displayName: 'Ada Byron' })).toMatchObject({
      id: user.id,
      displayName: 'Ada Byron',
    });
    await expect(client.auth.updateMe({ role: 'admin' })).rejects.toMatchObject({ name: 'BlinkAuthError' });
    expect((await client.auth.me())?.role).toBe('author');
  });

  it('the public client changes a password', async () => {
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

  it('the public client resets a forgotten password by mail', async () => {
    const { client, email } = await newPerson();
    await client.auth.sendPasswordResetEmail(email);
    const { token } = await receiveMail(email, '/auth/reset');
    await connect().auth.confirmPasswordReset(token, NEW_PASSWORD);
    await expect(connect().auth.confirmPasswordReset(token, PASSWORD)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
    });
    await expect(connect().auth.signInWithEmail(email, PASSWORD)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect((await connect().auth.signInWithEmail(email, NEW_PASSWORD)).email).toBe(email);
  });

  it('the public client learns nothing about an unknown e-mail address', async () => {
    await expect(connect().auth.sendPasswordResetEmail(newEmail())).resolves.toBeUndefined();
  });

  it('the public client verifies an e-mail address by mail', async () => {
    const { client, email } = await newPerson();
    await client.auth.sendEmailVerification();
    const { token, mail } = await receiveMail(email, '/auth/verify');
    expect(mail.from).toBe('mail@journal.example');
    await client.auth.verifyEmail(token);
    // This client shows neither the account's session nor its password, so both end: the mailbox alone signs in.
    await expect(connect().auth.signInWithEmail(email, PASSWORD)).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await connect().auth.sendMagicLink(email);
    const { token: magic } = await receiveMail(email, '/auth/magic');
    expect(await connect().auth.verifyMagicLink(magic)).toMatchObject({ email, emailVerified: true });
    await expect(client.auth.verifyEmail(token)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  it('the public client signs in by a magic link that hands its token to an allowed page', async () => {
    const email = newEmail();
    await connect().auth.sendMagicLink(email, { redirectUrl: 'https://app.example/welcome' });
    const { link, token } = await receiveMail(email, '/auth/magic');
    expect(link.searchParams.get('redirect_url')).toBe('https://app.example/welcome');
    const client = connect();
    expect(await client.auth.verifyMagicLink(token)).toMatchObject({ email, emailVerified: true });
    expect((await client.auth.me())?.email).toBe(email);
    await expect(connect().auth.verifyMagicLink(token)).rejects.toMatchObject({ code: 'MAGIC_LINK_EXPIRED' });
    await expect(
      connect().auth.sendMagicLink(email, { redirectUrl: 'https://evil.example/' }),
    ).rejects.toMatchObject({ code: 'REDIRECT_FAILED' });
  });

  it('the public client of a user gets no token for another account', async () => {
    const { client, email } = await newPerson();
    await expect(client.auth.generatePasswordResetToken(email)).rejects.toThrow();
    await expect(client.auth.generateMagicLinkToken(email)).rejects.toThrow();
    expect(await client.auth.generateEmailVerificationToken()).not.toHaveProperty('token');
  });

  it('the public client lists the providers', async () => {
    expect(await connect().auth.getAvailableProviders()).toEqual(['email', 'github']);
  });

  it('the public client has the role and the permissions of its user', async () => {
    const { client } = await newPerson();
    expect(client.auth.hasRole('author')).toBe(true);
    expect(client.auth.hasRole(['admin', 'author'])).toBe(true);
    expect(client.auth.hasRole('admin')).toBe(false);
    expect(client.auth.can('posts')).toBe(true);
    expect(client.auth.can('comments', 'create')).toBe(true);
    expect(client.auth.can('accounts')).toBe(false);
  });

  it('the public client refreshes its tokens', async () => {
    const { client, email } = await newPerson();
    const refreshed = await client.auth.refreshToken();
    expect(refreshed).toBe(true);
    expect((await client.auth.me())?.email).toBe(email);
  });

  it('a magic link that the secret key generates signs the public client in', async () => {
    const { email } = await newPerson();
    const response = await fetch(`${server.url}/api/auth/signin/magic/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await secretKeyOf(server)}` },
      body: JSON.stringify({ projectId, email }),
    });
    const { token } = (await response.json()) as { token: string };
    expect(await connect().auth.verifyMagicLink(token)).toMatchObject({ email });
  });

  if (version === '2.9.0') {
    it('the public client verifies tokens', async () => {
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

    it('the public client takes over a session', async () => {
      const { user } = await newPerson();
      const { client: other, email } = await newPerson();
      const response = await signIn(server, email);
      const taken = connect();
      const me = await taken.auth.setSession(
        (await response.json()) as Parameters<typeof taken.auth.setSession>[0],
      );
      expect(me.email).toBe(email);
      expect(me.id).not.toBe(user.id);
      expect((await other.auth.me())?.id).toBe(me.id);
    });

    it('the public client polls for the session of an app until it is signed in', async () => {
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

    it('the public client deletes its account', async () => {
      const { client, email } = await newPerson();
      await client.auth.deleteAccount();
      expect(client.auth.isAuthenticated()).toBe(false);
      await expect(connect().auth.signInWithEmail(email, PASSWORD)).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
      });
    });
  }
});

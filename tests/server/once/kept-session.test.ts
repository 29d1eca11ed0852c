import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Sessions that the server keeps in a cookie, for browsers without JavaScript. */

let server: RunningServer;
let ada: Author;
let bela: Author;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', SECOND_FACTOR_ROLES: 'admin' });
  ada = await signUp(server, 'Ada Byron');
  bela = await signUp(server, 'Béla Bartók');
});
afterAll(() => server.close());

interface Page {
  status: number;
  html: string;
  headers: Headers;
  /** The value of the session's cookie after this response; `undefined` when the response does not set it. */
  session: string | undefined;
}

async function open(path: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(`${server.url}${path}`, { redirect: 'manual', ...init });
  const { status, headers } = response;
  const [, session] = /^fabrica_session=([^;]*)/m.exec(headers.getSetCookie().join('\n')) ?? [];
  return { status, html: await response.text(), headers, session };
}

function submit(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const body = new URLSearchParams(fields);
  return open(path, { method: 'POST', body, headers: { origin: server.url, ...headers } });
}

/** Signs in by the form and returns the Cookie header. */
async function signIn({ email }: Author): Promise<string> {
  const { status, session, headers } = await submit('/auth', { email, password: 'a long enough passphrase' });
  expect(status).toBe(303);
  // The browser is known from now on, also to this form.
  expect(headers.getSetCookie().join('\n')).toMatch(/^fabrica_device_\S+; .*Path=\/auth; HttpOnly/m);
  expect(session).toMatch(/^journal\./);
  return `fabrica_session=${session}`;
}

function api(method: string, path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${server.url}/api/auth/${path}`, { method, headers });
}

const SIGN_OUT = 'value="sign-out"';

describe('a page for a session that the server keeps', () => {
  it('is rendered for its reader alone, and neither comes from the shared cache nor enters it', async () => {
    const cookie = await signIn(ada);
    for (const path of ['/gallery', '/about-me', '/gallery.data']) {
      const shared = await open(path);
      const own = await open(path, {
        headers: { cookie, 'if-none-match': shared.headers.get('etag') ?? '' },
      });
      expect(own.status).toBe(200);
      expect(own.headers.get('cache-control')).toBe('private, no-store');
      expect(own.headers.get('etag')).toBeNull();
      const after = await open(path);
      expect(after.html).toBe(shared.html);
      expect(after.headers.get('etag')).toBe(shared.headers.get('etag'));
      if (path.endsWith('.data')) continue;
      expect(own.html).toContain(SIGN_OUT);
      expect(shared.html).not.toContain(SIGN_OUT);
      expect(own.html).not.toContain(ada.email);
    }
  });

  it('is not signed in with a cookie that is forged, empty, spent or of nobody, and the cookie is removed', async () => {
    const spent = ada.session.refresh_token;
    await api('POST', 'refresh', {}).catch(() => undefined);
    await fetch(`${server.url}/api/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: spent }),
    });
    for (const token of [
      spent,
      'journal.',
      `journal.${'A'.repeat(43)}`,
      `other.${'A'.repeat(43)}`,
      '%00',
      'x',
    ]) {
      const { html, status, session } = await open('/about-me', {
        headers: { cookie: `fabrica_session=${token}` },
      });
      expect(status).toBe(200);
      expect(html).not.toContain(SIGN_OUT);
      expect(session).toBe('');
    }
  });

  it('has a session as every other: listed, ended from elsewhere, and by its own form', async () => {
    const fresh = await signUp(server, 'Clara Haskil');
    const authorization = `Bearer ${fresh.token}`;
    const cookie = await signIn(fresh);
    const list = async () =>
      (
        (await (await api('GET', 'sessions', { authorization })).json()) as {
          sessions: { id: string; current: boolean }[];
        }
      ).sessions;
    const kept = (await list()).find(({ current }) => !current);
    expect((await api('DELETE', `sessions/${kept?.id}`, { authorization })).status).toBe(200);
    expect((await open('/about-me', { headers: { cookie } })).html).not.toContain(SIGN_OUT);

    const again = await signIn(fresh);
    expect(await list()).toHaveLength(2);
    const left = await submit(
      '/auth/session',
      { intent: 'sign-out', return_to: '/about-me' },
      { cookie: again },
    );
    expect([left.status, left.headers.get('location'), left.session]).toEqual([303, '/about-me', '']);
    expect(await list()).toHaveLength(1);
    expect((await open('/about-me', { headers: { cookie: again } })).html).not.toContain(SIGN_OUT);
  });

  it('is no longer signed in after the password was changed elsewhere', async () => {
    const fresh = await signUp(server, 'Dinu Lipatti');
    const cookie = await signIn(fresh);
    const changed = await fetch(`${server.url}/api/auth/password/change`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fresh.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        oldPassword: 'a long enough passphrase',
        newPassword: 'quite another passphrase',
      }),
    });
    expect(changed.status).toBe(200);
    expect((await open('/about-me', { headers: { cookie } })).html).not.toContain(SIGN_OUT);
  });
});

describe('the cookie of a session', () => {
  it('gives no access to the API, where only the token of the call counts', async () => {
    const cookie = await signIn(ada);
    expect((await api('GET', 'me', { cookie })).status).toBe(401);
    const response = await api('GET', 'me', { cookie, authorization: `Bearer ${bela.token}` });
    expect(await response.json()).toMatchObject({ user: { id: bela.id } });
  });

  it('is of no use to a form of another site', async () => {
    const cookie = await signIn(ada);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, session } = await submit('/auth/session', { intent: 'take' }, {
        cookie,
        ...headers,
      } as Record<string, string>);
      expect([status, session]).toEqual([403, undefined]);
    }
    const { status } = await submit(
      '/auth/session',
      { intent: 'sign-out', more: 'x'.repeat(170_000) },
      { cookie },
    );
    expect(status).toBe(413);
    expect((await open('/about-me', { headers: { cookie } })).html).toContain(SIGN_OUT);
  });

  it('is handed to a page whose script runs, as often as its response is lost, until that page has the tokens', async () => {
    const cookie = await signIn(ada);
    const first = await submit('/auth/session', { intent: 'take' }, { cookie });
    const second = await submit('/auth/session', { intent: 'take' }, { cookie });
    const tokens = [first, second].map(
      ({ html }) => JSON.parse(html) as { refresh_token: string; user: { id: string } },
    );
    expect(tokens.map(({ user }) => user.id)).toEqual([ada.id, ada.id]);
    expect(new Set(tokens.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    expect([first.session, second.session]).toEqual([undefined, undefined]);
    expect((await submit('/auth/session', { intent: 'taken' }, { cookie })).session).toBe('');
    expect((await submit('/auth/session', { intent: 'take' })).status).toBe(401);
  });
});

describe('the second step without JavaScript', () => {
  const PASSWORD = 'a long enough passphrase';

  /** Calls the API as the owner of an account. */
  async function call(author: Author, path: string, body: unknown) {
    const response = await fetch(`${server.url}/api/auth/factors/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as { secret: string; setUp: string; recoveryCodes: string[] };
  }

  /** Sends the sign-in form and returns the Cookie header with the ticket. */
  async function askForStep({ email }: Author, query = ''): Promise<string> {
    const { status, headers, session } = await submit(`/auth${query}`, { email, password: PASSWORD });
    expect([status, headers.get('location'), session]).toEqual([303, `/auth/step${query}`, undefined]);
    const [cookie = ''] = headers.getSetCookie().filter((line) => line.startsWith('fabrica_step='));
    expect(cookie).toMatch(/; Max-Age=600; Path=\/auth; HttpOnly; SameSite=Lax$/);
    return cookie.split(';')[0] ?? '';
  }

  const fieldsOf = (html: string, names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&'),
      ]),
    );

  it('a form signs in only once the second step is taken, and then the session is kept', async () => {
    const fresh = await signUp(server, 'Emil Gilels');
    const { secret, setUp } = await call(fresh, 'totp/begin', { proof: { password: PASSWORD } });
    const { recoveryCodes } = await call(fresh, 'totp', { setUp, code: codeNow(secret) });
    const cookie = await askForStep(fresh, '?return_to=%2Fabout-me');
    expect((await open('/about-me', { headers: { cookie } })).html).not.toContain(SIGN_OUT);

    const page = await open('/auth/step?return_to=%2Fabout-me', { headers: { cookie } });
    expect(page.html).toContain('name="code"');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    const step = (code: string) =>
      submit('/auth/step?return_to=%2Fabout-me', { intent: 'code', code }, { cookie });
    const wrong = await step('000000');
    expect([wrong.status, wrong.session]).toEqual([400, undefined]);
    expect(wrong.html).toContain('This code is wrong');
    expect((await step('')).status).toBe(400);
    const done = await step(recoveryCodes[0] ?? '');
    expect([done.status, done.headers.get('location')]).toEqual([303, '/about-me']);
    const kept = { cookie: `fabrica_session=${done.session}` };
    expect((await open('/about-me', { headers: kept })).html).toContain(SIGN_OUT);
    expect((await step(recoveryCodes[1] ?? '')).html).toContain('This sign-in is over');
  });

  it('a role that has to have a factor sets it up before anything else, and keeps its recovery codes', async () => {
    const fresh = await signUp(server, 'Friedrich Gulda');
    const before = await signIn(fresh);
    expect((await runFabricaHere(['user', 'set-role', fresh.email, 'admin'], server.settings)).exitCode).toBe(
      0,
    );
    expect((await open('/about-me', { headers: { cookie: before } })).html).not.toContain(SIGN_OUT);

    const cookie = await askForStep(fresh);
    const begun = await submit('/auth/step', { intent: 'begin-app' }, { cookie });
    const app = fieldsOf(begun.html, ['secret', 'uri', 'setUp']);
    expect(begun.html).toContain('<svg role="img"');
    const wrong = await submit('/auth/step', { intent: 'app', code: '000000', ...app }, { cookie });
    expect(wrong.status).toBe(400);
    expect(fieldsOf(wrong.html, ['setUp'])).toEqual({ setUp: app.setUp });
    const code = codeNow(app.secret ?? '');
    const done = await submit('/auth/step', { intent: 'app', code, ...app }, { cookie });
    expect(done.html.match(/[A-Z2-7]{5}-[A-Z2-7]{5}(?=<)/g)).toHaveLength(10);
    const kept = { cookie: `fabrica_session=${done.session}` };
    expect((await open('/about-me', { headers: kept })).html).toContain(SIGN_OUT);
    const onward = await submit('/auth/step?return_to=%2Fabout-me', { intent: 'go-on' }, kept);
    expect([onward.status, onward.headers.get('location')]).toEqual([303, '/about-me']);
  });

  it('the session of a reader is handed to no app that the reader has not signed in for', async () => {
    const cookie = await signIn(ada);
    const path = '/auth/step?mode=mobile-session&session_id=an-app-that-waits-0001';
    expect((await submit(path, { intent: 'go-on' }, { cookie })).status).toBe(400);
    expect((await open('/about-me', { headers: { cookie } })).html).toContain(SIGN_OUT);
  });

  it.each([
    ['no ticket', ''],
    [
      'a forged ticket',
      `fabrica_step=${Buffer.from('{"ticket":"journal.x","methods":[]}').toString('base64url')}`,
    ],
    ['something else', 'fabrica_step=x'],
  ])('a form with %s signs nobody in', async (_, cookie) => {
    const { status, session, html } = await submit(
      '/auth/step',
      { intent: 'code', code: '123456' },
      { cookie },
    );
    expect([status, session]).toEqual([400, undefined]);
    expect(html).toContain('This sign-in is over');
  });
});

it('the server does not start with a role for second factors that no project has', async () => {
  await expect(startServer({ SECOND_FACTOR_ROLES: 'admin,editors' })).rejects.toThrow(
    'SECOND_FACTOR_ROLES: there is no role "editors"',
  );
});

import { randomBytes } from 'node:crypto';
import { CODE_TRIES } from '@fabrica/contract';
import { PASSWORD, signIn, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messages } from '../../../apps/journal/messages/en/index.ts';

/** The pages of `/auth` in a browser without JavaScript: their URLs, forms and redirects. */

const READER = 'https://reader.example';

let server: RunningServer;
/** A server that requires a verified e-mail address and limits the rate of attempts. */
let strict: RunningServer;

beforeAll(async () => {
  const settings = { DEMO: 'off', ALLOWED_ORIGINS: READER };
  server = await startServer({ ...settings, RATE_LIMIT: 'off' });
  strict = await startServer({ ...settings, REQUIRE_VERIFIED_EMAIL: 'on', TRUST_PROXY: '1' });
});
afterAll(async () => {
  await server.close();
  await strict.close();
});

interface Page {
  status: number;
  html: string;
  headers: Headers;
  /** The target of a redirect. */
  location: URL | undefined;
}

interface Sent {
  on?: RunningServer | undefined;
  method?: string;
  headers?: Record<string, string> | undefined;
  body?: BodyInit;
}

async function request(path: string, { on = server, headers = {}, ...init }: Sent = {}): Promise<Page> {
  // Browsers name the page that sends a form.
  const sender = init.method === 'POST' ? { origin: on.url } : {};
  const response = await fetch(`${on.url}${path}`, {
    redirect: 'manual',
    headers: { ...sender, ...headers },
    ...init,
  });
  const location = response.headers.get('location');
  return {
    status: response.status,
    html: await response.text(),
    headers: response.headers,
    location: location === null ? undefined : new URL(location, on.url),
  };
}

/** Submits the page's form with the given intent as a browser does, with the typed values. */
async function send(
  path: string,
  typed: Record<string, string>,
  options: {
    on?: RunningServer;
    headers?: Record<string, string>;
    intent?: string | undefined;
    html?: string;
  } = {},
): Promise<Page> {
  const { on, headers, intent, html = (await request(path, { on, headers })).html } = options;
  const body = new URLSearchParams({ ...readForm(html, intent), ...typed });
  return request(path, { on, headers, method: 'POST', body });
}

function readForm(html: string, intent: string | undefined): Record<string, string> {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const forms = [...main.matchAll(/<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)].map(([, form = '']) =>
    Object.fromEntries(
      [...form.matchAll(/<input[^>]*>/g)].map(([input]) => [
        attribute(input, 'name') ?? '',
        attribute(input, 'value') ?? '',
      ]),
    ),
  );
  const form = forms.find((fields) => fields.intent === intent);
  if (!form) throw new Error(`The page has no form "${intent ?? ''}".`);
  return form;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i')
    .exec(tag)?.[1]
    ?.replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function inputNamed(html: string, name: string): string {
  const input = [...html.matchAll(/<input[^>]*>/g)].find(([tag]) => attribute(tag, 'name') === name)?.[0];
  if (!input) throw new Error(`The page has no field "${name}".`);
  return input;
}

/** Returns the description of a field by its `aria-describedby`. */
function complaintAt(html: string, name: string): string | undefined {
  const id = attribute(inputNamed(html, name), 'aria-describedby');
  const note = id && new RegExp(`id="${id}"[^>]*>(?:<svg[\\s\\S]*?</svg>)?([^<]*)<`).exec(html)?.[1];
  return note?.replaceAll('&#x27;', "'");
}

function alertIn(html: string): string | undefined {
  return /role="alert"[^>]*>(?:<svg[\s\S]*?<\/svg>)?([^<]*)</.exec(html)?.[1];
}

/** Waits for a mail to an address that links to this page, and returns its text, code and link. */
async function mailTo(
  email: string,
  { on = server, path }: { on?: RunningServer; path: string },
): Promise<{ text: string; code: string; link: URL }> {
  const find = async () => (await on.mailsTo(email)).findLast(({ text }) => text.includes(path));
  await expect.poll(find).toBeDefined();
  const { text = '' } = (await find()) ?? {};
  const code = /\b\d{3} ?\d{3}\b/.exec(text)?.[0] ?? '';
  const link = new URL(/https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? '');
  return { text, code, link };
}

const newEmail = () => `person-${randomBytes(6).toString('hex')}@example.org`;

function pathWith(path: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    redirect_url: `${READER}/landing?own=1`,
    state: 's&=',
    lang: 'en',
    ...more,
  });
  return `${path}?${query}`;
}

async function expectSession(location: URL | undefined, email: string, on = server): Promise<void> {
  expect(location?.origin).toBe(READER);
  const query = Object.fromEntries(location?.searchParams ?? []);
  expect(query).toMatchObject({
    own: '1',
    state: 's&=',
    project_id: 'journal',
    token_type: 'Bearer',
    refresh_token: expect.any(String),
    expires_in: '900',
    refresh_expires_in: '2592000',
  });
  const me = await fetch(`${on.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${query.access_token}` },
  });
  expect(await me.json()).toMatchObject({ user: { email } });
}

describe('signing in without JavaScript, for a page of an allowed origin', () => {
  it('a form without JavaScript redirects to the page of an allowed origin with the tokens', async () => {
    const { email } = await signUp(server);
    const response = await send(pathWith('/auth'), { email: ` ${email.toUpperCase()} `, password: PASSWORD });
    expect(response.status).toBe(303);
    await expectSession(response.location, email);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('referrer-policy')).toBe('strict-origin');
  });

  it('a sign-up without JavaScript creates an account with its name', async () => {
    const email = newEmail();
    const path = pathWith('/auth', { view: 'sign-up' });
    const response = await send(path, { email, password: PASSWORD, name: 'Grace Hopper' });
    expect(response.status).toBe(303);
    await expectSession(response.location, email);
    const me = await fetch(`${server.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${response.location?.searchParams.get('access_token')}` },
    });
    expect(await me.json()).toMatchObject({ user: { displayName: 'Grace Hopper' } });
  });

  it('a faulty sign-up form names the faults beside the fields and keeps all values but the password', async () => {
    const typed = { email: 'ada@"example', password: 'short', name: 'Ada <b>' };
    const { status, html } = await send(pathWith('/auth', { view: 'sign-up' }), typed);
    expect(status).toBe(400);
    expect(complaintAt(html, 'email')).toBe('Please enter a valid email address.');
    expect(complaintAt(html, 'password')).toContain('10 to 200 characters');
    expect(attribute(inputNamed(html, 'email'), 'value')).toBe(typed.email);
    expect(inputNamed(html, 'name')).toContain('Ada &lt;b&gt;');
    expect(inputNamed(html, 'password')).not.toContain('value');
    expect(html).not.toContain('short');
  });

  it('a refused sign-in or sign-up is explained in the reader’s language', async () => {
    const { email } = await signUp(server);
    const wrong = await send(pathWith('/auth', { lang: 'de' }), { email, password: 'not the passphrase' });
    expect(wrong.status).toBe(401);
    expect(alertIn(wrong.html)).toBe('E-Mail oder Passwort ist falsch. Bitte versuchen Sie es erneut.');
    expect(attribute(inputNamed(wrong.html, 'email'), 'value')).toBe(email);
    const taken = await send(pathWith('/auth', { view: 'sign-up' }), { email, password: PASSWORD });
    expect(taken.status).toBe(409);
    expect(complaintAt(taken.html, 'email')).toBe('An account with this email already exists.');
  });

  it('a sign-in for an app that polls gives the session to the app and none to the page', async () => {
    const { email } = await signUp(server);
    const sessionId = randomBytes(16).toString('base64url');
    const path = `/auth?mode=mobile-session&session_id=${sessionId}&lang=en`;
    expect((await request(path)).html).toContain('You are signing in for an app.');
    const poll = () => fetch(`${server.url}/api/auth/mobile-session/${sessionId}`);
    expect((await poll()).status).toBe(202);
    const response = await send(path, { email, password: PASSWORD });
    expect(response.status).toBe(303);
    expect(response.location?.href).toBe(`${server.url}/auth/complete?done=app`);
    expect((await request('/auth/complete?done=app&lang=en')).html).toContain('You can go back to the app.');
    const polled = (await (await poll()).json()) as { access_token: string; user: { email: string } };
    expect(polled.user.email).toBe(email);
    const sessions = await fetch(`${server.url}/api/auth/sessions`, {
      headers: { authorization: `Bearer ${polled.access_token}` },
    });
    const { sessions: open } = (await sessions.json()) as { sessions: { method: string }[] };
    // One of the sign-up and one of the app: the session in between has ended.
    expect(open.map(({ method }) => method).sort()).toEqual(['hand-over', 'password']);
  });

  it('a session of a form is listed with the reader’s browser', async () => {
    const { email, token } = await signUp(server);
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await send(pathWith('/auth'), { email, password: PASSWORD }, { headers: { 'user-agent': agent } });
    const response = await fetch(`${server.url}/api/auth/sessions`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { sessions } = (await response.json()) as { sessions: { device: string | null }[] };
    expect(sessions.map(({ device }) => device)).toContain('Firefox, Windows');
  });
});

describe('signing in without JavaScript, for this site itself', () => {
  it('a form without JavaScript signs in to the journal, by a cookie that no script and no other site can use', async () => {
    const { email } = await signUp(server);
    const response = await send('/auth?lang=en&return_to=/post/post_1%23comments', {
      email,
      password: PASSWORD,
    });
    expect(response.status).toBe(303);
    expect(response.location?.href).toBe(`${server.url}/post/post_1#comments`);
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('fabrica_session='));
    expect(cookie?.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Lax',
    ]);
  });

  it('a form without JavaScript leads to no other site', async () => {
    for (const target of ['//evil.example', 'https://evil.example/', '/\\evil.example', '/auth/session']) {
      const { email } = await signUp(server);
      const path = `/auth?return_to=${encodeURIComponent(target)}`;
      const response = await send(path, { email, password: PASSWORD });
      expect(response.location?.href).toBe(`${server.url}/gallery`);
    }
  });
});

describe('an e-mail address that has to be verified first', () => {
  it('an unverified e-mail address is verified with the six digits of the mail and can then sign in', async () => {
    const email = newEmail();
    const path = pathWith('/auth', { view: 'sign-up' });
    const asking = await send(path, { email, password: PASSWORD }, { on: strict });
    expect(asking.status).toBe(403);
    expect(asking.html).toContain(email);
    expect(inputNamed(asking.html, 'code')).toMatch(/inputmode="numeric".*autocomplete="one-time-code"/i);
    const { code } = await mailTo(email, { on: strict, path: '/auth/verify' });

    const same = { on: strict, intent: 'verify', html: asking.html };
    const missing = await send(path, { code: '12' }, same);
    expect(missing.status).toBe(400);
    expect(complaintAt(missing.html, 'code')).toBe(messages.authMail.code.missing);
    expect(attribute(inputNamed(missing.html, 'code'), 'value')).toBe('12');
    const wrong = await send(path, { code: code.includes('1') ? '222222' : '111111' }, same);
    expect(wrong.status).toBe(400);
    expect(complaintAt(wrong.html, 'code')).toBe(messages.authMail.code.wrong(CODE_TRIES));

    const right = await send(path, { code, ownPassword: PASSWORD }, same);
    expect(right.status).toBe(200);
    expect(right.html).toContain('Your address is verified. You can sign in now.');
    expect(attribute(inputNamed(right.html, 'email'), 'value')).toBe(email);
    const signedIn = await send(pathWith('/auth'), { email, password: PASSWORD }, { on: strict });
    expect(signedIn.status).toBe(303);
    await expectSession(signedIn.location, email, strict);
  });

  it('attempts by a form are limited for each IP address', async () => {
    const email = newEmail();
    const attempt = (from: string) =>
      send(
        pathWith('/auth'),
        { email, password: 'not the passphrase' },
        { on: strict, headers: { 'x-forwarded-for': from } },
      );
    const statuses = [];
    for (let tries = 0; tries < 11; tries += 1) statuses.push((await attempt('203.0.113.7')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const refused = await attempt('203.0.113.7');
    expect(alertIn(refused.html)).toBe('Too many attempts. Please wait a moment and try again.');
    expect((await attempt('203.0.113.8')).status).toBe(401);
  });

  it('attempts by a form and by the API count together for an IP address', async () => {
    const email = newEmail();
    for (let tries = 0; tries < 10; tries += 1) {
      const response = await signIn(strict, email, { password: 'not the passphrase' });
      expect(response.status).toBe(401);
    }
    const response = await send(pathWith('/auth'), { email, password: PASSWORD }, { on: strict });
    expect(response.status).toBe(429);
  });
});

describe('mails requested without JavaScript', () => {
  it('a wrong code of a reset mail is explained, and its link sets a new password without JavaScript', async () => {
    const { email } = await signUp(server);
    const sent = await send('/auth/forgot?lang=en', { email }, { intent: 'ask' });
    expect(sent.status).toBe(200);
    const { link, code } = await mailTo(email, { path: '/auth/reset' });
    const typed = { code: code.includes('1') ? '222222' : '111111', password: 'a wholly new passphrase' };
    const wrong = await send('/auth/forgot?lang=en', typed, { intent: 'code', html: sent.html });
    expect([wrong.status, complaintAt(wrong.html, 'code')]).toEqual([
      400,
      messages.authMail.code.wrong(CODE_TRIES),
    ]);
    expect(attribute(inputNamed(wrong.html, 'code'), 'value')).toBe(typed.code);
    expect(inputNamed(wrong.html, 'password')).not.toContain('value');
    const byLink = `${link.pathname}${link.search}`;
    const weak = await send(byLink, { password: 'short' }, { intent: 'save' });
    expect(weak.status).toBe(400);
    expect(complaintAt(weak.html, 'password')).toContain('10 to 200 characters');
    expect((await send(byLink, { password: 'a wholly new passphrase' }, { intent: 'save' })).status).toBe(
      200,
    );
    const signedIn = await send(pathWith('/auth'), { email, password: 'a wholly new passphrase' });
    await expectSession(signedIn.location, email);
  });

  it('only the button of the page verifies an e-mail address, not opening the link', async () => {
    const { email, token } = await signUp(server);
    const { link } = await mailTo(email, { path: '/auth/verify' });
    const path = `${link.pathname}${link.search}&lang=en`;
    const isVerified = async () => {
      const me = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
      return ((await me.json()) as { user: { emailVerified: boolean } }).user.emailVerified;
    };
    expect((await request(path)).status).toBe(200);
    expect((await request(path, { method: 'HEAD' })).status).toBe(200);
    expect(await isVerified()).toBe(false);
    const { html } = await request(path);
    const intent = attribute(inputNamed(html, 'intent'), 'value');
    const wrong = await send(path, { ownPassword: 'not the passphrase' }, { intent });
    expect(wrong.status).toBe(400);
    expect(complaintAt(wrong.html, 'ownPassword')).toContain(messages.authMail.verify.passwordWrong);
    expect((await send(path, { ownPassword: PASSWORD }, { intent })).status).toBe(200);
    expect(await isVerified()).toBe(true);
  });

  it('a sign-in mail is in the page’s language, and its code signs in for an allowed origin', async () => {
    const email = newEmail();
    const path = pathWith('/auth/magic', { lang: 'fr' });
    const sent = await send(path, { email }, { intent: 'ask' });
    expect(sent.status).toBe(200);
    const { code, text } = await mailTo(email, { path: '/auth/magic' });
    expect(text).toContain('Se connecter');
    const signedIn = await send(path, { code }, { intent: 'code', html: sent.html });
    expect(signedIn.status).toBe(303);
    await expectSession(signedIn.location, email);
  });
});

describe('the headers and fields of sign-in pages', () => {
  it.each([
    ['/auth', 'no-cache'],
    ['/auth/magic', 'no-cache'],
    ['/auth/forgot', 'no-cache'],
    ['/auth?email=ada%40journal.test', 'private, no-store'],
    ['/auth/reset?token=1', 'private, no-store'],
    ['/auth/step', 'private, no-store'],
    ['/auth/verify?token=1', 'private, no-store'],
    ['/auth/complete?done=app', 'private, no-store'],
  ])('%s is %s, sends no referrer path, and lets a popup reach its opener', async (path, caching) => {
    const { headers, status } = await request(path);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe(caching);
    expect(headers.get('referrer-policy')).toBe('strict-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action 'self' ${READER}`);
    expect(policy).toContain(`frame-ancestors 'self' ${READER}`);
  });

  it('other pages keep the stricter headers', async () => {
    const { headers } = await request('/gallery');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(headers.get('content-security-policy')).toContain("form-action 'self';");
  });

  it('the fields have the names that password managers know', async () => {
    const tokens = async (path: string, name: string) =>
      attribute(inputNamed((await request(path)).html, name), 'autocomplete');
    expect(await tokens('/auth', 'email')).toBe('username webauthn');
    expect(await tokens('/auth', 'password')).toBe('current-password');
    expect(await tokens('/auth?view=sign-up', 'email')).toBe('email');
    expect(await tokens('/auth?view=sign-up', 'password')).toBe('new-password');
  });

  it('the links to other ways to sign in keep the parameters of the request', async () => {
    const { html } = await request(pathWith('/auth'));
    for (const path of ['/auth/magic', '/auth/forgot']) {
      const href = new RegExp(`href="(${path}[^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const query = Object.fromEntries(new URL(href, server.url).searchParams);
      expect(query).toEqual({ redirect_url: `${READER}/landing?own=1`, state: 's&=' });
    }
  });

  it('the sign-in page explains an error of a provider', async () => {
    const alertFor = async (code: string) => alertIn((await request(`/auth?lang=en&error=${code}`)).html);
    expect(await alertFor('POPUP_CANCELED')).toBe('Sign-in was canceled. Please try again.');
    expect(await alertFor('EMAIL_ALREADY_EXISTS')).toBe('An account with this email already exists.');
    expect(await alertFor('%3Cscript%3E')).toBe('Authentication error. Please try again.');
  });

  it('the sign-in page names a requested provider that is not configured', async () => {
    const { html } = await request('/auth?lang=en&provider=museum');
    expect(alertIn(html)).toContain('Museum is not offered here');
    expect(html).toContain('type="password"');
  });
});

describe('refused requests to sign-in pages', () => {
  const popup = `mode=popup&opener_origin=${encodeURIComponent(READER)}`;
  it.each([
    ['an address that is not allowed', 'redirect_url=https://evil.example/'],
    ['a name like an allowed one', `redirect_url=${READER}.evil.example/`],
    ['a script', 'redirect_url=javascript:alert(1)'],
    ['a foreign opener', 'mode=popup&opener_origin=https://evil.example'],
    ['any opener', 'mode=popup&opener_origin=*'],
    ['a popup that leads elsewhere', `${popup}&redirect_url=https://evil.example`],
    ['another project', `${popup}&project_id=another`],
    ['a way that is not offered', 'mode=carrier-pigeon'],
    ['a session of an app that can be guessed', 'mode=mobile-session&session_id=1'],
  ])('every sign-in page refuses %s without showing a form', async (_, query) => {
    for (const page of ['/auth', '/auth/complete', '/auth/magic']) {
      const { status, html } = await request(`${page}?${query}&lang=en`);
      expect(status, page).toBe(400);
      expect(html, page).toContain('This sign-in link cannot be used');
      expect(html, page).not.toContain('name="email"');
      const body = new URLSearchParams({ email: 'ada@example.org', password: PASSWORD });
      const posted = await request(`${page}?${query}`, { method: 'POST', body });
      expect([posted.status, posted.location], page).toEqual([400, undefined]);
    }
  });

  it('a link of a mail hands its token to no address that is not allowed', async () => {
    for (const page of ['/auth/magic', '/auth/reset']) {
      for (const redirect_url of [
        ...[
          'https://evil.example/',
          `${READER}.evil.example/`,
          `blob:${READER}/x`,
          'javascript:alert(1)',
          '',
        ],
      ]) {
        const path = `${page}?${new URLSearchParams({ token: 'x', redirect_url, lang: 'en' })}`;
        const { status, html } = await request(path);
        expect([status, html], path).toEqual([400, expect.stringContaining(messages.signIn.refused.origin)]);
        const body = new URLSearchParams({ intent: 'onward' });
        expect((await request(path, { method: 'POST', body })).status, path).toBe(400);
      }
    }
  });

  it('a form that another site sends is refused', async () => {
    const { email } = await signUp(server);
    const body = () => new URLSearchParams({ email, password: PASSWORD });
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: READER },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: server.url },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const response = await request(pathWith('/auth'), {
        method: 'POST',
        headers: headers as never,
        body: body(),
      });
      expect([response.status, response.location], JSON.stringify(headers)).toEqual([403, undefined]);
    }
    const own = await request(pathWith('/auth'), {
      method: 'POST',
      headers: { origin: server.url },
      body: body(),
    });
    expect(own.status).toBe(303);
  });

  it('a form that is too long or in another format is refused', async () => {
    const post = (init: Sent) => request('/auth', { method: 'POST', ...init });
    expect((await post({ body: new URLSearchParams({ email: 'x'.repeat(170_000) }) })).status).toBe(413);
    expect((await post({ body: JSON.stringify({ email: 'x' }) })).status).toBe(415);
    expect((await post({ body: new FormData() })).status).toBe(415);
  });

  it.each(['/gallery', '/', '/admin', '/about-me', '/authors', '/auth/magic/more'])(
    'a form to %s is refused, since that page has none',
    async (path) => {
      const response = await request(path, { method: 'POST', body: new URLSearchParams() });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it.each([
    ['nothing', ''],
    ['NUL', 'email=a%00b@example.org&password=%00%00%00%00%00%00%00%00%00%00&name=%00'],
    ['bytes that are no text', 'email=%FF%FE&password=%C3%28&name=%ED%A0%80'],
    ['a field again and again', 'email=a&email=b&password=c&password=d'],
    ['an endless code', `intent=verify&email=a@example.org&code=${'1'.repeat(5_000)}`],
    ['no such step', 'intent=%00'],
    ['an endless password', `email=ada@example.org&password=${'p'.repeat(60_000)}`],
  ])('a form with %s gets a response below 500 from every page', async (_, body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const page of [
      '/auth',
      '/auth/magic',
      '/auth/forgot',
      '/auth/reset',
      '/auth/step',
      '/auth/verify',
      '/auth/complete',
      '/account',
    ]) {
      for (const path of [page, pathWith(page, { view: 'sign-up', token: '1', code: '1' }), `${page}.data`]) {
        const { status } = await request(path, { method: 'POST', headers, body });
        expect(status, path).toBeGreaterThanOrEqual(200);
        expect(status, path).toBeLessThan(500);
      }
    }
  });
});

it('the servers of these tests have logged no errors', () => {
  expect(server.output()).not.toMatch(/"level":(50|60)/);
  expect(strict.output()).not.toMatch(/"level":(50|60)/);
});

describe('a site without a mail server', () => {
  it('promises no mail on any page, and says so at its start', async () => {
    const { unsent, magic, forgot, send: sending } = messages.authMail;
    for (const [page, promise] of [
      ['/auth/magic', magic],
      ['/auth/forgot', forgot],
    ] as const) {
      const before = await request(page);
      expect(before.html).toContain(unsent.lead);
      expect(before.html).not.toContain(promise.lead);
      expect(before.html).toContain(sending.code);
      expect(before.html).not.toContain(promise.send);
      const { html } = await send(page, { email: 'nobody@example.org' }, { intent: 'ask' });
      expect(html).toContain(unsent.requested);
      expect(html).toContain(unsent.newest);
      expect(html).not.toContain('is on its way');
    }
    const signUpPage = await request('/auth?view=sign-up');
    expect(signUpPage.html).toContain(messages.signIn.signUpLead);
    expect(signUpPage.html).not.toContain(messages.signIn.signUpMail);
    const signInPage = await request('/auth');
    expect(signInPage.html).toContain(unsent.magic);
    expect(signInPage.html).not.toContain(messages.signIn.magicLink);
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => line.includes('SMTP_URL'));
    expect(warnings).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, ORIGINS, type ServedProjects, serveProjects } from './serve-projects.ts';

let projects: ServedProjects;
beforeAll(async () => {
  projects = await serveProjects();
});
afterAll(() => projects.close());

describe('pages of another origin', () => {
  /** Who may read the answer to this call, made from a page of that origin. */
  async function readers(
    origin: string,
    path: string,
    { method = 'GET', ...rest }: Call & { method?: string } = {},
  ) {
    const { headers } = await projects.call(method, path, { ...rest, headers: { origin } });
    expect(headers.get('vary')).toContain('Origin');
    return headers.get('access-control-allow-origin');
  }
  /** What a browser is told that asks before it sends. */
  async function preflight(origin: string, path: string, { withToken = false } = {}) {
    const { status, headers } = await projects.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': withToken ? 'authorization,content-type' : 'content-type',
      },
    });
    expect(status).toBe(204);
    return headers.get('access-control-allow-origin');
  }
  const origins = () => [
    projects.url,
    ORIGINS.atlas,
    ORIGINS.clinic,
    ORIGINS.journal,
    ORIGINS.stranger,
    'null',
  ];
  const allOf = async (ask: (origin: string) => Promise<string | null>) => {
    const answers = await Promise.all(origins().map(async (origin) => [origin, await ask(origin)] as const));
    return Object.fromEntries(answers.filter(([, answer]) => answer !== null));
  };
  const only = (...listed: string[]) => Object.fromEntries(listed.map((origin) => [origin, origin]));

  it.each([
    ['api/db/atlas/rest/v1/plates', ORIGINS.atlas],
    ['api/storage/atlas/download?path=none', ORIGINS.atlas],
    ['api/ai/atlas/text', ORIGINS.atlas],
    ['api/db/clinic/rest/v1/plates', ORIGINS.clinic],
    ['api/db/journal/rest/v1/journal_posts', ORIGINS.journal],
  ])('read %s from %s and from ours', async (path, origin) => {
    expect(await allOf((asking) => readers(asking, path))).toEqual(only(projects.url, origin));
    expect(await allOf((asking) => readers(asking, path, { token: 'nonsense' }))).toEqual(
      only(projects.url, origin),
    );
    expect(await allOf((asking) => preflight(asking, path))).toEqual(only(projects.url, origin));
    expect(await allOf((asking) => preflight(asking, path, { withToken: true }))).toEqual(
      only(projects.url, origin),
    );
  });

  it('of a project that is not here are ours alone', async () => {
    expect(await allOf((asking) => readers(asking, 'api/db/nowhere/rest/v1/plates'))).toEqual(
      only(projects.url),
    );
    expect(await allOf((asking) => preflight(asking, 'api/db/nowhere/rest/v1/plates'))).toEqual(
      only(projects.url),
    );
  });

  it('read what is open to everybody from anywhere, but bring no token', async () => {
    const path = 'api/db/notices/rest/v1/notices';
    const everywhere = Object.fromEntries(origins().map((origin) => [origin, '*']));
    expect(await allOf((asking) => readers(asking, path))).toEqual({ ...everywhere, ...only(projects.url) });
    expect(await allOf((asking) => preflight(asking, path))).toEqual({
      ...everywhere,
      ...only(projects.url),
    });
    expect(await allOf((asking) => readers(asking, path, { token: 'nonsense' }))).toEqual(only(projects.url));
    expect(await allOf((asking) => preflight(asking, path, { withToken: true }))).toEqual(only(projects.url));
  });

  it('sign in to the project that is theirs, and learn nothing of another one', async () => {
    const account = { email: 'alan@example.org', password: 'ten thousand leaves' };
    const { body: session } = await projects.enter('signup', 'atlas', account);
    const signIn = (password: string) => (asking: string) =>
      readers(asking, 'api/auth/signin/email', {
        method: 'POST',
        body: { projectId: 'atlas', email: account.email, password },
      });
    expect(await allOf(signIn(account.password))).toEqual(only(projects.url, ORIGINS.atlas));
    expect(await allOf(signIn('a wrong one altogether'))).toEqual(only(projects.url, ORIGINS.atlas));
    const own = { token: session.access_token };
    expect(await allOf((asking) => readers(asking, 'api/auth/me', own))).toEqual(
      only(projects.url, ORIGINS.atlas),
    );
    const introspect = { method: 'POST', ...own };
    expect(await allOf((asking) => readers(asking, 'api/auth/introspect', introspect))).toEqual(
      only(projects.url, ORIGINS.atlas),
    );
    const providers = 'api/auth/providers?projectId=atlas';
    expect(await allOf((asking) => readers(asking, providers))).toEqual(only(projects.url, ORIGINS.atlas));
    const refresh = { method: 'POST', body: { refresh_token: session.refresh_token } };
    expect(await readers(ORIGINS.clinic, 'api/auth/refresh', refresh)).toBeNull();
    expect(await readers(ORIGINS.atlas, 'api/auth/refresh', refresh)).toBe(ORIGINS.atlas);
  });

  it('may ask before they sign in, when the project is not known yet', async () => {
    expect(await allOf((asking) => preflight(asking, 'api/auth/me', { withToken: true }))).toEqual(
      only(projects.url, ORIGINS.atlas, ORIGINS.clinic, ORIGINS.journal),
    );
    // What no project can be told of is no project's secret.
    const broken = { method: 'POST', body: { projectId: 'nowhere', email: 'a@example.org', password: 'x' } };
    expect(await readers(ORIGINS.clinic, 'api/auth/signin/email', broken)).toBe(ORIGINS.clinic);
    expect(await readers(ORIGINS.clinic, 'api/auth/me', { token: 'nonsense' })).toBe(ORIGINS.clinic);
    expect(await readers(ORIGINS.stranger, 'api/auth/me', { token: 'nonsense' })).toBeNull();
  });
});

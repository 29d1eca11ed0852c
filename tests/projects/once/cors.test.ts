import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, ORIGINS, type ServedProjects, serveProjects } from '../serve-projects.ts';

let projects: ServedProjects;
beforeAll(async () => {
  projects = await serveProjects();
});
afterAll(() => projects.close());

describe('pages of another origin', () => {
  /** Returns the origin that may read the response to a call from this origin. */
  async function allowedOrigin(
    origin: string,
    path: string,
    { method = 'GET', ...rest }: Call & { method?: string } = {},
  ) {
    const { headers } = await projects.call(method, path, { ...rest, headers: { origin } });
    expect(headers.get('vary')).toContain('Origin');
    return headers.get('access-control-allow-origin');
  }
  /** Returns the origin that the response to a preflight request allows. */
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
  /** Returns the allowed origin for each origin that gets one. */
  const resultsByOrigin = async (ask: (origin: string) => Promise<string | null>) => {
    const results = await Promise.all(origins().map(async (origin) => [origin, await ask(origin)] as const));
    return Object.fromEntries(results.filter(([, result]) => result !== null));
  };
  const only = (...listed: string[]) => Object.fromEntries(listed.map((origin) => [origin, origin]));

  it.each([
    ['api/db/atlas/rest/v1/plates', ORIGINS.atlas],
    ['api/storage/atlas/download?path=none', ORIGINS.atlas],
    ['api/ai/atlas/text', ORIGINS.atlas],
    ['api/db/clinic/rest/v1/plates', ORIGINS.clinic],
    ['api/db/journal/rest/v1/journal_posts', ORIGINS.journal],
  ])('the response to %s can be read from %s and from the server’s own origin', async (path, origin) => {
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, path))).toEqual(
      only(projects.url, origin),
    );
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, path, { token: 'nonsense' }))).toEqual(
      only(projects.url, origin),
    );
    expect(await resultsByOrigin((asking) => preflight(asking, path))).toEqual(only(projects.url, origin));
    expect(await resultsByOrigin((asking) => preflight(asking, path, { withToken: true }))).toEqual(
      only(projects.url, origin),
    );
  });

  it('a call for an unknown project can be read from the server’s own origin alone', async () => {
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, 'api/db/nowhere/rest/v1/plates'))).toEqual(
      only(projects.url),
    );
    expect(await resultsByOrigin((asking) => preflight(asking, 'api/db/nowhere/rest/v1/plates'))).toEqual(
      only(projects.url),
    );
  });

  it('a project that is open to all origins can be read from anywhere, but not with a token', async () => {
    const path = 'api/db/notices/rest/v1/notices';
    const everywhere = Object.fromEntries(origins().map((origin) => [origin, '*']));
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, path))).toEqual({
      ...everywhere,
      ...only(projects.url),
    });
    expect(await resultsByOrigin((asking) => preflight(asking, path))).toEqual({
      ...everywhere,
      ...only(projects.url),
    });
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, path, { token: 'nonsense' }))).toEqual(
      only(projects.url),
    );
    expect(await resultsByOrigin((asking) => preflight(asking, path, { withToken: true }))).toEqual(
      only(projects.url),
    );
  });

  it('a page can sign in to the project of its origin and to no other', async () => {
    const account = { email: 'alan@example.org', password: 'ten thousand leaves' };
    const { body: session } = await projects.signInBy('signup', 'atlas', account);
    const signIn = (password: string) => (asking: string) =>
      allowedOrigin(asking, 'api/auth/signin/email', {
        method: 'POST',
        body: { projectId: 'atlas', email: account.email, password },
      });
    expect(await resultsByOrigin(signIn(account.password))).toEqual(only(projects.url, ORIGINS.atlas));
    expect(await resultsByOrigin(signIn('a wrong one altogether'))).toEqual(
      only(projects.url, ORIGINS.atlas),
    );
    const own = { token: session.access_token };
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, 'api/auth/me', own))).toEqual(
      only(projects.url, ORIGINS.atlas),
    );
    const introspect = { method: 'POST', ...own };
    expect(
      await resultsByOrigin((asking) => allowedOrigin(asking, 'api/auth/introspect', introspect)),
    ).toEqual(only(projects.url, ORIGINS.atlas));
    const providers = 'api/auth/providers?projectId=atlas';
    expect(await resultsByOrigin((asking) => allowedOrigin(asking, providers))).toEqual(
      only(projects.url, ORIGINS.atlas),
    );
    const refresh = { method: 'POST', body: { refresh_token: session.refresh_token } };
    expect(await allowedOrigin(ORIGINS.clinic, 'api/auth/refresh', refresh)).toBeNull();
    expect(await allowedOrigin(ORIGINS.atlas, 'api/auth/refresh', refresh)).toBe(ORIGINS.atlas);
  });

  it('a preflight of a call without a known project allows the origins of all projects', async () => {
    expect(await resultsByOrigin((asking) => preflight(asking, 'api/auth/me', { withToken: true }))).toEqual(
      only(projects.url, ORIGINS.atlas, ORIGINS.clinic, ORIGINS.journal),
    );
    // A response that belongs to no project keeps no project's secret.
    const broken = { method: 'POST', body: { projectId: 'nowhere', email: 'a@example.org', password: 'x' } };
    expect(await allowedOrigin(ORIGINS.clinic, 'api/auth/signin/email', broken)).toBe(ORIGINS.clinic);
    expect(await allowedOrigin(ORIGINS.clinic, 'api/auth/me', { token: 'nonsense' })).toBe(ORIGINS.clinic);
    expect(await allowedOrigin(ORIGINS.stranger, 'api/auth/me', { token: 'nonsense' })).toBeNull();
  });
});

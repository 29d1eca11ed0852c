import {
  profileUpdate,
  providersQuery,
  refreshRequest,
  signInRequest,
  signOutRequest,
  signUpRequest,
} from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import type { Bus } from '../bus.ts';
import { parseJsonBody, parseWith } from '../http/body.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Keys } from '../keys.ts';
import { expiredToken } from './access-token.ts';
import type { Authenticator } from './authenticate.ts';
import { presentSession } from './open-session.ts';
import type { PasswordHasher } from './password.ts';
import { presentUser } from './present-user.ts';
import { publishUser } from './publish-user.ts';
import { authReader, findRefreshToken } from './queries.ts';
import { type Attempt, forgiveSignIns, limitAccount, limitAddress } from './rate-limits.ts';
import { refreshSession } from './refresh-session.ts';
import { hashRefreshToken, refreshTokenProject } from './refresh-token.ts';
import { signIn } from './sign-in.ts';
import { signOutByToken, signOutSession } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import { updateProfile } from './update-profile.ts';

/** No call of this service has more to say. */
const MAX_BYTES = 16 * 1024;

export interface AuthRoutesOptions {
  projects: ReadonlyMap<string, Project>;
  keys: Keys;
  limits: RateLimits;
  bus: Bus;
  passwords: PasswordHasher;
  authenticator: Authenticator;
}

export function authRoutes(options: AuthRoutesOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  addAccountRoutes(routes, options);
  addSessionRoutes(routes, options);
  routes.all('*', () => {
    throw new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  });
  return routes;
}

function addAccountRoutes(routes: Hono<AppEnvironment>, options: AuthRoutesOptions): void {
  const { projects, keys, limits, bus, passwords, authenticator } = options;

  routes.post('/signup', async (c) => {
    await limitAddress(limits, 'signUp', c.var.clientAddress);
    const { projectId, ...account } = await parseJsonBody(c, signUpRequest, MAX_BYTES);
    const project = requireProject(projects, projectId);
    await limitAccount(limits, {
      call: 'signUp',
      clientAddress: c.var.clientAddress,
      projectId,
      account: account.email.trim().toLowerCase(),
    });
    const session = await signUp(project, passwords, account);
    publishUser(bus, project, { before: null, after: session.user });
    return c.json(await presentSession(keys, project, session));
  });

  routes.get('/me', async (c) => {
    const { user } = await authenticator.requireSession(c.req.header('authorization'));
    return c.json({ user: presentUser(user) });
  });

  routes.patch('/me', async (c) => {
    const { project, user } = await authenticator.requireSession(c.req.header('authorization'));
    const changes = await parseJsonBody(c, profileUpdate, MAX_BYTES);
    const changed = await updateProfile(project, user, changes);
    publishUser(bus, project, { before: user, after: changed });
    return c.json({ user: presentUser(changed) });
  });

  routes.get('/providers', (c) => {
    const { projectId } = parseWith(providersQuery, c.req.query());
    requireProject(projects, projectId);
    return c.json({ providers: ['email'] });
  });
}

function addSessionRoutes(routes: Hono<AppEnvironment>, options: AuthRoutesOptions): void {
  const { projects, keys, limits, passwords, authenticator } = options;

  routes.post('/signin/email', async (c) => {
    const { clientAddress } = c.var;
    await limitAddress(limits, 'signIn', clientAddress);
    const { projectId, email, password } = await parseJsonBody(c, signInRequest, MAX_BYTES);
    const project = requireProject(projects, projectId);
    const attempt: Attempt = { call: 'signIn', clientAddress, projectId, account: email };
    await limitAccount(limits, attempt);
    const session = await signIn(project, passwords, { email, password });
    await forgiveSignIns(limits, attempt);
    return c.json(await presentSession(keys, project, session));
  });

  routes.post('/refresh', async (c) => {
    const { clientAddress } = c.var;
    await limitAddress(limits, 'refresh', clientAddress);
    const { refresh_token: token } = await parseJsonBody(c, refreshRequest, MAX_BYTES);
    const project = findTokenProject(projects, token);
    const known = project && (await findRefreshToken(authReader(project.database), hashRefreshToken(token)));
    if (!known) throw expiredToken();
    const projectId = project.definition.id;
    await limitAccount(limits, { call: 'refresh', clientAddress, projectId, account: known.user_id });
    const session = await refreshSession(keys, project, token);
    return c.json(await presentSession(keys, project, session));
  });

  routes.post('/logout', async (c) => {
    const { refresh_token: token } = await parseJsonBody(c, signOutRequest, MAX_BYTES);
    if (token) {
      // Whoever holds the refresh token may end its session, also after the access token's time.
      const project = findTokenProject(projects, token);
      if (project) await signOutByToken(project, token);
    } else {
      const { project, familyId } = await authenticator.requireSession(c.req.header('authorization'));
      await signOutSession(project, familyId);
    }
    return c.json({ success: true });
  });
}

function findTokenProject(projects: ReadonlyMap<string, Project>, token: string): Project | undefined {
  const projectId = refreshTokenProject(token);
  return projectId === undefined ? undefined : projects.get(projectId);
}

function requireProject(projects: ReadonlyMap<string, Project>, projectId: string): Project {
  const project = projects.get(projectId);
  if (!project) throw new ServiceError('PROJECT_NOT_FOUND', 'There is no project of this id here.');
  return project;
}

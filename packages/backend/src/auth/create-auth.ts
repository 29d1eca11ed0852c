import type { Hono } from 'hono';
import type { Bus } from '../bus.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Keys } from '../keys.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { createPasswordHasher } from './password.ts';
import { authRoutes } from './routes.ts';

export interface Auth {
  /** To be mounted at `/api/auth`; they read `clientAddress` of the request's variables. */
  routes: Hono<AppEnvironment>;
  authenticate: Authenticator['authenticate'];
}

export interface AuthOptions {
  projects: ReadonlyMap<string, Project>;
  keys: Keys;
  limits: RateLimits;
  bus: Bus;
}

/** Accounts, sessions and tokens of all projects. */
export function createAuth({ projects, keys, limits, bus }: AuthOptions): Auth {
  const authenticator = createAuthenticator({ keys, projects });
  const passwords = createPasswordHasher();
  const routes = authRoutes({ projects, keys, limits, bus, passwords, authenticator });
  return { routes, authenticate: authenticator.authenticate };
}

import { Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { factorRoutes } from '../factors/factor-routes.ts';
import { factorSignInRoutes } from '../factors/sign-in-routes.ts';
import { proofRoutes } from '../fresh-proof/proof-routes.ts';
import { providerRoutes } from '../providers/routes.ts';
import { accountRoutes } from './account-routes.ts';
import { magicLinkRoutes } from './magic-link-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { verificationRoutes } from './verification-routes.ts';

/** Returns all routes of the service (wire contract, Auth). */
export function authRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  routes.route('/', accountRoutes(context));
  routes.route('/', peopleRoutes(context));
  routes.route('/', sessionRoutes(context));
  routes.route('/', passwordRoutes(context));
  routes.route('/', proofRoutes(context));
  routes.route('/', factorSignInRoutes(context));
  routes.route('/', factorRoutes(context));
  routes.route('/', verificationRoutes(context));
  routes.route('/', magicLinkRoutes(context));
  routes.route('/', providerRoutes(context));
  routes.all('*', () => {
    throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  });
  return routes;
}

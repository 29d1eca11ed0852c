import { Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { addProviderRoutes } from '../providers/routes.ts';
import { addAccountRoutes } from './account-routes.ts';
import { addMagicLinkRoutes } from './magic-link-routes.ts';
import { addPasswordRoutes } from './password-routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { addVerificationRoutes } from './verification-routes.ts';

/** Every call of the service (wire contract, Auth). */
export function authRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  addAccountRoutes(routes, context);
  addSessionRoutes(routes, context);
  addPasswordRoutes(routes, context);
  addVerificationRoutes(routes, context);
  addMagicLinkRoutes(routes, context);
  addProviderRoutes(routes, context);
  routes.all('*', () => {
    throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  });
  return routes;
}

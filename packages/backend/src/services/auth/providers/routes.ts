import type { Hono } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { addCompletionRoute } from './completion-route.ts';
import { addFlowRoutes } from './flow-routes.ts';
import { addMobileSessionRoutes } from './mobile-session-routes.ts';

/** Signing in at an identity provider, and handing a session to an app that polls for it. */
export function addProviderRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  addFlowRoutes(routes, context);
  addCompletionRoute(routes, context);
  addMobileSessionRoutes(routes, context);
}

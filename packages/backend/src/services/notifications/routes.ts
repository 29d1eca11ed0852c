import { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import { addEmailRoute, type EmailRouteOptions } from './email-routes.ts';
import { addNoticeRoutes, type NoticeRouteOptions } from './notice-routes.ts';

export type NotificationRouteOptions = EmailRouteOptions & NoticeRouteOptions;

/** Returns the routes of `/api/notifications/:projectId`. */
export function notificationRoutes(options: NotificationRouteOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  addEmailRoute(routes, options);
  addNoticeRoutes(routes, options);
  return routes;
}

import { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import { addEmailRoute, type EmailRouteOptions } from './email-routes.ts';
import type { RenderNotice } from './notice-mail.ts';
import { addNoticeRoutes, type NoticeRouteOptions } from './notice-routes.ts';
import { NoticeWorker, type NoticeWorkerOptions } from './notice-worker.ts';

export { notificationMigrations, notificationTables } from './migrations.ts';
export type { NoticeContent, RenderNotice } from './notice-mail.ts';

type NotificationRouteOptions = EmailRouteOptions & NoticeRouteOptions;

interface NotificationOptions
  extends NotificationRouteOptions,
    Omit<NoticeWorkerOptions, 'render' | 'mailQueue'> {
  mailQueue: NotificationRouteOptions['mailQueue'] & NoticeWorkerOptions['mailQueue'];
  /** Puts notices into words; without it, none are sent. */
  renderNotice: RenderNotice | undefined;
}

interface Notifications {
  /** For `/api/notifications/:projectId`. */
  routes: Hono<AppEnvironment>;
  close(): Promise<void>;
}

/** Creates the service for emails that callers send, and for notices to the owners of rows. */
export function createNotifications({ renderNotice, ...options }: NotificationOptions): Notifications {
  const worker = renderNotice && new NoticeWorker({ ...options, render: renderNotice });
  return {
    routes: notificationRoutes(options),
    async close() {
      await worker?.close();
    },
  };
}

/** Returns the routes of `/api/notifications/:projectId`. */
export function notificationRoutes(options: NotificationRouteOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  addEmailRoute(routes, options);
  addNoticeRoutes(routes, options);
  return routes;
}

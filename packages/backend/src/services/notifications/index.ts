import type { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import { createNotices, type NoticesOptions, type RenderNotice } from './notices.ts';
import { type NotificationRouteOptions, notificationRoutes } from './routes.ts';

export { notificationMigrations, notificationTables } from './migrations.ts';
export type { Notice, RenderNotice } from './notices.ts';

export interface NotificationOptions
  extends NotificationRouteOptions,
    Omit<NoticesOptions, 'render' | 'mailQueue'> {
  mailQueue: NotificationRouteOptions['mailQueue'] & NoticesOptions['mailQueue'];
  /** Puts mails about what others did into words; without it, none of those are sent. */
  renderNotice: RenderNotice | undefined;
}

export interface Notifications {
  /** For `/api/notifications/:projectId`. */
  routes: Hono<AppEnvironment>;
  close(): Promise<void>;
}

/** E-mails that callers send, and mails to the owners of rows about what others did there. */
export function createNotifications({ renderNotice, ...options }: NotificationOptions): Notifications {
  const notices = renderNotice && createNotices({ ...options, render: renderNotice });
  return {
    routes: notificationRoutes(options),
    async close() {
      await notices?.close();
    },
  };
}

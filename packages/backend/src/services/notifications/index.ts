import type { Hono } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RenderNotice } from './notice-mail.ts';
import { NoticeWorker, type NoticeWorkerOptions } from './notice-worker.ts';
import { type NotificationRouteOptions, notificationRoutes } from './routes.ts';

export { notificationMigrations, notificationTables } from './migrations.ts';
export type { NoticeContent, RenderNotice } from './notice-mail.ts';

export interface NotificationOptions
  extends NotificationRouteOptions,
    Omit<NoticeWorkerOptions, 'render' | 'mailQueue'> {
  mailQueue: NotificationRouteOptions['mailQueue'] & NoticeWorkerOptions['mailQueue'];
  /** Puts notices into words; without it, none are sent. */
  renderNotice: RenderNotice | undefined;
}

export interface Notifications {
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

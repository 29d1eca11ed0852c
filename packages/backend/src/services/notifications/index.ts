export { notificationMigrations } from './migrations.ts';
export { createNotices, type Notice, type Notices, type RenderNotice } from './notices.ts';
export { notificationRoutes } from './routes.ts';

import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Project } from '../../database/project.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { createLazyService } from '../../http/lazy-service.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { createExpiry } from './delete-expired.ts';
import type { AnalyticsSettings } from './settings.ts';

export interface AnalyticsOptions {
  projects: ReadonlyMap<string, Project>;
  limits: RateLimits;
  origins: OriginLists;
  settings: AnalyticsSettings;
  log: Logger;
}

export interface Analytics {
  /** For `/api/analytics/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Stores the events that were accepted. */
  close(): Promise<void>;
}

/** Creates the service. Its routes are loaded with the first request; old events are deleted from the start on. */
export function createAnalytics(options: AnalyticsOptions): Analytics {
  const expiry = createExpiry({ ...options, retention: options.settings.retentionDays });
  const service = createLazyService(async () => {
    const { analyticsRoutes } = await import('./routes.ts');
    return analyticsRoutes(options);
  });
  return {
    routes: service.routes,
    async close() {
      await service.close();
      await expiry.close();
    },
  };
}

import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Project } from '../../database/project.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { createLazyService } from '../../http/lazy-service.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { createForgetting } from './forget.ts';
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
  /** Stores what was taken. */
  close(): Promise<void>;
}

/** What is no longer to be kept is deleted from the start on; everything else is loaded with the first call. */
export function createAnalytics(options: AnalyticsOptions): Analytics {
  const forgetting = createForgetting({ ...options, retention: options.settings.retentionDays });
  const service = createLazyService(async () => {
    const { openAnalytics } = await import('./routes.ts');
    return openAnalytics(options);
  });
  return {
    routes: service.routes,
    async close() {
      await service.close();
      await forgetting.close();
    },
  };
}

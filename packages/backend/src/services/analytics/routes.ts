import { insightsQuery, logRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { requireSignedIn } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { ipKey, type RateLimits } from '../../http/rate-limit.ts';
import { cleanEvent } from './events/clean-event.ts';
import { createIngest, type Ingest, type IngestOptions } from './events/ingest.ts';
import { isUnwanted } from './events/is-unwanted.ts';
import { authorizeInsights, readInsights } from './insights/insights.ts';
import { EVENTS_OF_ADDRESS, EVENTS_OF_ADDRESS_IN_AN_HOUR, INSIGHTS_OF_USER } from './limits.ts';

export interface AnalyticsRouteOptions extends IngestOptions {
  limits: RateLimits;
  /** Pages of these link to their own. */
  origins: OriginLists;
  /** Epoch ms. */
  now?: () => number;
}

/** `/api/analytics/{projectId}`: what readers do, and what that comes to. */
export function openAnalytics({ limits, origins, now = Date.now, ...options }: AnalyticsRouteOptions) {
  const ingests = new Map<string, Ingest>();
  const routes = new Hono<AppEnvironment>();

  function ingestOf(project: Project): Ingest {
    const { id } = project.definition;
    const ingest = ingests.get(id) ?? createIngest(project, options);
    ingests.set(id, ingest);
    return ingest;
  }

  function ownHosts({ definition }: Project, url: string): ReadonlySet<string> {
    const ours = [...origins.of(definition.id)].flatMap((origin) => URL.parse(origin)?.hostname ?? []);
    return new Set([...ours, new URL(url).hostname]);
  }

  routes.post('/log', async (c) => {
    const { project, caller, clientIp } = c.var;
    const key = ipKey(clientIp);
    await limits.consume(EVENTS_OF_ADDRESS, key);
    const { events } = await parseJsonBody(c, logRequest);
    await limits.consume(EVENTS_OF_ADDRESS, key, events.length - 1);
    if (caller.kind !== 'service') {
      await limits.consume(EVENTS_OF_ADDRESS_IN_AN_HOUR, key, events.length);
    }
    const time = now();
    const facts = {
      now: time,
      ownHosts: ownHosts(project, c.req.url),
      acceptLanguage: c.req.header('accept-language'),
    };
    const cleaned = events.map((event) => cleanEvent(event, facts));
    // The project's own servers are programs, which hand on what people do.
    if (caller.kind === 'service' || !isUnwanted((name) => c.req.header(name))) {
      const reader = { address: clientIp, userAgent: c.req.header('user-agent') ?? '' };
      await ingestOf(project).take(cleaned, reader, time);
    }
    return c.json({ success: true });
  });

  routes.get('/insights', async (c) => {
    const { project } = c.var;
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') {
      await limits.consume(INSIGHTS_OF_USER, `${project.definition.id}:${caller.id}`);
    }
    const query = parseWith(insightsQuery, c.req.query());
    return c.json(await readInsights(project, authorizeInsights(query, { project, caller, now: now() })));
  });

  return {
    routes,
    async close(): Promise<void> {
      await Promise.all([...ingests.values()].map((ingest) => ingest.close()));
    },
  };
}

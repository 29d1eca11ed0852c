import { insightsQuery, logRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { requireSignedIn } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { cleanEvent } from './events/clean-event.ts';
import { EventWriter, type EventWriterOptions } from './events/event-writer.ts';
import { isExcludedRequest } from './events/is-excluded-request.ts';
import { authorizeInsights, readInsights } from './insights/insights.ts';
import { EVENTS_PER_IP, EVENTS_PER_IP_AND_HOUR, INSIGHTS_PER_USER } from './limits.ts';

interface AnalyticsRouteOptions extends EventWriterOptions {
  limits: RateLimits;
  /** The project's own origins, whose pages are no referrers. */
  origins: OriginLists;
  /** Epoch ms. */
  now?: () => number;
}

/** Returns the routes of `/api/analytics/:projectId`: events and insights. */
export function analyticsRoutes({ limits, origins, now = Date.now, ...options }: AnalyticsRouteOptions) {
  const writers = new Map<string, EventWriter>();
  const routes = new Hono<AppEnvironment>();

  function writerOf(project: Project): EventWriter {
    const { id } = project.definition;
    const writer = writers.get(id) ?? new EventWriter(project, options);
    writers.set(id, writer);
    return writer;
  }

  function ownHosts({ definition }: Project, url: string): ReadonlySet<string> {
    const ours = [...origins.of(definition.id)].flatMap((origin) => URL.parse(origin)?.hostname ?? []);
    return new Set([...ours, new URL(url).hostname]);
  }

  routes.post('/log', async (c) => {
    const { project, caller, clientIp } = c.var;
    await limits.consumeByIp(EVENTS_PER_IP, clientIp);
    const { events } = await parseJsonBody(c, logRequest);
    await limits.consumeByIp(EVENTS_PER_IP, clientIp, { calls: events.length - 1 });
    if (caller.kind !== 'service') {
      await limits.consumeByIp(EVENTS_PER_IP_AND_HOUR, clientIp, { calls: events.length });
    }
    const time = now();
    const facts = {
      now: time,
      ownHosts: ownHosts(project, c.req.url),
      acceptLanguage: c.req.header('accept-language'),
    };
    const cleaned = events.map((event) => cleanEvent(event, facts));
    // The project's own servers have the user agent of a program, but forward the events of people.
    if (caller.kind === 'service' || !isExcludedRequest((name) => c.req.header(name))) {
      const reader = { ipAddress: clientIp, userAgent: c.req.header('user-agent') ?? '' };
      await writerOf(project).write(cleaned, reader, time);
    }
    return c.json({ success: true });
  });

  routes.get('/insights', async (c) => {
    const { project } = c.var;
    const caller = requireSignedIn(c.var.caller);
    if (caller.kind === 'user') {
      await limits.consume(INSIGHTS_PER_USER, `${project.definition.id}:${caller.id}`);
    }
    const query = parseWith(insightsQuery, c.req.query());
    return c.json(await readInsights(project, authorizeInsights(query, { project, caller, now: now() })));
  });

  return {
    routes,
    async close(): Promise<void> {
      await Promise.all([...writers.values()].map((writer) => writer.close()));
    },
  };
}

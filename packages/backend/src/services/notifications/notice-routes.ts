import { can } from '@fabrica/contract';
import { notificationSettings, stopNoticesRequest } from '@fabrica/contract/schemas';
import type { Context, Hono } from 'hono';
import { requireUser } from '../../core/caller.ts';
import { AppError, forbidden } from '../../core/errors.ts';
import type { Keys } from '../../core/keys.ts';
import type { Project } from '../../database/project.ts';
import { parseJsonBody, parseWith } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { countMessages } from '../../mail/index.ts';
import { STOPS_PER_IP } from './limits.ts';
import { resumeNotices, stopNotices, stoppedKinds } from './notice-queries.ts';
import { parseStopToken } from './stop-token.ts';

export interface NoticeRouteOptions {
  keys: Pick<Keys, 'refreshKeys'>;
  limits: RateLimits;
  publicUrl: string;
  /** Path of the product's page with the buttons that stop mails. */
  stopPage: string;
}

/** Allows to know how many messages are kept for the operator. */
const EDIT_SITE = 'site.edit';
const MAX_SETTINGS_BYTES = 16 * 1024;

/** Adds the routes by which users turn notices on and off. */
export function addNoticeRoutes(
  routes: Hono<AppEnvironment>,
  { keys, limits, publicUrl, stopPage }: NoticeRouteOptions,
): void {
  routes.get('/settings', async (c) => {
    const { id } = requireUser(c.var.caller);
    return c.json(await presentSettings(c.var.project, id));
  });

  routes.patch('/settings', async (c) => {
    const { id } = requireUser(c.var.caller);
    const { project } = c.var;
    const { notices } = await parseJsonBody(c, notificationSettings, MAX_SETTINGS_BYTES);
    const unknown = Object.keys(notices).find((kind) => !kindsOf(project).includes(kind));
    if (unknown !== undefined) {
      throw new AppError('VALIDATION_FAILED', `There are no notices "${unknown}" here.`);
    }
    for (const [kind, wanted] of Object.entries(notices)) {
      const stop = { userId: id, kind, aboutId: '', now: Date.now() };
      if (wanted) await resumeNotices(project.database, id, kind);
      else await stopNotices(project.database, stop);
    }
    return c.json(await presentSettings(project, id));
  });

  routes.get('/messages', async (c) => {
    const { definition, database } = c.var.project;
    const { role } = requireUser(c.var.caller);
    if (!can(definition.roles, role, EDIT_SITE)) throw forbidden();
    return c.json({ messages: await countMessages(database) });
  });

  // Mail programs without a button of their own open the URL as a page.
  routes.get('/stop', (c) => {
    const page = new URL(stopPage, publicUrl);
    page.searchParams.set('token', c.req.query('token') ?? '');
    return c.redirect(page.href, 303);
  });

  routes.post('/stop', async (c) => {
    await limits.consumeByIp(STOPS_PER_IP, c.var.clientIp);
    const { token, scope } = await parseStop(c);
    const subject = parseStopToken(keys, token);
    const { definition, database } = c.var.project;
    if (!subject || subject.projectId !== definition.id) {
      throw new AppError('VALIDATION_FAILED', 'This link is not one of ours, or it is not whole.');
    }
    const { userId, kind } = subject;
    const aboutId = scope === 'one' ? subject.aboutId : '';
    // An account that does not exist any more gets no mails, so this is a success too.
    await stopNotices(database, { userId, kind, aboutId, now: Date.now() });
    return c.json({ success: true });
  });
}

/** Parses the product's JSON, or a mail program's form with the token in the URL (RFC 8058). */
async function parseStop(c: Context<AppEnvironment>) {
  const token = c.req.query('token');
  if (token !== undefined) return parseWith(stopNoticesRequest, { token });
  return parseJsonBody(c, stopNoticesRequest, MAX_SETTINGS_BYTES);
}

function kindsOf({ definition }: Project): string[] {
  return Object.keys(definition.notices ?? {});
}

async function presentSettings(project: Project, userId: string) {
  const stopped = await stoppedKinds(project.database, userId);
  return {
    notices: Object.fromEntries(kindsOf(project).map((kind) => [kind, !stopped.includes(kind)])),
  };
}

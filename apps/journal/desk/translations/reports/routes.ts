import { type AppEnvironment, parseJsonBody, parseWith, type RateLimit, requireUser } from '@fabrica/backend';
import type { Hono } from 'hono';
import { z } from 'zod';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import { requireReviewer } from '../requests.ts';
import { addReport, listReports, resolveReport } from './reports.ts';

/** Readers need no account to report an error, so that their networks are counted; those with one have a limit of their own. */
const REPORTS: RateLimit = { name: 'desk:translation-reports', points: 30, duration: 600 };
/** Rows that a post's reports may take: beyond them, and the share of a network, reports of one passage become one. */
const REPORTS_OF_POST: RateLimit = { name: 'desk:translation-reports-of-post', points: 60, duration: 3_600 };

const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must be well-formed text');

export const reportBody = z.strictObject({
  postId: z.string().min(1).max(100),
  language: z.enum(LANGUAGE_CODES),
  quote: words(2_000),
  message: words(5_000).pipe(z.string().min(1)),
});
const listQuery = z.object({ cursor: z.string().max(100).optional() });

/** Adds the reports of readers, who need no account; those who review translations see and resolve them. */
export function addReportRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  const { limits } = desk;
  routes.post('/translations/reports', async (c) => {
    const { caller, clientIp } = c.var;
    const userId = caller.kind === 'user' ? caller.id : null;
    if (userId !== null) await limits.consume(REPORTS, userId);
    else await limits.consumeByIp(REPORTS, clientIp);
    const report = await parseJsonBody(c, reportBody);
    // What others have sent is no reason to refuse a report: it may be about a dose.
    const hasRoom = await limits.consumeShare(REPORTS_OF_POST, clientIp, report.postId).then(
      () => true,
      () => false,
    );
    return c.json(await addReport(desk, report, { userId, joins: !hasRoom }), 201);
  });
  routes.get('/translations/reports', async (c) => {
    requireReviewer(requireUser(c.var.caller));
    return c.json(await listReports(desk, parseWith(listQuery, c.req.query()).cursor));
  });
  routes.post('/translations/reports/:report/resolve', async (c) => {
    const caller = requireUser(c.var.caller);
    requireReviewer(caller);
    await resolveReport(desk, caller, c.req.param('report'));
    return c.body(null, 204);
  });
}

import { type AppEnvironment, parseJsonBody, type RateLimit, requireUser } from '@fabrica/backend';
import { type Context, Hono } from 'hono';
import type { TranslatedSegment } from '../../project/translations.ts';
import type { DeskContext } from '../desk-context.ts';
import { etagOf, MAX_DOCUMENT_BYTES, requireIfMatch } from '../requests.ts';
import { checkAnswers } from './check-answers.ts';
import { addReportRoutes } from './reports/routes.ts';
import {
  acceptBody,
  answersBody,
  commentBody,
  languageRequest,
  MAX_SEGMENT_BYTES,
  parseQueueQuery,
  reasonBody,
  ruleBody,
  segmentRequest,
  segmentsBody,
  textBody,
  versionBody,
} from './requests.ts';
import { addComment, listComments, listVersions, removeComment } from './verbs/comments.ts';
import {
  acceptAll,
  holdLanguage,
  readLanguage,
  readTranslations,
  releaseLanguage,
  setRule,
  withdrawLanguage,
} from './verbs/language-verbs.ts';
import { listQueue } from './verbs/queue.ts';
import {
  acceptSegment,
  overruleGuard,
  restoreText,
  saveSegment,
  takeProposal,
} from './verbs/segment-verbs.ts';

/** A reviewer who walks through a text by keyboard accepts a segment a second, and several at once. */
const WRITES: RateLimit = { name: 'desk:translations', points: 300, duration: 60 };

/** A check of a long text in eight languages takes a second. */
const CHECKS: RateLimit = { name: 'desk:answers', points: 20, duration: 60 };

type Routes = Hono<AppEnvironment>;
type TranslationContext = Context<AppEnvironment>;

/** Returns the routes of translations below `/api/desk/{projectId}`. */
export function translationRoutes(desk: DeskContext): Routes {
  const routes: Routes = new Hono<AppEnvironment>();
  routes.get('/translations/queue', async (c) => {
    const caller = requireUser(c.var.caller);
    return c.json(await listQueue(desk, caller, parseQueueQuery(c)));
  });
  routes.post('/translations/check', async (c) => {
    await desk.limits.consume(CHECKS, requireUser(c.var.caller).id);
    return c.json({
      answers: await checkAnswers(desk, await parseJsonBody(c, answersBody, MAX_DOCUMENT_BYTES)),
    });
  });
  routes.get('/posts/:id/translations', async (c) => c.json(await readTranslations(postRequest(desk, c))));
  addLanguageRoutes(routes, desk);
  addSegmentRoutes(routes, desk);
  addCommentRoutes(routes, desk);
  addReportRoutes(routes, desk);
  return routes;
}

function postRequest(desk: DeskContext, c: TranslationContext) {
  return { desk, caller: requireUser(c.var.caller), postId: c.req.param('id') ?? '' };
}

/** Counts a write. Throws RATE_LIMITED. */
async function count(desk: DeskContext, c: TranslationContext): Promise<void> {
  await desk.limits.consume(WRITES, requireUser(c.var.caller).id);
}

function addLanguageRoutes(routes: Routes, desk: DeskContext): void {
  const path = '/posts/:id/translations/:language{en|es|fr|de}';
  routes.get(path, async (c) => c.json(await readLanguage(languageRequest(desk, c))));
  for (const [name, act] of [
    ['release', releaseLanguage],
    ['hold', holdLanguage],
    ['withdraw', withdrawLanguage],
  ] as const) {
    routes.post(`${path}/${name}`, async (c) => {
      await count(desk, c);
      return c.json(await act(languageRequest(desk, c)));
    });
  }
  routes.put(`${path}/rule`, async (c) => {
    await count(desk, c);
    const { rule } = await parseJsonBody(c, ruleBody);
    return c.json(await setRule(languageRequest(desk, c), rule));
  });
  routes.post(`${path}/accept-all`, async (c) => {
    await count(desk, c);
    const { segments } = await parseJsonBody(c, segmentsBody, MAX_SEGMENT_BYTES);
    return c.json(await acceptAll(languageRequest(desk, c), segments));
  });
}

function addSegmentRoutes(routes: Routes, desk: DeskContext): void {
  const path = '/posts/:id/translations/:language{en|es|fr|de}/segments/:segment';
  const present = (c: TranslationContext, segment: TranslatedSegment) =>
    c.json(segment, 200, { etag: etagOf(segment.version) });
  routes.put(path, async (c) => {
    await count(desk, c);
    const version = requireIfMatch(c);
    const { text } = await parseJsonBody(c, textBody, MAX_SEGMENT_BYTES);
    return present(c, await saveSegment(segmentRequest(desk, c), { version, text }));
  });
  routes.post(`${path}/accept`, async (c) => {
    await count(desk, c);
    const version = requireIfMatch(c);
    const { release } = await parseJsonBody(c, acceptBody);
    return present(c, await acceptSegment(segmentRequest(desk, c), { version, release }));
  });
  routes.post(`${path}/take-proposal`, async (c) => {
    await count(desk, c);
    const version = requireIfMatch(c);
    const { text } = await parseJsonBody(c, textBody, MAX_SEGMENT_BYTES);
    return present(c, await takeProposal(segmentRequest(desk, c), { version, text }));
  });
  routes.post(`${path}/overrule`, async (c) => {
    await count(desk, c);
    const version = requireIfMatch(c);
    const { reason } = await parseJsonBody(c, reasonBody);
    return present(c, await overruleGuard(segmentRequest(desk, c), { version, reason }));
  });
  routes.post(`${path}/restore`, async (c) => {
    await count(desk, c);
    const version = requireIfMatch(c);
    const { version: former } = await parseJsonBody(c, versionBody);
    return present(c, await restoreText(segmentRequest(desk, c), { version, former }));
  });
}

function addCommentRoutes(routes: Routes, desk: DeskContext): void {
  const path = '/posts/:id/translations/:language{en|es|fr|de}/segments/:segment';
  routes.get(`${path}/history`, async (c) =>
    c.json({ versions: await listVersions(segmentRequest(desk, c)) }),
  );
  routes.get(`${path}/comments`, async (c) =>
    c.json({ comments: await listComments(segmentRequest(desk, c)) }),
  );
  routes.post(`${path}/comments`, async (c) => {
    await count(desk, c);
    const { text } = await parseJsonBody(c, commentBody);
    return c.json(await addComment(segmentRequest(desk, c), text), 201);
  });
  routes.delete(`${path}/comments/:comment`, async (c) => {
    await count(desk, c);
    await removeComment(segmentRequest(desk, c), c.req.param('comment') ?? '');
    return c.body(null, 204);
  });
}

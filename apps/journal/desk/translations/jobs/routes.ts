import { type AppEnvironment, AppError, parseJsonBody, type RateLimit, requireUser } from '@fabrica/backend';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { LANGUAGE_CODES, type Language } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import { etagOf } from '../../requests.ts';
import { openPost } from '../../working-copy.ts';
import { originalLanguage, targetLanguages } from '../original.ts';
import { segmentRequest } from '../requests.ts';
import { readLanguage } from '../verbs/language-verbs.ts';
import type { TranslationJobs } from './translation-jobs.ts';

const JOBS: RateLimit = { name: 'desk:translation-jobs', points: 60, duration: 60 };

const MAX_SEGMENTS = 2_000;

export const translateBody = z
  .strictObject({
    languages: z.array(z.enum(LANGUAGE_CODES)).min(1).optional(),
    /** These are translated in any case; without them, all that need it. */
    segments: z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,100}$/))
      .min(1)
      .max(MAX_SEGMENTS)
      .optional(),
  })
  .default({});

/** Adds the job that translates a post, for accounts that may edit it. */
export function addJobRoutes(routes: Hono<AppEnvironment>, desk: DeskContext, jobs: TranslationJobs): void {
  const requestOf = (c: Context<AppEnvironment>) => ({
    desk,
    caller: requireUser(c.var.caller),
    postId: c.req.param('id') ?? '',
  });
  routes.post('/posts/:id/translations/translate', async (c) => {
    const request = requestOf(c);
    await desk.limits.consume(JOBS, request.caller.id);
    const { languages, segments = null } = await parseJsonBody(c, translateBody);
    const { document } = await openPost(request);
    const wanted = languagesFrom(originalLanguage(document), languages);
    const { postId, caller } = request;
    const job = await jobs.start({ postId, userId: caller.id }, { languages: wanted, segments });
    return c.json(job, 202);
  });
  routes.get('/posts/:id/translations/job', async (c) => {
    const request = requestOf(c);
    await openPost(request);
    return c.json(await jobs.find(request.postId));
  });
  routes.delete('/posts/:id/translations/job', async (c) => {
    const request = requestOf(c);
    await desk.limits.consume(JOBS, request.caller.id);
    await openPost(request);
    await jobs.cancel(request.postId);
    return c.body(null, 204);
  });
  addAskRoute(routes, desk, jobs);
}

/** Adds that the model is asked for one segment once more; the segment is returned as it is until then. */
function addAskRoute(routes: Hono<AppEnvironment>, desk: DeskContext, jobs: TranslationJobs): void {
  routes.post('/posts/:id/translations/:language{en|es|fr|de}/segments/:segment/ask', async (c) => {
    const request = segmentRequest(desk, c);
    await desk.limits.consume(JOBS, request.caller.id);
    const { segments } = await readLanguage(request);
    const { postId, caller, language, segmentId } = request;
    const segment = segments.find(({ id }) => id === segmentId);
    if (!segment) throw new AppError('NOT_FOUND', 'This segment is not in the original any more.');
    await jobs.start({ postId, userId: caller.id }, { languages: [language], segments: [segmentId] });
    return c.json(segment, 202, { etag: etagOf(segment.version) });
  });
}

/** Returns the languages to translate into. Throws VALIDATION_FAILED when that of the original is not known. */
function languagesFrom(source: Language | null, asked: readonly Language[] | undefined): Language[] {
  if (source === null) {
    throw new AppError('VALIDATION_FAILED', 'Please say first in which language the original is.');
  }
  const languages = targetLanguages(source).filter((language) => asked?.includes(language) ?? true);
  if (languages.length === 0) {
    throw new AppError(
      'VALIDATION_FAILED',
      'The original is in this language: there is nothing to translate.',
    );
  }
  return languages;
}

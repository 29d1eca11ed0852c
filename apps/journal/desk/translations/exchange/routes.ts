import {
  type AppEnvironment,
  AppError,
  parseWith,
  type RateLimit,
  readBytes,
  requireUser,
} from '@fabrica/backend';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import { openPost } from '../../working-copy.ts';
import { openTranslations } from '../change-records.ts';
import { findSimilar } from '../memory/memory.ts';
import { mayReview } from '../requests.ts';
import { exportXliff, importXliff } from './exchange-xliff.ts';
import { MAX_XLIFF_BYTES, readXliff } from './xliff.ts';

const IMPORTS: RateLimit = { name: 'desk:xliff-imports', points: 10, duration: 60 };

const XLIFF = 'application/xliff+xml; charset=utf-8';
const language = z.enum(LANGUAGE_CODES);

/** Adds a post's translation as a file of other tools, and what the memory knows of a segment. */
export function addExchangeRoutes(routes: Hono<AppEnvironment>, desk: DeskContext): void {
  const requestOf = async (c: Context<AppEnvironment>) => {
    const request = { desk, caller: requireUser(c.var.caller), postId: c.req.param('id') ?? '' };
    await openPost(request);
    return request;
  };
  const file = '/posts/:id/translations/:file{[a-z]{2}\\.xlf}';
  const languageOf = (c: Context<AppEnvironment>) =>
    parseWith(language, (c.req.param('file') ?? c.req.param('language') ?? '').slice(0, 2));
  routes.get(file, async (c) => {
    const { postId } = await requestOf(c);
    const target = languageOf(c);
    return c.body(await exportXliff(desk, postId, target), 200, {
      'content-type': XLIFF,
      'content-disposition': `attachment; filename="${postId}.${target}.xlf"`,
    });
  });
  routes.post(file, async (c) => {
    const { postId, caller } = await requestOf(c);
    await desk.limits.consume(IMPORTS, caller.id);
    const read = readXliff(await readBytes(c, MAX_XLIFF_BYTES));
    return c.json(await importXliff(desk, { postId, language: languageOf(c), caller }, read));
  });
  routes.get('/posts/:id/translations/:language/segments/:segment/matches', async (c) => {
    const { postId, caller } = await requestOf(c);
    const target = languageOf(c);
    const { records, original } = await openTranslations(desk, postId);
    const segment = records.identify(original).find(({ id }) => id === c.req.param('segment'));
    if (!original.language || !segment) throw new AppError('NOT_FOUND', 'There is no such segment.');
    const matches = await findSimilar(
      desk,
      { source: original.language, target },
      { text: segment.text, userId: caller.id, seesAll: mayReview(caller) },
    );
    return c.json({ matches });
  });
}

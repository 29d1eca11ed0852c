import { type AppEnvironment, parseJsonBody, type RateLimit } from '@fabrica/backend';
import type { Hono } from 'hono';
import { z } from 'zod';
import { LANGUAGE_CODES } from '../../../project/languages.ts';
import type { DeskContext } from '../../desk-context.ts';
import type { CommentTranslator } from './translate-comment.ts';

const TRANSLATIONS: RateLimit = { name: 'desk:comment-translations', points: 30, duration: 60 };

export const commentTranslationBody = z.strictObject({ language: z.enum(LANGUAGE_CODES) });

/** Adds the translation of comments, which needs no account. */
export function addCommentRoutes(
  routes: Hono<AppEnvironment>,
  { limits }: Pick<DeskContext, 'limits'>,
  translator: CommentTranslator,
): void {
  routes.post('/comments/:comment/translation', async (c) => {
    const { caller, clientIp } = c.var;
    const account = caller.kind === 'user' ? caller : null;
    if (account !== null) await limits.consume(TRANSLATIONS, account.id);
    else await limits.consumeByIp(TRANSLATIONS, clientIp);
    const { language } = await parseJsonBody(c, commentTranslationBody);
    return c.json(await translator.translate(c.req.param('comment'), language, { account, clientIp }));
  });
}

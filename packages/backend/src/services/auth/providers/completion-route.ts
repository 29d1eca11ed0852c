import { completionRequest } from '@fabrica/contract/schemas';
import type { Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { MAX_AUTH_BYTES } from '../routes/limits.ts';
import { limitAddress } from '../routes/rate-limits.ts';
import { languageOf, originOf } from '../routes/request-facts.ts';
import { presentSession } from '../sessions/open-session.ts';
import { enter } from '../sessions/sign-in.ts';
import { spendCompletion } from './completion.ts';

/** The last step of a sign-in at a provider: the page that the browser was sent to fetches its tokens. */
export function addCompletionRoute(routes: Hono<AppEnvironment>, context: AuthContext): void {
  routes.post('/complete', async (c) => {
    await limitAddress(context.limits, 'provider', c.var.clientIp);
    const { code } = await parseJsonBody(c, completionRequest, MAX_AUTH_BYTES);
    const arrived = await spendCompletion(context, c, code);
    if (!arrived) {
      throw new AppError('VERIFICATION_FAILED', 'This sign-in has expired. Please sign in again.');
    }
    const { project, userId, provider } = arrived;
    c.set('project', project);
    const facts = { ...originOf(c), language: languageOf(c, project) };
    const session = await enter(context, project, { userId, method: `provider:${provider}`, ...facts });
    return c.json(await presentSession(context, project, session));
  });
}

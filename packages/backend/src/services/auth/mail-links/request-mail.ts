import { mailRequest } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, findUserByEmail } from '../queries.ts';
import { parseEmail } from '../routes/auth-errors.ts';
import { MAX_AUTH_BYTES } from '../routes/limits.ts';
import { limitAccount, limitAddress } from '../routes/rate-limits.ts';
import { defaultLanguage, languageOf, originOf } from '../routes/request-facts.ts';
import { requireProject } from '../routes/require-project.ts';

/** Throws REDIRECT_FAILED for an address that tokens must not be handed to. */
export function requireRedirect(
  { isAllowedOrigin }: Pick<AuthContext, 'isAllowedOrigin'>,
  { redirectUrl, projectId }: { redirectUrl?: string | null | undefined; projectId: string },
): void {
  if (redirectUrl && !isAllowedOrigin(redirectUrl, projectId)) {
    throw new AppError(
      'REDIRECT_FAILED',
      'The address to go on to is not on this project’s list of allowed origins.',
    );
  }
}

/**
 * Somebody asks for a mail to an address: the answer is the same, and comes as soon, whether there is an account or
 * not. Throws INVALID_EMAIL, RATE_LIMITED, REDIRECT_FAILED.
 */
export async function requestMail(
  context: AuthContext,
  c: Context<AppEnvironment>,
  kind: 'magic-link' | 'reset-password',
): Promise<void> {
  const { limits, projects, post } = context;
  const { clientIp } = c.var;
  await limitAddress(limits, 'mail', clientIp);
  const { projectId, email: given, ...target } = await parseJsonBody(c, mailRequest, MAX_AUTH_BYTES);
  const project = requireProject(c, projects, projectId);
  requireRedirect(context, { ...target, projectId });
  const email = parseEmail(given);
  await limitAccount(limits, { call: 'mail', clientIp, projectId, account: email });
  const user = await findUserByEmail(authReader(project.database), email);
  const origin = originOf(c);
  await recordEvent(authWriter(project.database), {
    event: 'mail-requested',
    userId: user?.id ?? null,
    ...origin,
    details: { kind },
  });
  post(project, {
    kind,
    email,
    userId: user?.id ?? null,
    language: user?.language ?? languageOf(c, project) ?? defaultLanguage(project),
    ...target,
  });
}

import { mailRequest } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import { parseEmail } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, findUserByEmail } from '../queries.ts';
import { limitByAccount } from '../routes/limits.ts';
import { readAttempt } from '../routes/read-attempt.ts';
import { defaultLanguage, languageOf, sourceOf } from '../routes/request-info.ts';

/** Throws `REDIRECT_FAILED` for a URL that must not receive tokens. */
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
 * Handles a request for a mail. The response is the same, and takes as long, whether there is an account or
 * not. Throws `INVALID_EMAIL`, `RATE_LIMITED`, `REDIRECT_FAILED`.
 */
export async function requestMail(
  context: AuthContext,
  c: Context<AppEnvironment>,
  kind: 'magic-link' | 'reset-password',
): Promise<void> {
  const { project, given, attempt } = await readAttempt(context, c, {
    call: 'mail',
    schema: mailRequest,
    emailOf: (given) => parseEmail(given.email),
    kind,
  });
  const { projectId, redirectUrl, returnTo } = given;
  const email = attempt.account;
  requireRedirect(context, { projectId, redirectUrl });
  await limitByAccount(context.limits, attempt);
  const user = await findUserByEmail(authReader(project.database), email);
  const source = sourceOf(c);
  await recordEvent(authWriter(project.database), {
    event: 'mail-requested',
    userId: user?.id ?? null,
    ...source,
    details: { kind },
  });
  context.queueMail(project, {
    kind,
    email,
    userId: user?.id ?? null,
    language: user?.language ?? languageOf(c, project) ?? defaultLanguage(project),
    redirectUrl,
    returnTo,
  });
}

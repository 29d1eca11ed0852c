import { proofRequest } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import type { ClaimedProof } from '../mail-links/prove-email.ts';
import { type Attempt, hashingPriority, limitByAccount } from './limits.ts';
import { readAttempt } from './read-attempt.ts';

/**
 * Reads a call that proves an e-mail, by a mailed token or code, and counts it. Throws what `readAttempt` and
 * `limitByAccount` throw.
 */
export async function readClaimedProof(
  context: AuthContext,
  c: Context<AppEnvironment>,
): Promise<{ project: Project; claimed: ClaimedProof; attempt: Attempt }> {
  const { project, given, attempt } = await readAttempt(context, c, {
    call: 'proof',
    schema: proofRequest,
    emailOf: ({ email }) => email,
  });
  const { token, email, code, projectId: _, ...claim } = given;
  if (attempt.account) await limitByAccount(context.limits, attempt);
  // Passwords are guessed at with a link too.
  const account = attempt.account || token || '';
  if (claim.password) await limitByAccount(context.limits, { ...attempt, account, call: 'signIn' });
  const claimed: ClaimedProof = {
    ...claim,
    proof: { token, email, code, isKnownDevice: attempt.device !== undefined },
    sessionUserId: await findSessionUser(context, c, project),
    priority: await hashingPriority(context.limits, attempt),
  };
  return { project, claimed, attempt };
}

/** Returns the account that is signed in to the project; `undefined` also for a session that is over. */
async function findSessionUser(
  { authenticator }: Pick<AuthContext, 'authenticator'>,
  c: Context<AppEnvironment>,
  project: Project,
): Promise<string | undefined> {
  const bearer = c.req.header('authorization');
  if (bearer === undefined) return undefined;
  const session = await authenticator.requireSession(bearer).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  return session?.project === project ? session.user.id : undefined;
}

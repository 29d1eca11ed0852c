import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { authWriter, findUser } from '../queries.ts';
import { type ClaimedProof, proveEmail } from './prove-email.ts';

/** Marks an account's e-mail as verified. Throws `VERIFICATION_FAILED`, and what `proveEmail` throws. */
export async function verifyEmail(
  context: Pick<AuthContext, 'keys' | 'passwords' | 'requireUnbreached' | 'settings'>,
  project: Project,
  { source, ...claimed }: ClaimedProof & { source: RequestSource },
): Promise<void> {
  const proven = await proveEmail(context, project, 'verify-email', claimed);
  const userId = proven?.userId;
  if (!userId) throw authError('VERIFICATION_FAILED');
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (!user) throw authError('VERIFICATION_FAILED');
      await proven.accept(transaction, user);
      await recordEvent(transaction, { event: 'email-verified', userId, ...source });
    });
}

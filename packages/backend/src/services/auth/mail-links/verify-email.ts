import type { Proof } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { authWriter, updateUser } from '../queries.ts';
import { spendProof } from './prove-email.ts';

/** Marks an account's e-mail as verified. Throws `VERIFICATION_FAILED`. */
export async function verifyEmail(
  { keys }: Pick<AuthContext, 'keys'>,
  project: Project,
  { source, ...proof }: Proof & { source: RequestSource },
): Promise<void> {
  const spent = await spendProof(keys, project, 'verify-email', proof);
  const userId = spent?.userId;
  if (!userId) throw authError('VERIFICATION_FAILED');
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      if (!(await updateUser(transaction, userId, { email_verified: 1 })))
        throw authError('VERIFICATION_FAILED');
      await recordEvent(transaction, { event: 'email-verified', userId, ...source });
    });
}

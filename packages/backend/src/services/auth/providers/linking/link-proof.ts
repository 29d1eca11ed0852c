import type { Context } from 'hono';
import { z } from 'zod';
import type { Project } from '../../../../database/project.ts';
import type { AppEnvironment } from '../../../../http/environment.ts';
import { type RequestSource, recordEvent } from '../../audit.ts';
import { authError } from '../../auth-errors.ts';
import type { AuthContext } from '../../context.ts';
import { spendCode } from '../../mail-links/one-time-token.ts';
import { authWriter, findIdentity, insertIdentity, lockUser, type UserRow } from '../../queries.ts';
import { forgiveGuesses, limitByAccount } from '../../routes/limits.ts';
import { defaultLanguage, languageOf, sourceOf } from '../../routes/request-info.ts';

/** A provider's identity that is to sign in to an account from now on, once its owner has shown a fresh proof. */
export const providerLink = z.object({
  provider: z.string(),
  /** The provider's name as people read it. */
  label: z.string(),
  subject: z.string(),
  /** The e-mail that the provider has verified. */
  email: z.string(),
});

export type ProviderLink = z.infer<typeof providerLink>;

type LinkContext = Pick<AuthContext, 'devices' | 'keys' | 'limits' | 'queueProofMail' | 'notifyOwner'>;

/** Mails the owner the code that confirms a link. Throws `RATE_LIMITED`. */
export async function mailLinkCode(
  { devices, limits, queueProofMail }: LinkContext,
  c: Context<AppEnvironment>,
  project: Project,
  user: UserRow,
): Promise<void> {
  const { clientIp } = c.var;
  const owner = { projectId: project.definition.id, email: user.email };
  const device = devices.read(c, owner);
  const mail = { call: 'mail', clientIp, device, kind: 'confirm-change' } as const;
  await limitByAccount(limits, { ...mail, ...owner, account: user.email });
  queueProofMail(project, user, user.language ?? languageOf(c, project) ?? defaultLanguage(project));
}

/** Checks the mailed code and uses it up. Throws `SECOND_FACTOR_FAILED` and `RATE_LIMITED`. */
export async function checkLinkCode(
  { devices, keys, limits }: LinkContext,
  c: Context<AppEnvironment>,
  project: Project,
  { user, code }: { user: UserRow; code: string },
): Promise<void> {
  const owner = { projectId: project.definition.id, email: user.email };
  const attempt = {
    call: 'proof',
    clientIp: c.var.clientIp,
    projectId: owner.projectId,
    account: user.email,
    device: devices.read(c, owner),
  } as const;
  await limitByAccount(limits, attempt);
  const connection = authWriter(project.database);
  const spent = await spendCode(keys, connection, { kind: 'fresh-proof', email: user.email, code });
  if (spent?.userId === user.id) return forgiveGuesses(limits, attempt);
  const details = { step: 'mail-code' };
  await recordEvent(connection, { event: 'second-step-failed', userId: user.id, ...sourceOf(c), details });
  throw authError('SECOND_FACTOR_FAILED');
}

/** Links the identity and tells the owner. Throws `VERIFICATION_FAILED` when it signs in to another account by now. */
export async function linkProvider(
  { notifyOwner }: Pick<LinkContext, 'notifyOwner'>,
  project: Project,
  { user, link, source }: { user: UserRow; link: ProviderLink; source: RequestSource },
): Promise<void> {
  const { label, ...identity } = link;
  const isNew = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await lockUser(transaction, user.id);
      const known = await findIdentity(transaction, identity);
      if (known && known.user_id !== user.id) throw authError('VERIFICATION_FAILED');
      if (known) return false;
      await insertIdentity(transaction, { ...identity, user_id: user.id, created_at: Date.now() });
      const details = { provider: identity.provider };
      await recordEvent(transaction, { event: 'provider-linked', userId: user.id, ...source, details });
      return true;
    });
  if (isNew) notifyOwner(project, user, { kind: 'provider-linked', device: source.device, subject: label });
}

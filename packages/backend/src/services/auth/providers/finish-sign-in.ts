import type { Context } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import { publishUser } from '../accounts/user.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { mustVerifyFirst } from '../factors/second-step.ts';
import { authWriter } from '../queries.ts';
import { languageOf, sourceOf } from '../routes/request-info.ts';
import { queueVerificationMail } from '../routes/verification-routes.ts';
import { issueCompletion } from './completion.ts';
import { linkIdentity } from './linking/link-identity.ts';
import type { ReturnedFlow } from './provider-flow.ts';

interface CallbackRequest extends ReturnedFlow {
  callback: URL;
  form: URLSearchParams | undefined;
}

/**
 * Gets the identity from the provider, finds or creates the account, and returns the code for `/complete`.
 * Throws what `IdentityProvider.finish` and `linkIdentity` throw, and `EMAIL_NOT_VERIFIED` (after queueing a
 * mail) when the account has to have a verified e-mail.
 */
export async function finishSignIn(
  context: AuthContext,
  c: Context<AppEnvironment>,
  { project, provider, flow, callback, form }: CallbackRequest,
): Promise<string> {
  const identity = await provider.finish({ ...flow, callback, ...(form && { form }) });
  const providerSignIn = { provider, identity, source: sourceOf(c), language: languageOf(c, project) };
  const { user, isNew, code } = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const linked = await linkIdentity(transaction, project, providerSignIn);
      const isBarred = mustVerifyFirst(context.settings, linked.user);
      const completion = {
        transaction,
        project,
        userId: linked.user.id,
        provider: provider.id,
        link: linked.link,
      };
      return { ...linked, code: isBarred ? undefined : await issueCompletion(context, c, completion) };
    });
  if (isNew) publishUser(context.bus, project, { before: null, after: user });
  if (code !== undefined) return code;
  await queueVerificationMail(context, c, project, user);
  throw authError('EMAIL_NOT_VERIFIED');
}

import type { SignInResponse } from '@fabrica/contract';
import type { Context } from 'hono';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { secondStepRequired } from '../factors/second-step.ts';
import { isNewDevice } from '../owner-notices/new-device.ts';
import { sourceOf } from '../routes/request-info.ts';
import { presentSession, type SignInOutcome } from './open-session.ts';

/**
 * Returns the tokens of a sign-in, marks the browser as one of the account's, and tells the owner when it is a new one: a
 * mailed link tells by itself. Throws `SECOND_FACTOR_REQUIRED` with a ticket when its second step is to be taken.
 */
export async function presentSignIn(
  context: Pick<AuthContext, 'devices' | 'keys' | 'pages' | 'publicUrl' | 'settings' | 'notifyOwner'>,
  c: Context<AppEnvironment>,
  project: Project,
  outcome: SignInOutcome,
): Promise<SignInResponse> {
  if ('details' in outcome) throw secondStepRequired(context, outcome);
  const { user, method } = outcome;
  const owner = { projectId: project.definition.id, email: user.email };
  const source = sourceOf(c);
  const isKnown = method === 'magic-link' || context.devices.read(c, owner) !== undefined;
  if (!isKnown && (await isNewDevice(project, user.id, source))) {
    context.notifyOwner(project, user, { kind: 'new-device', device: source.device });
  }
  context.devices.keep(c, owner);
  return presentSession(context, project, outcome);
}

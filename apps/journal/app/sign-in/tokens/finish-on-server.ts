import { redirect } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { deliverTokens, requireTokens, type ScriptlessTarget } from './deliver-tokens.ts';

/**
 * Finishes a sign-in by a form that was sent without JavaScript. For this site the server keeps the session; another
 * page or an app receives it.
 */
export async function finishOnServer(
  { client, projectId, session }: PageBackend,
  target: ScriptlessTarget,
): Promise<Response> {
  if (target.kind !== 'own') return redirect(await deliverTokens(client.auth, projectId, target), 303);
  session.keep(requireTokens(client.auth));
  return redirect(target.returnTo, 303);
}

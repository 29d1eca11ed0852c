import { redirect } from 'react-router';
import type { PageBackend } from '../../backend-context.ts';
import { giveWantedLikes } from '../../post/likes/give-like.ts';
import { deliverTokens, requireTokens, type ScriptlessTarget } from './deliver-tokens.ts';

/**
 * Finishes a sign-in by a form that was sent without JavaScript. For this site the server keeps the session; another
 * page or an app receives it.
 */
export async function finishOnServer(backend: PageBackend, target: ScriptlessTarget): Promise<Response> {
  const { client, projectId } = backend;
  if (target.kind !== 'own') return redirect(await deliverTokens(client.auth, projectId, target), 303);
  await keepSession(backend);
  return redirect(target.returnTo, 303);
}

/** Keeps the session of a reader who has just signed in on this site. */
export async function keepSession(backend: PageBackend): Promise<void> {
  backend.session.keep(requireTokens(backend.client.auth));
  await giveWantedLikes(backend);
}

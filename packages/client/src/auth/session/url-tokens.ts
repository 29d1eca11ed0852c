import { openStorage, randomText, type WindowLike } from '../../browser/window.ts';
import type { StoredTokens } from '../auth-state.ts';
import { hasParameter, takeParameters } from '../url-parameters.ts';
import { parseTokens } from './tokens.ts';

const PARAMETERS = [
  'access_token',
  'refresh_token',
  'token_type',
  'expires_in',
  'refresh_expires_in',
  'project_id',
  'state',
] as const;

interface UrlTokensOptions {
  window: WindowLike;
  projectId: string;
  /** Accepts tokens without a state; see `ClientOptions`. */
  acceptUnsolicited: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * Returns the tokens that a redirect from `/auth` put into the page's URL, or null. It removes them from the URL and
 * the history, even if it rejects them: `state` must be the one that this tab stored, and `project_id` this project.
 */
export function takeUrlTokens({
  window,
  projectId,
  acceptUnsolicited,
  now,
}: UrlTokensOptions): StoredTokens | null {
  if (!hasParameter(window, 'access_token') && !hasParameter(window, 'refresh_token')) return null;
  const taken = takeParameters(window, PARAMETERS);
  const expectedState = takeSignInState(window, projectId);
  const isExpected = taken.state ? taken.state === expectedState : acceptUnsolicited;
  if (!isExpected || (taken.project_id && taken.project_id !== projectId)) return null;
  return parseTokens(taken, now);
}

/** Returns a random value that identifies a sign-in when it comes back. */
export function createSignInState(): string {
  return `${randomText()}${randomText()}`;
}

/** Creates and stores the state of a sign-in that leaves this page. */
export function storeSignInState(window: WindowLike, projectId: string): string {
  const state = createSignInState();
  openStorage(() => window.sessionStorage)?.setItem(stateKey(projectId), state);
  return state;
}

function takeSignInState(window: WindowLike, projectId: string): string | null {
  const storage = openStorage(() => window.sessionStorage);
  const state = storage?.getItem(stateKey(projectId)) ?? null;
  storage?.removeItem(stateKey(projectId));
  return state;
}

function stateKey(projectId: string): string {
  return `fabrica_sign_in_state_${projectId}`;
}

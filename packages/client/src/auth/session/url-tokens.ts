import { openStorage, type WindowLike } from '../../browser/window.ts';
import { randomText } from '../../random-text.ts';
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

export interface UrlTokensOptions {
  window: WindowLike;
  projectId: string;
  /** Takes tokens that come without a state; see `ClientOptions`. */
  acceptUnsolicited: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/**
 * The tokens that a redirect from `/auth` put into the address, or null. They are taken out of the address and the
 * history at once, also when they are refused: `state` must be the one that this tab left with, and `project_id` ours.
 */
export function takeUrlTokens(options: UrlTokensOptions): StoredTokens | null {
  const { window, projectId, acceptUnsolicited, now } = options;
  if (!hasParameter(window, 'access_token') && !hasParameter(window, 'refresh_token')) return null;
  const taken = takeParameters(window, PARAMETERS);
  const expectedState = takeSignInState(window, projectId);
  const isExpected = taken.state ? taken.state === expectedState : acceptUnsolicited;
  if (!isExpected || (taken.project_id && taken.project_id !== projectId)) return null;
  return parseTokens(taken, now);
}

/** A value that nobody guesses, by which a sign-in is known when it comes back. */
export function createSignInState(): string {
  return `${randomText()}${randomText()}`;
}

/** Makes a state value for a sign-in that leaves this page, to be matched when it comes back. */
export function storeSignInState(window: WindowLike, projectId: string): string {
  const value = createSignInState();
  openStorage(() => window.sessionStorage)?.setItem(stateKey(projectId), value);
  return value;
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

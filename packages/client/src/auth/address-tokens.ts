import { randomText } from '../random-text.ts';
import { openStorage, type WindowLike } from '../window.ts';
import type { StoredTokens } from './auth-state.ts';
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

/**
 * The tokens that a redirect from `/auth` put into the address, or null. They are taken out of the
 * address and the history at once, also when they are refused: `project_id` and `state` must be
 * ours when they are there. `now` is epoch milliseconds.
 */
export function takeAddressTokens(window: WindowLike, projectId: string, now: number): StoredTokens | null {
  const address = new URL(window.location.href);
  const query = address.searchParams;
  if (!query.has('access_token') && !query.has('refresh_token')) return null;
  const taken = Object.fromEntries(PARAMETERS.map((name) => [name, query.get(name)]));
  for (const name of PARAMETERS) query.delete(name);
  window.history.replaceState(
    window.history.state,
    '',
    `${address.pathname}${address.search}${address.hash}`,
  );

  const expectedState = takeSignInState(window, projectId);
  if (taken.project_id && taken.project_id !== projectId) return null;
  if (taken.state && taken.state !== expectedState) return null;
  return parseTokens(taken, now);
}

/** Makes a state value for a sign-in that leaves this origin, to be matched when it comes back. */
export function keepSignInState(window: WindowLike, projectId: string): string {
  const value = `${randomText()}${randomText()}`;
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

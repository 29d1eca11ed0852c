import type { TokenSet } from '@fabrica/contract';
import type { SignInTarget } from '../target/sign-in-target.ts';

/** Returns the URL that hands a session to the page that asked for it (wire contract, `/auth`). */
export function urlWithTokens(
  projectId: string,
  { redirectUrl, state }: Extract<SignInTarget, { kind: 'redirect' }>,
  { access_token, refresh_token, token_type, expires_in, refresh_expires_in }: TokenSet,
): string {
  const url = new URL(redirectUrl);
  const parameters = {
    access_token,
    refresh_token,
    token_type,
    expires_in: String(expires_in),
    refresh_expires_in: String(refresh_expires_in),
    project_id: projectId,
    ...(state !== null && { state }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

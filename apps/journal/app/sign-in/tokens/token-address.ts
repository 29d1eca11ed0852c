import type { TokenSet } from '@fabrica/contract';
import type { HandOver } from '../request/sign-in-request.ts';

/** The address that hands a session to the page that asked for it (wire contract, `/auth`). */
export function tokenAddress(
  projectId: string,
  { redirectUrl, state }: HandOver,
  { access_token, refresh_token, token_type, expires_in, refresh_expires_in }: TokenSet,
): string {
  const address = new URL(redirectUrl);
  const parameters = {
    access_token,
    refresh_token,
    token_type,
    expires_in: String(expires_in),
    refresh_expires_in: String(refresh_expires_in),
    project_id: projectId,
    ...(state !== null && { state }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/** Why the page does not serve a request: its address to return to, its project or its way of answering. */
export type RefusalReason = 'origin' | 'project' | 'mode';

/** Where tokens go after a sign-in that another page asked for (wire contract, `/auth`). */
export interface HandOver {
  redirectUrl: string;
  /** Handed back as it came. */
  state: string | null;
}

export type SignInRequest =
  /** For this site itself: goes on to a path of ours. */
  | { kind: 'own'; returnTo: string }
  | { kind: 'hand-over'; handOver: HandOver }
  | { kind: 'refused'; reason: RefusalReason };

export interface ReadRequestOptions {
  projectId: string;
  isAllowedOrigin(address: string): boolean;
}

const GALLERY = '/gallery';
/** Stands in for our own origin: only the path of what is resolved against it is used. */
const ANY_ORIGIN = 'http://own.invalid';

/** What the page was asked for. Tokens are handed to allowed origins only: no open redirect. */
export function readSignInRequest(
  query: URLSearchParams,
  { projectId, isAllowedOrigin }: ReadRequestOptions,
): SignInRequest {
  const redirectUrl = query.get('redirect_url');
  if (redirectUrl === null) return { kind: 'own', returnTo: ownPath(query.get('return_to')) };
  if ((query.get('project_id') ?? projectId) !== projectId) return { kind: 'refused', reason: 'project' };
  if ((query.get('mode') ?? 'redirect') !== 'redirect') return { kind: 'refused', reason: 'mode' };
  if (!isWebAddress(redirectUrl) || !isAllowedOrigin(redirectUrl))
    return { kind: 'refused', reason: 'origin' };
  return { kind: 'hand-over', handOver: { redirectUrl, state: query.get('state') } };
}

/** A path on our own origin that begins with a single slash; the gallery for anything else, and for this page. */
export function ownPath(path: string | null): string {
  if (!path?.startsWith('/') || !URL.canParse(path, ANY_ORIGIN)) return GALLERY;
  const { origin, pathname, search, hash } = new URL(path, ANY_ORIGIN);
  const stays = origin === ANY_ORIGIN && !pathname.startsWith('//') && !/^\/auth\/?$/.test(pathname);
  return stays ? `${pathname}${search}${hash}` : GALLERY;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

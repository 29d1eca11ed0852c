/** Why the page does not serve a request: an address to go to, its project, its way of answering, or its app session. */
export type RefusalReason = 'origin' | 'project' | 'mode' | 'session';

/** Where tokens go after a sign-in that another page asked for (wire contract, `/auth`). */
export interface HandOver {
  redirectUrl: string;
  /** Handed back as it came. */
  state: string | null;
}

export type SignInRequest =
  /** For this site itself: goes on to a path of ours. */
  | { kind: 'own'; returnTo: string }
  /** For another page: goes on to it, with the tokens in the address. */
  | { kind: 'hand-over'; handOver: HandOver }
  /** In a window that another page opened: posts the tokens to it and closes. */
  | { kind: 'popup'; openerOrigin: string; state: string | null }
  /** For an app that polls for a session under this id. */
  | { kind: 'mobile-session'; sessionId: string }
  | { kind: 'refused'; reason: RefusalReason };

export type ServedRequest = Exclude<SignInRequest, { kind: 'refused' }>;

export interface ReadRequestOptions {
  projectId: string;
  isAllowedOrigin(address: string): boolean;
}

const GALLERY = '/gallery';
/** Stands in for our own origin: only the path of what is resolved against it is used. */
const ANY_ORIGIN = 'http://own.invalid';
const SESSION_ID = /^[\w-]{16,200}$/;

/** What the page was asked for. Tokens are handed to allowed origins only: no open redirect, no stranger's window. */
export function readSignInRequest(query: URLSearchParams, options: ReadRequestOptions): SignInRequest {
  const { projectId, isAllowedOrigin } = options;
  if ((query.get('project_id') ?? projectId) !== projectId) return { kind: 'refused', reason: 'project' };
  const redirectUrl = query.get('redirect_url');
  const openerOrigin = query.get('opener_origin');
  for (const address of [redirectUrl, openerOrigin]) {
    if (address !== null && !(isWebAddress(address) && isAllowedOrigin(address))) {
      return { kind: 'refused', reason: 'origin' };
    }
  }
  const state = query.get('state');
  switch (query.get('mode') ?? 'redirect') {
    case 'redirect':
      if (redirectUrl === null) return { kind: 'own', returnTo: ownPath(query.get('return_to')) };
      return { kind: 'hand-over', handOver: { redirectUrl, state } };
    case 'popup':
      if (openerOrigin === null) return { kind: 'refused', reason: 'origin' };
      return { kind: 'popup', openerOrigin: new URL(openerOrigin).origin, state };
    case 'mobile-session': {
      const sessionId = query.get('session_id') ?? '';
      if (!SESSION_ID.test(sessionId)) return { kind: 'refused', reason: 'session' };
      return { kind: 'mobile-session', sessionId };
    }
    default:
      return { kind: 'refused', reason: 'mode' };
  }
}

/** The host of the site that a sign-in is for, to name it to the reader; undefined for our own and for an app. */
export function siteOf(request: ServedRequest, publicUrl: string): string | undefined {
  const address =
    request.kind === 'hand-over'
      ? request.handOver.redirectUrl
      : request.kind === 'popup'
        ? request.openerOrigin
        : publicUrl;
  const { origin, host } = new URL(address);
  return origin === new URL(publicUrl).origin ? undefined : host;
}

/** A path on our own origin that begins with a single slash; the gallery for anything else, and for the pages of signing in. */
export function ownPath(path: string | null): string {
  if (!path?.startsWith('/') || !URL.canParse(path, ANY_ORIGIN)) return GALLERY;
  const { origin, pathname, search, hash } = new URL(path, ANY_ORIGIN);
  const stays = origin === ANY_ORIGIN && !pathname.startsWith('//') && !/^\/auth(\/|$)/.test(pathname);
  return stays ? `${pathname}${search}${hash}` : GALLERY;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

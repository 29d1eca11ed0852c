import type { PageBackend } from '../../backend-context.ts';

/** Describes who receives the session of a sign-in (wire contract, `/auth`). */
export type SignInTarget =
  /** This site itself: the reader goes on to one of its paths. */
  | { kind: 'own'; returnTo: string }
  /** Another page: the browser is redirected to it with the tokens and the unchanged `state` in the URL. */
  | { kind: 'redirect'; redirectUrl: string; state: string | null }
  /** The window that opened this one: it receives the tokens and the unchanged `state` as a message. */
  | { kind: 'popup'; openerOrigin: string; state: string | null }
  /** An app that polls for a session under this id. */
  | { kind: 'mobile-session'; sessionId: string };

/** Names the part of a target that is not allowed: an origin, the project, the mode or the session of an app. */
export interface RefusedTarget {
  kind: 'refused';
  reason: 'origin' | 'project' | 'mode' | 'session';
}

/** The link of a mail works on this site or on the page that it was made for. */
type LinkTarget = Extract<SignInTarget, { kind: 'own' | 'redirect' }>;

export type TargetRules = Pick<PageBackend, 'projectId' | 'isAllowedOrigin'>;

const GALLERY = '/gallery';
/** Stands in for this site's origin, which is not needed: only the path of a URL resolved against it is used. */
const ANY_ORIGIN = 'http://own.invalid';
const SESSION_ID = /^[\w-]{16,200}$/;

/**
 * Returns the target that a query asks for. Tokens go to allowed origins only, so that there is no open redirect and
 * no foreign window receives them.
 */
export function readSignInTarget(query: URLSearchParams, rules: TargetRules): SignInTarget | RefusedTarget {
  const { projectId, isAllowedOrigin } = rules;
  if ((query.get('project_id') ?? projectId) !== projectId) return refuse('project');
  const redirectUrl = query.get('redirect_url');
  const openerOrigin = query.get('opener_origin');
  for (const url of [redirectUrl, openerOrigin]) {
    if (url !== null && !(isWebUrl(url) && isAllowedOrigin(url))) return refuse('origin');
  }
  const state = query.get('state');
  switch (query.get('mode') ?? 'redirect') {
    case 'redirect':
      if (redirectUrl === null) return { kind: 'own', returnTo: safeReturnPath(query.get('return_to')) };
      return { kind: 'redirect', redirectUrl, state };
    case 'popup':
      if (openerOrigin === null) return refuse('origin');
      return { kind: 'popup', openerOrigin: new URL(openerOrigin).origin, state };
    case 'mobile-session': {
      const sessionId = query.get('session_id') ?? '';
      return SESSION_ID.test(sessionId) ? { kind: 'mobile-session', sessionId } : refuse('session');
    }
    default:
      return refuse('mode');
  }
}

/**
 * Returns the target of the link in a mail. A link cannot reach a window or an app that waits for a session: those
 * readers type the code of the mail where they started.
 */
export function readLinkTarget(query: URLSearchParams, rules: TargetRules): LinkTarget | RefusedTarget {
  const target = readSignInTarget(query, rules);
  return target.kind === 'popup' || target.kind === 'mobile-session' ? refuse('mode') : target;
}

/** Returns the host of the site that a sign-in is for; undefined for this site and for an app. */
export function targetHost(target: SignInTarget, publicUrl: string): string | undefined {
  const url =
    target.kind === 'redirect'
      ? target.redirectUrl
      : target.kind === 'popup'
        ? target.openerOrigin
        : publicUrl;
  const { origin, host } = new URL(url);
  return origin === new URL(publicUrl).origin ? undefined : host;
}

/**
 * Returns the path if it stays on this site, and the gallery otherwise. The pages of signing in and paths that a browser
 * could read as another host are replaced by the gallery too.
 */
export function safeReturnPath(path: string | null): string {
  if (!path?.startsWith('/') || !URL.canParse(path, ANY_ORIGIN)) return GALLERY;
  const { origin, pathname, search, hash } = new URL(path, ANY_ORIGIN);
  const stays = origin === ANY_ORIGIN && !pathname.startsWith('//') && !/^\/auth(\/|$)/.test(pathname);
  return stays ? `${pathname}${search}${hash}` : GALLERY;
}

function refuse(reason: RefusedTarget['reason']): RefusedTarget {
  return { kind: 'refused', reason };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

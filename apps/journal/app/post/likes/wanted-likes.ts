import type { LikeTarget } from './like.ts';

/**
 * The cookie names the likes that were pressed and could not be given yet: before the script ran, or before the reader
 * signed in. The page's script and the server both read and write it, and both give a like once.
 */
const COOKIE = 'fabrica_likes';
const LIFETIME_SECONDS = 15 * 60;
const MOST = 10;
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`);

/** Returns the likes that a Cookie header names, each once. */
export function readWantedLikes(cookies: string | undefined): LikeTarget[] {
  const names = new Set(VALUE.exec(cookies ?? '')?.[1]?.split('.'));
  return [...names].slice(0, MOST).flatMap((name) => {
    const [, kind, id] = /^(post|comment):([\w-]{1,100})$/.exec(name) ?? [];
    return (kind === 'post' || kind === 'comment') && id ? [{ kind, id }] : [];
  });
}

/** Returns the cookie that names these likes; none removes it. */
export function wantedLikesCookie(likes: readonly LikeTarget[]): string {
  const names = new Set(likes.map(likeName));
  const lifetime = names.size > 0 ? LIFETIME_SECONDS : 0;
  return `${COOKIE}=${[...names].slice(-MOST).join('.')}; Path=/; Max-Age=${lifetime}; SameSite=Lax`;
}

/** Remembers a like, in the browser. */
export function wantLike(target: LikeTarget): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it too, and not every browser has a Cookie Store.
  document.cookie = wantedLikesCookie([...readWantedLikes(document.cookie), target]);
}

/** Tells, in the browser, whether the like was remembered. */
export function isLikeWanted(target: LikeTarget): boolean {
  return readWantedLikes(document.cookie).some((wanted) => likeName(wanted) === likeName(target));
}

/** Forgets a like, in the browser. */
export function forgetLike(target: LikeTarget): void {
  const others = readWantedLikes(document.cookie).filter((wanted) => likeName(wanted) !== likeName(target));
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = wantedLikesCookie(others);
}

/** Forgets all likes, in the browser: after a sign-out others may use it. */
export function forgetLikes(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as above.
  document.cookie = wantedLikesCookie([]);
}

export function likeName({ kind, id }: LikeTarget): string {
  return `${kind}:${id}`;
}

/**
 * The script runs in the head. Where this browser has stored tokens, which the server does not see, it remembers a like
 * that is pressed before React handles it; `data-held` shows it as given. All other forms are sent as usual.
 */
export const HOLD_LIKES_SCRIPT = `addEventListener('submit',function(e){var f=e.target,n=f.dataset.like,d=document;if(!n||e.defaultPrevented)return;try{if(!localStorage.getItem('fabrica_tokens_'+d.documentElement.dataset.project))return}catch{return}e.preventDefault();f.dataset.held='';var c=/(?:^|; )${COOKIE}=([^;]*)/.exec(d.cookie);d.cookie='${COOKIE}='+(c&&c[1]?c[1]+'.':'')+n+'; Path=/; Max-Age=${LIFETIME_SECONDS}; SameSite=Lax'})`;

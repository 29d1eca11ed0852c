import { removeLocalTexts } from './local-texts.ts';

const NAME = 'fabrica_signed_out_';
const MONTH_SECONDS = 30 * 24 * 60 * 60;

/**
 * Returns the Set-Cookie header by which the server tells the next page with a script that this account was signed out
 * by a form, without one. A session that only expires sets none, and its drafts stay for their owner.
 */
export function signedOutCookie(userId: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${NAME}${userId}=1; Max-Age=${MONTH_SECONDS}; Path=/; SameSite=Lax${secure}`;
}

/** Removes the drafts of the accounts that were signed out without a script. */
export async function removeSignedOutDrafts(): Promise<void> {
  for (const [, userId] of document.cookie.matchAll(/fabrica_signed_out_([^=;\s]+)=1/g)) {
    if (!userId) continue;
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in all browsers, nor on plain HTTP.
    document.cookie = `${NAME}${userId}=; Max-Age=0; Path=/`;
    await removeLocalTexts(userId);
  }
}

import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { Language } from '../../project/languages.ts';

interface CanonicalAddress {
  /** Names the page in whichever language and at whichever address. */
  id: string;
  /** The canonical path in the language; undefined leaves the address bar as it is. */
  path: string | undefined;
  language: Language;
}

/** The addresses of the page that was shown last, for the router and in the address bar. */
let shown: { page: string; addresses: Set<string> } = { page: '', addresses: new Set() };

/** Marks entries of the history whose language was put into the address here, and not asked for by a link. */
const MARK = 'addressShown';

/**
 * Puts the canonical address of the page into the address bar, so that people copy what search engines keep. The router keeps the
 * address by which the page was opened: between the two nothing is loaded (`isSamePage`).
 */
export function useCanonicalAddress({ id, path, language }: CanonicalAddress): void {
  const { pathname, search, hash, key } = useLocation();
  useEffect(() => {
    const { state } = window.history;
    // The reader may have left this entry of the history before its page was shown.
    if (!path || (state?.key ?? 'default') !== key) return;
    const parameters = new URLSearchParams(search);
    const isAsked = parameters.has('lang');
    parameters.set('lang', language);
    // A choice is its reader's, and no part of what they copy.
    if (parameters.get('reader') === language) parameters.delete('reader');
    const address = `${path}?${parameters}`;
    const page = `${id} ${language}`;
    if (shown.page !== page) shown = { page, addresses: new Set() };
    shown.addresses.add(pathname + search).add(address);
    window.addEventListener('popstate', keepLanguage, true);
    window.history.replaceState({ ...state, ...(!isAsked && { [MARK]: true }) }, '', address + hash);
  }, [id, path, language, pathname, search, hash, key]);
}

/** Has the page loaded at its next address, which may be one of those that it has now. */
export function forgetAddresses(): void {
  shown = { page: '', addresses: new Set() };
}

/** Tells whether the language in the address bar was put there here, and not asked for by a link. */
export function isLanguageShown(): boolean {
  return Boolean(window.history.state?.[MARK]);
}

/** Tells whether two addresses, each a path with its query, are of the page that is shown. */
export function isSamePage(one: string, other: string): boolean {
  return one === other || (shown.addresses.has(one) && shown.addresses.has(other));
}

/** Has a page on the way back in the language that the reader has chosen since. It runs before the router reads the address. */
function keepLanguage(): void {
  if (!window.history.state?.[MARK]) return;
  const url = new URL(window.location.href);
  if (url.searchParams.get('lang') === document.documentElement.lang) return;
  url.searchParams.delete('lang');
  window.history.replaceState(window.history.state, '', url);
}

import { isLanguage, type Language, languageOfTag, visitorLanguage } from '../project/languages.ts';

const LANGUAGE_COOKIE = 'fabrica_language';
const COOKIE_VALUE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`);
const YEAR_SECONDS = 31_536_000;

/**
 * Returns the language to render in: the one in `?lang=`, else the one in the cookie, else the site's default one, which is
 * the first of `offered`.
 */
export function readerLanguage(
  { searchParams }: Pick<URL, 'searchParams'>,
  cookies: string | null,
  offered: readonly Language[],
): Language {
  const wanted = [languageOfTag(searchParams.get('lang')), cookieLanguage(cookies ?? undefined)];
  return wanted.find((code) => code !== undefined && offered.includes(code)) ?? offered[0] ?? 'en';
}

/** Returns the language in a Cookie header; undefined for a value that is none. */
export function cookieLanguage(cookies: string | undefined): Language | undefined {
  const code = cookies === undefined ? undefined : COOKIE_VALUE.exec(cookies)?.[1];
  return isLanguage(code) ? code : undefined;
}

/**
 * Returns the `Set-Cookie` header that stores the language in `?lang=`, which also works without JavaScript; undefined for a page
 * that its reader visits in another language than their own.
 */
export function languageCookie({ searchParams }: Pick<URL, 'searchParams'>): string | undefined {
  const requested = languageOfTag(searchParams.get('lang'));
  if (!requested || visitorLanguage(searchParams)) return undefined;
  return `${LANGUAGE_COOKIE}=${requested}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

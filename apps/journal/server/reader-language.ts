import { isLanguage, type Language, languageOfTag, visitorLanguage } from '../project/languages.ts';

/** The reader's choice. */
const CHOICE_COOKIE = 'fabrica_language';
/** The language of the last link that named one, which counts where nothing was chosen: a link that was copied elsewhere is no choice. */
const LINK_COOKIE = 'fabrica_link_language';
const COOKIE_VALUES = [CHOICE_COOKIE, LINK_COOKIE].map((name) => new RegExp(`(?:^|;\\s*)${name}=([a-z]+)`));
const YEAR_SECONDS = 31_536_000;

/**
 * Returns the language to render in: the one in `?lang=`, else the one in the cookies, else the site's default one, which is
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

/** Returns the language in a Cookie header: what was chosen, else that of the last link; undefined where neither is a language. */
export function cookieLanguage(cookies: string | undefined): Language | undefined {
  if (cookies === undefined) return undefined;
  return COOKIE_VALUES.map((value) => value.exec(cookies)?.[1]).find(isLanguage);
}

/**
 * Returns the `Set-Cookie` header that stores the language in `?lang=`: as the reader's choice where `reader` is the same, which
 * works without JavaScript, and else as that of a link; undefined for a page that its reader visits in another language than their own.
 */
export function languageCookie({ searchParams }: Pick<URL, 'searchParams'>): string | undefined {
  const requested = languageOfTag(searchParams.get('lang'));
  const own = visitorLanguage(searchParams);
  if (!requested || (own && own !== requested)) return undefined;
  return `${own ? CHOICE_COOKIE : LINK_COOKIE}=${requested}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

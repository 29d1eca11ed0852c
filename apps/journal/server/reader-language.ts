import { isLanguage, type Language } from '../app/language/languages.ts';

export const LANGUAGE_COOKIE = 'fabrica_language';
const KEPT_CHOICE = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)`);
const YEAR_SECONDS = 31_536_000;

/** The language to render in: `?lang=`, else the kept choice, else English. */
export function readerLanguage(address: Pick<URL, 'searchParams'>, cookies: string | null): Language {
  const asked = address.searchParams.get('lang');
  if (isLanguage(asked)) return asked;
  const kept = KEPT_CHOICE.exec(cookies ?? '')?.[1];
  return isLanguage(kept) ? kept : 'en';
}

/** Keeps a choice that came by address, for readers without JavaScript too. */
export function keepLanguage(address: Pick<URL, 'searchParams'>): string | undefined {
  const asked = address.searchParams.get('lang');
  if (!isLanguage(asked)) return undefined;
  return `${LANGUAGE_COOKIE}=${asked}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}

export const LANGUAGE_CODES = ['en', 'es', 'fr', 'de'] as const;

export type Language = (typeof LANGUAGE_CODES)[number];

export interface LanguageChoice {
  code: Language;
  /** The name in the language itself. */
  name: string;
  /** The country code of the flag beside it (see `layout/header/flag.tsx`). */
  flag: 'gb' | 'es' | 'fr' | 'de';
}

export const LANGUAGES: readonly LanguageChoice[] = [
  { code: 'en', name: 'English', flag: 'gb' },
  { code: 'es', name: 'Español', flag: 'es' },
  { code: 'fr', name: 'Français', flag: 'fr' },
  { code: 'de', name: 'Deutsch', flag: 'de' },
];

export const DEFAULT_LANGUAGE: Language = 'en';

export function isLanguage(value: unknown): value is Language {
  return (LANGUAGE_CODES as readonly unknown[]).includes(value);
}

/**
 * Returns the reader's own language where the address of a page says it. `?lang=en&reader=de` shows a page to them in another one, as
 * the original of a translation is, and changes nothing that is stored; `?lang=de&reader=de` is a choice.
 */
export function visitorLanguage(searchParams: URLSearchParams): Language | undefined {
  return languageOfTag(searchParams.get('reader'));
}

/** Returns one of our languages for a tag such as `de`, `de-CH` or `DE_AT`; undefined for others. */
export function languageOfTag(tag: string | null | undefined): Language | undefined {
  const [code] = (tag ?? '').toLowerCase().split(/[-_]/);
  return isLanguage(code) ? code : undefined;
}

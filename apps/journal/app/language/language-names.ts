import type { Language } from '../../project/languages.ts';

/** Returns "French" in the reader's language. */
export function languageName(language: Language, inLanguage: Language): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language;
}

/** Returns "French, German" in the reader's language, with each language once. */
export function languageNames(languages: readonly Language[], inLanguage: Language): string {
  return [...new Set(languages)].map((one) => languageName(one, inLanguage)).join(', ');
}

import { LANGUAGE_CODES, type Language } from '../../language/languages.ts';

export interface OriginalText {
  text: string;
  /** `undefined` where it is not known. */
  language: Language | undefined;
}

export interface TranslatedText {
  text: string;
  language: Language;
}

/**
 * Returns whether a translation says something else in numbers than its original, paragraph by paragraph. An original whose
 * language is not known is read in each of them, and contradicted where every reading is. The guard loads with the first call.
 */
export async function contradictsNumbers(
  original: OriginalText,
  translated: TranslatedText,
): Promise<boolean> {
  const { compareSegments } = await import('@fabrica/dose-guard');
  const sources = paragraphsOf(original.text);
  const targets = paragraphsOf(translated.text);
  const isBlockedIn = (language: Language) =>
    sources.some((text, place) =>
      compareSegments({ text, language }, { text: targets[place] ?? '', language: translated.language }).some(
        ({ severity }) => severity === 'block',
      ),
    );
  const languages = original.language ? [original.language] : LANGUAGE_CODES;
  return languages.every(isBlockedIn);
}

function paragraphsOf(text: string): string[] {
  return text.trim().split(/\n\s*\n/);
}

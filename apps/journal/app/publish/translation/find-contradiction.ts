import { LANGUAGE_CODES, type Language } from '../../../project/languages.ts';

export interface OriginalText {
  text: string;
  /** `undefined` where it is not known. */
  language: Language | undefined;
}

export interface TranslatedText {
  text: string;
  language: Language;
}

/** The words of both texts that contradict each other, such as "5 mg" and "50 mg". A side is null where nothing corresponds there. */
export interface Contradiction {
  original: string | null;
  translated: string | null;
}

/**
 * Returns the first place where a translation says something else in numbers than its original, paragraph by paragraph, or
 * undefined. An original whose language is not known is read in each of them, and contradicted where every reading is. The
 * guard loads with the first call.
 */
export async function findContradiction(
  original: OriginalText,
  translated: TranslatedText,
): Promise<Contradiction | undefined> {
  const { compareSegments } = await import('@fabrica/dose-guard');
  const sources = paragraphsOf(original.text);
  const targets = paragraphsOf(translated.text);
  const findIn = (language: Language) => {
    for (const [place, text] of sources.entries()) {
      const target = { text: targets[place] ?? '', language: translated.language };
      const found = compareSegments({ text, language }, target).find(({ severity }) => severity === 'block');
      if (found) return { original: found.source?.text ?? null, translated: found.target?.text ?? null };
    }
    return undefined;
  };
  if (original.language) return findIn(original.language);
  const readings = LANGUAGE_CODES.map(findIn);
  return readings.includes(undefined) ? undefined : readings[0];
}

function paragraphsOf(text: string): string[] {
  return text.trim().split(/\n\s*\n/);
}

import { use } from 'react';
import type { readingTranslations } from '../../../messages/en/reading-translations.ts';
import type { Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';

export type ReadingMessages = typeof readingTranslations;

const importers: Record<Language, () => Promise<{ readingTranslations: ReadingMessages }>> = {
  en: () => import('../../../messages/en/reading-translations.ts'),
  es: () => import('../../../messages/es/reading-translations.ts'),
  fr: () => import('../../../messages/fr/reading-translations.ts'),
  de: () => import('../../../messages/de/reading-translations.ts'),
};

/** The promises so far. React's `use` needs the same promise in every render. */
const requested = new Map<Language, Promise<ReadingMessages>>();

/** Loads the texts of what readers of translations open: the comparison, the report, and translations of comments. */
function loadReadingMessages(language: Language): Promise<ReadingMessages> {
  const earlier = requested.get(language);
  if (earlier) return earlier;
  const texts = importers[language]().then((module) => module.readingTranslations);
  // A failed request is made again.
  texts.catch(() => requested.delete(language));
  requested.set(language, texts);
  return texts;
}

/** Returns those texts. Suspends until they are loaded. */
export function useReadingMessages(): ReadingMessages {
  return use(loadReadingMessages(useLanguage().language));
}

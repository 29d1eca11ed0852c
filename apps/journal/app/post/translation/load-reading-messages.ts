import { use } from 'react';
import type { readingTranslations } from '../../../messages/en/reading-translations.ts';
import type { Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { loadOnce } from '../../ui/load-once.ts';

export type ReadingMessages = typeof readingTranslations;

/** Loads the texts of what readers of translations open: the comparison, the report, and translations of comments. */
const loadReadingMessages = loadOnce<Language, ReadingMessages>({
  en: async () => (await import('../../../messages/en/reading-translations.ts')).readingTranslations,
  es: async () => (await import('../../../messages/es/reading-translations.ts')).readingTranslations,
  fr: async () => (await import('../../../messages/fr/reading-translations.ts')).readingTranslations,
  de: async () => (await import('../../../messages/de/reading-translations.ts')).readingTranslations,
});

/** Returns those texts. Suspends until they are loaded. */
export function useReadingMessages(): ReadingMessages {
  return use(loadReadingMessages(useLanguage().language));
}

import { use } from 'react';
import type { marks } from '../../../messages/en/marks.ts';
import type { Language } from '../../../project/languages.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { loadOnce } from '../../ui/load-once.ts';

export type MarksMessages = typeof marks;

const loadMarksMessages = loadOnce<Language, MarksMessages>({
  en: async () => (await import('../../../messages/en/marks.ts')).marks,
  es: async () => (await import('../../../messages/es/marks.ts')).marks,
  fr: async () => (await import('../../../messages/fr/marks.ts')).marks,
  de: async () => (await import('../../../messages/de/marks.ts')).marks,
});

/** Returns the texts around marks. Suspends until they are loaded. */
export function useMarksMessages(): MarksMessages {
  return use(loadMarksMessages(useLanguage().language));
}

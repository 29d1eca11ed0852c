import { use } from 'react';
import type { desk } from '../../messages/en/desk.ts';
import type { translationDesk } from '../../messages/en/translation-desk.ts';
import type { Language } from '../../project/languages.ts';
import { loadOnce } from '../ui/load-once.ts';

export type DeskMessages = typeof desk & { translations: typeof translationDesk };

/** Loads the texts of the desk, which only authors see. */
export const loadDeskMessages = loadOnce<Language, DeskMessages>({
  en: () => join(import('../../messages/en/desk.ts'), import('../../messages/en/translation-desk.ts')),
  es: () => join(import('../../messages/es/desk.ts'), import('../../messages/es/translation-desk.ts')),
  fr: () => join(import('../../messages/fr/desk.ts'), import('../../messages/fr/translation-desk.ts')),
  de: () => join(import('../../messages/de/desk.ts'), import('../../messages/de/translation-desk.ts')),
});

async function join(
  one: Promise<{ desk: typeof desk }>,
  other: Promise<{ translationDesk: typeof translationDesk }>,
): Promise<DeskMessages> {
  const [{ desk }, { translationDesk }] = await Promise.all([one, other]);
  return { ...desk, translations: translationDesk };
}

/** Returns the texts of the desk. Suspends until they are loaded. */
export function useDeskMessagesIn(language: Language): DeskMessages {
  return use(loadDeskMessages(language));
}

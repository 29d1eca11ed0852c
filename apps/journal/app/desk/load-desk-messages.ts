import { use } from 'react';
import type { desk } from '../../messages/en/desk.ts';
import type { translationDesk } from '../../messages/en/translation-desk.ts';
import type { Language } from '../language/languages.ts';
import { readablePromise } from '../ui/readable-promise.ts';

export type DeskMessages = typeof desk & { translations: typeof translationDesk };

type Modules = [{ desk: typeof desk }, { translationDesk: typeof translationDesk }];

const importers: Record<Language, () => Promise<Modules>> = {
  en: () =>
    Promise.all([import('../../messages/en/desk.ts'), import('../../messages/en/translation-desk.ts')]),
  es: () =>
    Promise.all([import('../../messages/es/desk.ts'), import('../../messages/es/translation-desk.ts')]),
  fr: () =>
    Promise.all([import('../../messages/fr/desk.ts'), import('../../messages/fr/translation-desk.ts')]),
  de: () =>
    Promise.all([import('../../messages/de/desk.ts'), import('../../messages/de/translation-desk.ts')]),
};

/** The promises so far. React's `use` needs the same promise in every render. */
const requested = new Map<Language, Promise<DeskMessages>>();

/** Returns the texts of the desk. Suspends until they are loaded. */
export function useDeskMessagesIn(language: Language): DeskMessages {
  return use(loadDeskMessages(language));
}

/** Loads the texts of the desk, which only authors see. */
export function loadDeskMessages(language: Language): Promise<DeskMessages> {
  const earlier = requested.get(language);
  if (earlier) return earlier;
  const texts = readablePromise(
    importers[language]().then(([{ desk }, { translationDesk }]) => ({
      ...desk,
      translations: translationDesk,
    })),
  );
  requested.set(language, texts);
  return texts;
}

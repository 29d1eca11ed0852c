import type { Messages } from '../../messages/en/index.ts';
import type { Language } from './languages.ts';

export type { Messages };

const importers: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../messages/en/index.ts'),
  es: () => import('../../messages/es/index.ts'),
  fr: () => import('../../messages/fr/index.ts'),
  de: () => import('../../messages/de/index.ts'),
};

/** Catalogues never change while the program runs, so what was loaded once is kept for all. */
const loaded = new Map<Language, Messages>();

/** Fetches a language's catalogue; rejects when the network fails. */
export async function loadMessages(language: Language): Promise<Messages> {
  const known = loaded.get(language);
  if (known) return known;
  const { messages } = await importers[language]();
  loaded.set(language, messages);
  return messages;
}

/** The catalogue of a language that was loaded before; throws when it was not. */
export function messagesOf(language: Language): Messages {
  const messages = loaded.get(language);
  if (!messages) throw new Error(`The messages of "${language}" are not loaded yet.`);
  return messages;
}

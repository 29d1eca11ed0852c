import type { Messages } from '../../messages/en/index.ts';
import type { Language } from './languages.ts';

export type { Messages };

const importers: Record<Language, () => Promise<{ messages: Messages }>> = {
  en: () => import('../../messages/en/index.ts'),
  es: () => import('../../messages/es/index.ts'),
  fr: () => import('../../messages/fr/index.ts'),
  de: () => import('../../messages/de/index.ts'),
};

/** Messages never change while the program runs, so they are loaded once for all pages. */
const loaded = new Map<Language, Messages>();

/** Loads the messages of a language. Rejects when the network fails. */
export async function loadMessages(language: Language): Promise<Messages> {
  const cached = loaded.get(language);
  if (cached) return cached;
  const { messages } = await importers[language]();
  loaded.set(language, messages);
  return messages;
}

/** Returns the messages of a language that was loaded before. Throws when it was not. */
export function messagesOf(language: Language): Messages {
  const messages = loaded.get(language);
  if (!messages) throw new Error(`The messages of "${language}" are not loaded yet.`);
  return messages;
}

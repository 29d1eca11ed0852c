import type { Messages } from '../../messages/en/index.ts';
import type { MemberMessages } from '../../messages/en/member.ts';
import type { PublicMessages } from '../../messages/en/public.ts';
import type { Language } from '../../project/languages.ts';

export type { Messages };

const publicImporters: Record<Language, () => Promise<{ publicMessages: PublicMessages }>> = {
  en: () => import('../../messages/en/public.ts'),
  es: () => import('../../messages/es/public.ts'),
  fr: () => import('../../messages/fr/public.ts'),
  de: () => import('../../messages/de/public.ts'),
};

const memberImporters: Record<Language, () => Promise<{ memberMessages: MemberMessages }>> = {
  en: () => import('../../messages/en/member.ts'),
  es: () => import('../../messages/es/member.ts'),
  fr: () => import('../../messages/fr/member.ts'),
  de: () => import('../../messages/de/member.ts'),
};

/** Messages never change while the program runs, so they are loaded once for all pages. */
const loaded = new Map<Language, Messages>();
const requested = new Set<Language>();
/** A server renders all pages. A browser loads the texts of accounts with the first page that has them. */
let needsMemberMessages = typeof window === 'undefined';

/** Loads the messages of a language. Rejects when the network fails. */
export async function loadMessages(language: Language): Promise<Messages> {
  requested.add(language);
  const parts = await Promise.all([
    publicImporters[language](),
    needsMemberMessages ? memberImporters[language]() : undefined,
  ]);
  // The object stays the same, as pages hold it. Those that need a part have waited for it.
  const messages = loaded.get(language) ?? ({} as Messages);
  Object.assign(messages, parts[0].publicMessages, parts[1]?.memberMessages);
  loaded.set(language, messages);
  return messages;
}

/** Loads the texts of the pages for accounts, in the languages of this visit and all that follow. */
export async function loadMemberMessages(language: Language): Promise<void> {
  needsMemberMessages = true;
  requested.add(language);
  await Promise.all([...requested].map(loadMessages));
}

/** Returns the messages of a language that was loaded before. Throws when it was not. */
export function messagesOf(language: Language): Messages {
  const messages = loaded.get(language);
  if (!messages) throw new Error(`The messages of "${language}" are not loaded yet.`);
  return messages;
}

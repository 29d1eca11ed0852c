import type { mails } from '../../messages/en/mails.ts';
import type { Language } from '../../project/languages.ts';

export type MailMessages = typeof mails;

const importers: Record<Language, () => Promise<{ mails: MailMessages }>> = {
  en: () => import('../../messages/en/mails.ts'),
  es: () => import('../../messages/es/mails.ts'),
  fr: () => import('../../messages/fr/mails.ts'),
  de: () => import('../../messages/de/mails.ts'),
};

/** Loads the texts of mails in a language. */
export async function loadMailMessages(language: Language): Promise<MailMessages> {
  return (await importers[language]()).mails;
}

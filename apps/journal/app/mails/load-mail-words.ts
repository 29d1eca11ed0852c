import type { Language } from '../language/languages.ts';
import type { MailWords } from './mail-content.ts';

const importers: Record<Language, () => Promise<{ mails: MailWords }>> = {
  en: () => import('../../messages/en/mails.ts'),
  es: () => import('../../messages/es/mails.ts'),
  fr: () => import('../../messages/fr/mails.ts'),
  de: () => import('../../messages/de/mails.ts'),
};

/** What mails say in a language. */
export async function loadMailWords(language: Language): Promise<MailWords> {
  return (await importers[language]()).mails;
}

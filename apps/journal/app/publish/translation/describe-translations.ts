import type { Language } from '../../language/languages.ts';
import type { Messages } from '../../language/load-messages.ts';
import type { TranslationPart } from './translation-parts.ts';

/** In whose language notices speak. */
export interface Reader {
  m: Messages;
  language: Language;
}

/** "title in French, text in German", in the reader's language. */
export function partNames(parts: readonly TranslationPart[], { m, language }: Reader): string {
  const { titleIn, contentIn } = m.publish.missingTranslations;
  return parts
    .map((part) => (part.field === 'title' ? titleIn : contentIn)(languageName(part.language, language)))
    .join(', ');
}

/** "French, German", in the reader's language: each once. */
export function languageNames(parts: readonly TranslationPart[], { language }: Reader): string {
  const languages = new Set(parts.map((part) => part.language));
  return [...languages].map((one) => languageName(one, language)).join(', ');
}

function languageName(language: Language, inLanguage: Language): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language;
}

import type { Language } from '../../../project/languages.ts';
import type { Messages } from '../../language/load-messages.ts';
import type { Missing } from './translate-part.ts';
import type { PartProgress } from './translate-parts.ts';
import type { TranslationPart } from './translation-parts.ts';

/** Holds the language that notices are written in, and its messages. */
export interface Reader {
  m: Messages;
  language: Language;
}

/** Returns "title in French, text in German" in the reader's language. */
export function partNames(parts: readonly TranslationPart[], { m, language }: Reader): string {
  const { titleIn, contentIn } = m.publish.missingTranslations;
  return parts
    .map((part) => (part.field === 'title' ? titleIn : contentIn)(languageName(part.language, language)))
    .join(', ');
}

/** Returns "French, German" in the reader's language, with each language once. */
export function languageNames(parts: readonly TranslationPart[], { language }: Reader): string {
  const languages = new Set(parts.map((part) => part.language));
  return [...languages].map((one) => languageName(one, language)).join(', ');
}

function languageName(language: Language, inLanguage: Language): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(language) ?? language;
}

/** Explains why translations are missing, as `listFaults` does, in one text. */
export function describeFaults(missing: Parameters<typeof listFaults>[0], reader: Reader): string {
  return listFaults(missing, reader).join(' ');
}

/** Returns sentences that explain why translations are missing, each once. Numbers that contradict are named with their language. */
export function listFaults(
  missing: readonly (Missing & Pick<TranslationPart, 'language'>)[],
  { m, language }: Reader,
): string[] {
  const { faults, contradiction: texts } = m.publish.translations;
  const sentences = missing.map(({ fault, contradiction, language: translated }) => {
    if (!contradiction) return faults[fault];
    const absent = texts.absent;
    return texts.pair(languageName(translated, language), {
      original: contradiction.original === null ? absent : texts.quoted(contradiction.original),
      translated: contradiction.translated === null ? absent : texts.quoted(contradiction.translated),
    });
  });
  return [...new Set(sentences)];
}

/** Returns "Translating... 3 of 8", without the numbers while it is not known which parts are requested. */
export function describeProgress(parts: readonly PartProgress[], m: Messages): string {
  const { title, progress } = m.publish.translating;
  return parts.length > 0 ? `${title} ${progress(countSettled(parts), parts.length)}` : title;
}

/** Counts the parts that are translated or have failed. */
export function countSettled(parts: readonly PartProgress[]): number {
  return parts.filter(({ status }) => status !== 'waiting').length;
}

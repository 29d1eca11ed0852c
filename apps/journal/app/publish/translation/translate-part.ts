import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import { TRANSLATION_MAX_TOKENS } from '@fabrica/contract';
import type { Language } from '../../language/languages.ts';
import type { TranslatedField, TranslationPart } from './translation-parts.ts';

/** Why a translation is missing. */
export type TranslationFault =
  /** Nobody set up a provider. */
  | 'not-configured'
  /** The author's translations of today are used up. */
  | 'quota'
  | 'offline'
  /** The text is longer than one answer may be. */
  | 'cut-off'
  /** What came is no translation, or not the whole of it. */
  | 'unusable'
  | 'unanswered';

/** A part's translation, or why there is none: then the original text stands in for it. */
export type Translation = TranslationPart &
  ({ text: string; fault: null } | { text: null; fault: TranslationFault });

/** Characters that a title column holds. */
export const MAX_TITLE_LENGTH = 300;
/** Characters that a content column holds. */
export const MAX_CONTENT_LENGTH = 100_000;
/** A translation may be this many times as long as its source, and some more for short ones. */
const LONGEST_RATIO = 4;
const LONGEST_MARGIN = 200;

/**
 * How an answer ends that is not to be trusted, whatever it says. Servers have many words for a good end, so others are
 * judged by the text.
 */
const BAD_ENDS: Record<string, TranslationFault> = {
  length: 'cut-off',
  'content-filter': 'unusable',
  'tool-calls': 'unusable',
  error: 'unanswered',
};

const ENGLISH_NAMES: Record<Language, string> = { en: 'English', es: 'Spanish', fr: 'French', de: 'German' };
const QUOTES = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
] as const;

/** The instruction for one part; the text stands behind the first empty line. */
export function translationPrompt({ field, language }: TranslationPart, source: string): string {
  const what = field === 'title' ? 'title of a medical text' : 'medical text';
  return [
    `Translate the following ${what} to ${ENGLISH_NAMES[language]}.`,
    `Return only the translation, without quotation marks, notes or explanations. Keep paragraphs, line breaks, numbers and units.`,
    `If it is in ${ENGLISH_NAMES[language]} already, return it unchanged.\n\n${source}`,
  ].join(' ');
}

/**
 * Asks for one part. Whatever goes wrong, a time-out included, answers a fault, save the end of the author's session
 * and the signal's reason, which are thrown: nothing that follows could succeed, or is wanted.
 */
export async function translatePart(
  part: TranslationPart,
  source: string,
  { ai, signal }: { ai: FabricaClient['ai']; signal: AbortSignal },
): Promise<Translation> {
  const failed = (fault: TranslationFault) => ({ ...part, text: null, fault });
  try {
    const { text: said, finishReason } = await ai.generateText({
      prompt: translationPrompt(part, source),
      maxTokens: TRANSLATION_MAX_TOKENS,
      signal,
    });
    const badEnd = BAD_ENDS[finishReason];
    if (badEnd) return failed(badEnd);
    const text = acceptTranslation(part.field, source, said);
    return text === null ? failed('unusable') : { ...part, text, fault: null };
  } catch (error) {
    if (error instanceof AuthError || signal.aborted) throw error;
    return failed(faultOf(error));
  }
}

function faultOf(error: unknown): TranslationFault {
  if (!(error instanceof FabricaError)) return 'unanswered';
  if (error.code === 'AI_NOT_CONFIGURED') return 'not-configured';
  if (error.code === 'AI_QUOTA_EXCEEDED') return 'quota';
  return error.code === 'NETWORK_ERROR' && error.status === null ? 'offline' : 'unanswered';
}

/** What a model said, freed of the quotation marks that it likes to add; null when it is no translation. */
export function acceptTranslation(field: TranslatedField, source: string, said: unknown): string | null {
  if (typeof said !== 'string') return null;
  const text = withoutAddedQuotes(said.trim(), source.trim());
  if (!text || text.length > source.length * LONGEST_RATIO + LONGEST_MARGIN) return null;
  if (field === 'title') return text.length > MAX_TITLE_LENGTH || /[\r\n]/.test(text) ? null : text;
  return text.length > MAX_CONTENT_LENGTH || countParagraphs(text) !== countParagraphs(source) ? null : text;
}

/** Blocks of text that blank lines part. */
function countParagraphs(text: string): number {
  return text.trim().split(/\n\s*\n/).length;
}

function withoutAddedQuotes(text: string, source: string): string {
  for (const [open, close] of QUOTES) {
    const inner = text.slice(open.length, -close.length);
    const quoted = text.length > 1 && text.startsWith(open) && text.endsWith(close);
    // `"A" and "B"` opens and closes with marks of its own; so does a source that is a quotation.
    if (quoted && !inner.includes(open) && !inner.includes(close) && !opensWithQuote(source))
      return inner.trim();
  }
  return text;
}

function opensWithQuote(text: string): boolean {
  return QUOTES.some(([open]) => text.startsWith(open));
}

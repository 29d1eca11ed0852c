import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import { TRANSLATION_MAX_TOKENS } from '@fabrica/contract';
import { LANGUAGE_CODES, type Language } from '../language/languages.ts';

export type TranslatedField = 'title' | 'content';

/** One of the eight pieces of a post's translation. */
export interface TranslationPart {
  field: TranslatedField;
  language: Language;
}

export interface Translation extends TranslationPart {
  /** The translation, or null: then the original text stands in for it. */
  text: string | null;
  /** Nobody set up a provider. */
  notConfigured: boolean;
}

/** Title and content into each language: eight parts (product.md section 7). */
export const TRANSLATION_PARTS: readonly TranslationPart[] = LANGUAGE_CODES.flatMap((language) => [
  { field: 'title', language },
  { field: 'content', language },
]);

/** Characters that a title column holds. */
export const MAX_TITLE_LENGTH = 300;
/** Characters that a content column holds. */
export const MAX_CONTENT_LENGTH = 100_000;
/** A translation may be this many times as long as its source, and some more for short ones. */
const LONGEST_RATIO = 4;
const LONGEST_MARGIN = 200;

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
    `Return only the translation, without quotation marks, notes or explanations. Keep line breaks, numbers and units.`,
    `If it is in ${ENGLISH_NAMES[language]} already, return it unchanged.\n\n${source}`,
  ].join(' ');
}

/**
 * Asks for one part. Whatever goes wrong, a time-out included, answers a null text, save the end of the author's session
 * and the signal's reason, which are thrown: nothing that follows could succeed, or is wanted.
 */
export async function translatePart(
  part: TranslationPart,
  source: string,
  { ai, signal }: { ai: FabricaClient['ai']; signal: AbortSignal },
): Promise<Translation> {
  try {
    const answer = await ai.generateText({
      prompt: translationPrompt(part, source),
      maxTokens: TRANSLATION_MAX_TOKENS,
      signal,
    });
    const text = answer.finishReason === 'length' ? null : acceptTranslation(part.field, source, answer.text);
    return { ...part, text, notConfigured: false };
  } catch (error) {
    if (error instanceof AuthError || signal.aborted) throw error;
    const notConfigured = error instanceof FabricaError && error.code === 'AI_NOT_CONFIGURED';
    return { ...part, text: null, notConfigured };
  }
}

/** What a model said, freed of the quotation marks that it likes to add; null when it is no translation. */
export function acceptTranslation(field: TranslatedField, source: string, said: unknown): string | null {
  if (typeof said !== 'string') return null;
  const text = withoutAddedQuotes(said.trim(), source.trim());
  if (!text || text.length > source.length * LONGEST_RATIO + LONGEST_MARGIN) return null;
  if (field === 'title') return text.length > MAX_TITLE_LENGTH || /[\r\n]/.test(text) ? null : text;
  return text.length > MAX_CONTENT_LENGTH ? null : text;
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

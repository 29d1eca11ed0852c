import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import { TRANSLATION_MAX_TOKENS } from '@fabrica/contract';
import { recogniseLanguage } from '@fabrica/dose-guard/detect-language';
import type { Language } from '../../../project/languages.ts';
import { readAnswer } from '../../../segments/answers/read-answer.ts';
import { whenStaying } from '../publishing/leaving.ts';
import { type Contradiction, findContradiction } from './find-contradiction.ts';
import type { TranslatedField, TranslationPart } from './translation-parts.ts';

/** Names the reason why a translation is missing. */
export type TranslationFault =
  /** The site has no provider. */
  | 'not-configured'
  /** The author has used up the translations of this day. */
  | 'quota'
  | 'offline'
  /** The translation is longer than one response may be. */
  | 'cut-off'
  /** The response is not a translation, or not all of it. */
  | 'unusable'
  /** It says something else in numbers: another dose, unit or frequency. */
  | 'numbers'
  | 'unanswered';

/** Says why a translation is missing. `numbers` comes with the words that contradict each other, except where an earlier version of the page stored it. */
export interface Missing {
  fault: TranslationFault;
  contradiction?: Contradiction | undefined;
}

/** These faults come again with the same text, so another attempt only costs the author calls. */
const LASTING_FAULTS: ReadonlySet<TranslationFault> = new Set(['not-configured', 'cut-off']);

/** Returns whether another attempt may succeed. */
export function canHelpToRetry({ fault }: { fault: TranslationFault }): boolean {
  return !LASTING_FAULTS.has(fault);
}

/** Holds a part's translation, or the reason why there is none and the original text is shown instead. */
export type Translation = TranslationPart & ({ text: string; fault: null } | ({ text: null } & Missing));

/** A title column holds this many characters. */
export const MAX_TITLE_LENGTH = 300;
/** A content column holds this many characters. */
export const MAX_CONTENT_LENGTH = 100_000;
/**
 * Texts of up to this many characters are translated in one call for certain: Spanish, French and German take about three
 * characters a token.
 */
export const SAFE_CONTENT_LENGTH = 3 * TRANSLATION_MAX_TOKENS;
/** A translation may be this many times as long as its source, plus the margin below. */
const LONGEST_RATIO = 4;
/** A translation may exceed the ratio by this many characters, for short sources. */
const LONGEST_MARGIN = 200;

/**
 * These finish reasons make a response unusable. Providers have many names for a good end, so the text decides about
 * responses with any other reason.
 */
const FAILED_FINISHES: Record<string, TranslationFault> = {
  length: 'cut-off',
  'content-filter': 'unusable',
  'tool-calls': 'unusable',
  error: 'unanswered',
};

const ENGLISH_NAMES: Record<Language, string> = { en: 'English', es: 'Spanish', fr: 'French', de: 'German' };
/** Tells the model what a translation keeps of a text that is more than plain. */
const MARKDOWN_RULES = [
  'The text is Markdown: keep its marks, headings, lists, tables and links as they are.',
  'Keep the lines that begin with ::: and everything within :cite[…], footnote marks as [^1], and src="…", width="…", height="…" and licence="…" unchanged; translate alt="…", credit="…" and captions.',
].join(' ');

/** Matches what names a footnote, a reference or a picture, which a translation must not lose. */
const NAMED_PARTS = /\[\^[^\]\s]+\]|:cite\[[^\]]+\]|\bsrc="[^"]*"|^ *:::+ *[a-z-]*/gm;

function isMarkdown(field: TranslatedField, format: string): boolean {
  return field === 'content' && format === 'markdown';
}

/** Returns whether a translation names the same footnotes, references, pictures and call-outs as its source. */
function keepsMarks(text: string, source: string): boolean {
  const marks = (one: string) => (one.match(NAMED_PARTS) ?? []).map((mark) => mark.trim()).sort();
  return marks(text).join('\n') === marks(source).join('\n');
}

/** Returns the prompt for one part. The text follows the first empty line. */
function translationPrompt({ field, language }: TranslationPart, source: string, format: string): string {
  const what = field === 'title' ? 'title of a medical text' : 'medical text';
  return [
    `Translate the following ${what} to ${ENGLISH_NAMES[language]}.`,
    `Return only the translation, without quotation marks, notes or explanations. Keep paragraphs, line breaks, numbers and units.`,
    ...(isMarkdown(field, format) ? [MARKDOWN_RULES] : []),
    `If it is in ${ENGLISH_NAMES[language]} already, return it unchanged.\n\n${source}`,
  ].join(' ');
}

export interface TranslatePartOptions {
  ai: FabricaClient['ai'];
  signal: AbortSignal;
  format?: string | undefined;
  /** The language of the source; `undefined` where it is not known. */
  from?: Language | undefined;
}

/**
 * Translates one part. The text is streamed, so that a slow model is waited for as long as it writes. Returns a fault for every error, timeouts included. Throws when the author's session has ended,
 * because no later call could succeed, and when the signal is aborted.
 */
export async function translatePart(
  part: TranslationPart,
  source: string,
  { ai, signal, format = 'plain', from }: TranslatePartOptions,
): Promise<Translation> {
  const failed = (fault: TranslationFault) => ({ ...part, text: null, fault });
  try {
    const { text: response, finishReason } = await ai.streamText({
      prompt: translationPrompt(part, source, format),
      maxTokens: TRANSLATION_MAX_TOKENS,
      temperature: 0,
      signal,
    });
    const fault = FAILED_FINISHES[finishReason];
    if (fault) return failed(fault);
    const text = readTranslation(part, source, response, from);
    const isWhole = text !== null && (!isMarkdown(part.field, format) || keepsMarks(text, source));
    if (!isWhole) return failed('unusable');
    const { language } = part;
    const contradiction = await findContradiction({ text: source, language: from }, { text, language });
    if (contradiction) return { ...failed('numbers'), contradiction };
    return { ...part, text, fault: null };
  } catch (error) {
    if (error instanceof AuthError || signal.aborted) throw error;
    await whenStaying();
    return failed(faultOf(error));
  }
}

function faultOf(error: unknown): TranslationFault {
  if (!(error instanceof FabricaError)) return 'unanswered';
  if (error.code === 'AI_NOT_CONFIGURED') return 'not-configured';
  if (error.code === 'AI_QUOTA_EXCEEDED') return 'quota';
  return error.code === 'NETWORK_ERROR' && error.status === null ? 'offline' : 'unanswered';
}

/** Returns the translation in a model's response, or `null` when there is none. */
function readTranslation(
  { field, language }: TranslationPart,
  source: string,
  response: unknown,
  from: Language | undefined,
): string | null {
  const text = typeof response === 'string' ? readAnswer(response, source) : null;
  if (text === null || text.length > source.length * LONGEST_RATIO + LONGEST_MARGIN) return null;
  const found = recogniseLanguage(text);
  // What stays in the language of the source is for an editor to see; a third language is no translation at all.
  if (![undefined, language, from, recogniseLanguage(source)].includes(found)) return null;
  if (field === 'title') return text.length > MAX_TITLE_LENGTH || /[\r\n]/.test(text) ? null : text;
  return text.length > MAX_CONTENT_LENGTH ? null : text;
}

import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import { TRANSLATION_MAX_TOKENS } from '@fabrica/contract';
import type { Language } from '../../project/languages.ts';
import {
  TRANSLATION_PARTS,
  type TranslatedField,
  type TranslationPart,
} from '../../project/translation-parts.ts';
import type { AnswerFault, CheckedAnswer } from '../../project/translations.ts';

/** Names the reason why a translation is missing. */
export type TranslationFault =
  | AnswerFault['fault']
  /** The site has no provider. */
  | 'not-configured'
  /** The author has used up the translations of this day. */
  | 'quota'
  | 'offline'
  /** The translation is longer than one response may be. */
  | 'cut-off'
  | 'unanswered';

/** Holds a part's translation, or the reason why there is none and the original text is shown instead. */
export type Translation = TranslationPart &
  (
    | { text: string; fault: null }
    | { text: null; fault: TranslationFault; contradiction?: AnswerFault['contradiction'] }
  );

export type MissingPart = Extract<Translation, { text: null }>;

/**
 * Texts of up to this many characters are translated in one call for certain: Spanish, French and German take about three
 * characters a token.
 */
export const SAFE_CONTENT_LENGTH = 3 * TRANSLATION_MAX_TOKENS;

const ENGLISH_NAMES: Record<Language, string> = { en: 'English', es: 'Spanish', fr: 'French', de: 'German' };

export interface TranslatePostOptions {
  client: Pick<FabricaClient, 'projectId' | 'request' | 'ai'>;
  /** The language of the texts; null where it is not known. */
  language: Language | null;
  /** Whether the site has a model. Without one, nothing is asked and everything is missing. */
  hasModel: boolean;
  signal: AbortSignal;
  /** Is called with the number of calls that have ended. */
  onProgress(ended: number): void;
}

/**
 * Translates a title and a text into each language, in eight calls at the same time, and has the server check the answers in one
 * (docs/spec/product.md section 7). A call that fails is a missing translation; all else is thrown.
 */
export async function translatePost(
  texts: Readonly<Record<TranslatedField, string>>,
  { client, language, hasModel, signal, onProgress }: TranslatePostOptions,
): Promise<Translation[]> {
  if (!hasModel) {
    return TRANSLATION_PARTS.map((part) => ({ ...part, text: null, fault: 'not-configured' }));
  }
  let ended = 0;
  const answers = await Promise.all(
    TRANSLATION_PARTS.map(async (part): Promise<Translation> => {
      const answer = await ask(part, texts[part.field], client.ai, signal);
      ended += 1;
      onProgress(ended);
      return answer;
    }),
  );
  const given = answers.filter(({ text }) => text !== null);
  if (given.length === 0) return answers;
  const path = `/api/desk/${encodeURIComponent(client.projectId)}/translations/check`;
  const json = { ...texts, language, answers: given.map(({ fault: _, ...answer }) => answer) };
  const checked = (await client.request({ method: 'POST', path, json })) as {
    answers: CheckedAnswer[];
  };
  return answers.map(
    (answer) =>
      checked.answers.find((one) => one.field === answer.field && one.language === answer.language) ?? answer,
  );
}

async function ask(
  part: TranslationPart,
  source: string,
  ai: FabricaClient['ai'],
  signal: AbortSignal,
): Promise<Translation> {
  const failed = (fault: TranslationFault) => ({ ...part, text: null, fault });
  try {
    // It is streamed, so that a slow model is waited for as long as it writes.
    const { text, finishReason } = await ai.streamText({
      prompt: promptFor(part, source),
      maxTokens: TRANSLATION_MAX_TOKENS,
      temperature: 0,
      signal,
    });
    if (finishReason === 'length') return failed('cut-off');
    // Providers have many names for a good end, so the text decides about all others.
    if (['content-filter', 'tool-calls', 'error', 'unknown'].includes(finishReason))
      return failed('unusable');
    return { ...part, text, fault: null };
  } catch (error) {
    if (error instanceof AuthError || signal.aborted) throw error;
    return failed(faultOf(error));
  }
}

/** Returns the prompt for one part. The text follows the first empty line. */
function promptFor({ field, language }: TranslationPart, source: string): string {
  const what = field === 'title' ? 'title of a medical text' : 'medical text';
  return [
    `Translate the following ${what} to ${ENGLISH_NAMES[language]}.`,
    'Return only the translation, without quotation marks, notes or explanations. Keep paragraphs, line breaks, numbers and units.',
    `If it is in ${ENGLISH_NAMES[language]} already, return it unchanged.\n\n${source}`,
  ].join(' ');
}

function faultOf(error: unknown): TranslationFault {
  if (!(error instanceof FabricaError)) return 'unanswered';
  if (error.code === 'AI_NOT_CONFIGURED') return 'not-configured';
  if (error.code === 'AI_QUOTA_EXCEEDED') return 'quota';
  return error.code === 'NETWORK_ERROR' && error.status === null ? 'offline' : 'unanswered';
}

import type { FabricaClient } from '@fabrica/client';
import { detectLanguage } from '@fabrica/dose-guard/detect-language';
import type { Language } from '../../../project/languages.ts';
import type { CheckpointStore } from '../draft/checkpoint.ts';
import { reviewTranslations } from './review-translations.ts';
import { type Missing, type Translation, translatePart } from './translate-part.ts';
import { isSamePart, type SourceTexts, type TranslationPart } from './translation-parts.ts';

export type PartStatus = 'waiting' | 'done' | 'failed';

/** Describes the progress of one part's translation. */
export interface PartProgress extends TranslationPart {
  status: PartStatus;
}

export interface TranslatePartsOptions {
  parts: readonly TranslationPart[];
  ai: FabricaClient['ai'];
  /** `markdown` for a content that is more than plain. */
  format?: string | undefined;
  /** The language of the texts, where the author has named it. */
  from?: Language | undefined;
  /**
   * Translations in this checkpoint are not requested again, and neither are those of texts that were too long; each new
   * one is added as it arrives.
   */
  checkpoint: CheckpointStore;
  signal: AbortSignal;
  onProgress(parts: readonly PartProgress[]): void;
}

/**
 * Translates parts of the texts, all at once. Rejects with an error that `translatePart` throws, after all other parts
 * have settled.
 */
export async function translateParts(
  texts: SourceTexts,
  { parts, ai, format, from, checkpoint, signal, onProgress }: TranslatePartsOptions,
): Promise<Translation[]> {
  dropOtherTexts(texts, checkpoint);
  const reviewed = reviewTranslations(texts, checkpoint.read());
  const translations: (Translation | undefined)[] = parts.map((part) => {
    const earlier = reviewed.find((one) => isSamePart(one, part));
    if (earlier?.status === 'done') return { ...part, text: earlier.text, fault: null };
    return earlier?.status === 'failed' && earlier.fault === 'cut-off'
      ? { ...part, text: null, fault: earlier.fault }
      : undefined;
  });
  const reportProgress = () =>
    onProgress(parts.map((part, index) => ({ ...part, status: statusOf(translations[index]) })));
  reportProgress();
  const language = from ?? detectLanguage(texts.content);
  const results = await Promise.allSettled(
    parts.map(async (part, index) => {
      const earlier = translations[index];
      if (earlier) return earlier;
      const source = texts[part.field];
      const translation = await translatePart(part, source, { ai, signal, format, from: language });
      signal.throwIfAborted();
      addResult(source, translation, checkpoint);
      translations[index] = translation;
      reportProgress();
      return translation;
    }),
  );
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

function statusOf(translation: Translation | undefined): PartStatus {
  if (!translation) return 'waiting';
  return translation.text === null ? 'failed' : 'done';
}

/** Removes the results for texts that have changed since. */
function dropOtherTexts({ title, content }: SourceTexts, checkpoint: CheckpointStore): void {
  const { translations = [], faults = [], ...rest } = checkpoint.read();
  const isCurrent = ({ source }: { source: string }) => source === title || source === content;
  checkpoint.write({
    ...rest,
    translations: translations.filter(isCurrent),
    faults: faults.filter(isCurrent),
  });
}

function addResult(source: string, translation: Translation, checkpoint: CheckpointStore): void {
  const { language } = translation;
  const { translations = [], faults = [], ...rest } = checkpoint.read();
  const isOther = (one: { source: string; language: string }) =>
    one.source !== source || one.language !== language;
  const others = { translations: translations.filter(isOther), faults: faults.filter(isOther) };
  checkpoint.write(
    translation.fault === null
      ? {
          ...rest,
          ...others,
          translations: [...others.translations, { source, language, text: translation.text }],
        }
      : { ...rest, ...others, faults: [...others.faults, { source, language, ...whyMissing(translation) }] },
  );
}

function whyMissing({ fault, contradiction }: Missing): Missing {
  return { fault, ...(contradiction && { contradiction }) };
}

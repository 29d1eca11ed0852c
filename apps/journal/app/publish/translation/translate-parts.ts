import type { FabricaClient } from '@fabrica/client';
import type { AchievedStore } from '../draft/checkpoint.ts';
import { reviewTranslations } from './review-translations.ts';
import { type Translation, translatePart } from './translate-part.ts';
import { isSamePart, type SourceTexts, type TranslationPart } from './translation-parts.ts';

export type PartStatus = 'waiting' | 'done' | 'failed';

/** Where the translation of one part is. */
export interface PartProgress extends TranslationPart {
  status: PartStatus;
}

export interface TranslatePartsOptions {
  parts: readonly TranslationPart[];
  ai: FabricaClient['ai'];
  /** What earlier tries brought is not asked for again; each answer is kept as it comes. */
  achieved: AchievedStore;
  signal: AbortSignal;
  onProgress(parts: readonly PartProgress[]): void;
}

/**
 * Asks for parts of the texts' translation, all at once. Throws what `translatePart` throws, once the others have
 * ended.
 */
export async function translateParts(
  texts: SourceTexts,
  { parts, ai, achieved, signal, onProgress }: TranslatePartsOptions,
): Promise<Translation[]> {
  forgetOthers(texts, achieved);
  const reviewed = reviewTranslations(texts, achieved.read());
  const translations: (Translation | undefined)[] = parts.map((part) => {
    const earlier = reviewed.find((one) => isSamePart(one, part));
    return earlier?.status === 'done' ? { ...part, text: earlier.text, fault: null } : undefined;
  });
  const tell = () =>
    onProgress(parts.map((part, index) => ({ ...part, status: statusOf(translations[index]) })));
  tell();
  const results = await Promise.allSettled(
    parts.map(async (part, index) => {
      const earlier = translations[index];
      if (earlier) return earlier;
      const source = texts[part.field];
      const translation = await translatePart(part, source, { ai, signal });
      signal.throwIfAborted();
      remember(source, translation, achieved);
      translations[index] = translation;
      tell();
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

/** What was achieved for texts that are no longer these. */
function forgetOthers({ title, content }: SourceTexts, achieved: AchievedStore): void {
  const { translations = [], faults = [], ...rest } = achieved.read();
  const isCurrent = ({ source }: { source: string }) => source === title || source === content;
  achieved.write({ ...rest, translations: translations.filter(isCurrent), faults: faults.filter(isCurrent) });
}

function remember(source: string, { language, text, fault }: Translation, achieved: AchievedStore): void {
  const { translations = [], faults = [], ...rest } = achieved.read();
  const isOther = (one: { source: string; language: string }) =>
    one.source !== source || one.language !== language;
  const kept = { translations: translations.filter(isOther), faults: faults.filter(isOther) };
  achieved.write(
    fault === null
      ? { ...rest, ...kept, translations: [...kept.translations, { source, language, text }] }
      : { ...rest, ...kept, faults: [...kept.faults, { source, language, fault }] },
  );
}

import type { Checkpoint } from '../draft/checkpoint.ts';
import type { Missing } from './translate-part.ts';
import { type SourceTexts, TRANSLATION_PARTS, type TranslationPart } from './translation-parts.ts';

/** Describes the status of a part. It is `open` until it is requested, and again when its text has changed. */
export type ReviewedPart = TranslationPart &
  ({ status: 'done'; text: string } | ({ status: 'failed' } & Missing) | { status: 'open' });

/** Returns the status of each of the eight translations of these texts, according to the checkpoint. */
export function reviewTranslations(
  texts: SourceTexts,
  { translations = [], faults = [] }: Checkpoint,
): ReviewedPart[] {
  return TRANSLATION_PARTS.map((part) => {
    const isThis = (one: { source: string; language: string }) =>
      one.language === part.language && one.source === texts[part.field];
    const done = translations.find(isThis);
    if (done) return { ...part, status: 'done', text: done.text };
    const failed = faults.find(isThis);
    return failed
      ? { ...part, status: 'failed', fault: failed.fault, contradiction: failed.contradiction }
      : { ...part, status: 'open' };
  });
}

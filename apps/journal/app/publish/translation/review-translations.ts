import type { Achieved } from '../draft/checkpoint.ts';
import type { TranslationFault } from './translate-part.ts';
import { type SourceTexts, TRANSLATION_PARTS, type TranslationPart } from './translation-parts.ts';

/** How one part stands; `open` when it was not asked for yet, or its text was changed since. */
export type ReviewedPart = TranslationPart &
  ({ status: 'done'; text: string } | { status: 'failed'; fault: TranslationFault } | { status: 'open' });

/** How the eight translations of these texts stand, by what earlier tries achieved. */
export function reviewTranslations(
  texts: SourceTexts,
  { translations = [], faults = [] }: Achieved,
): ReviewedPart[] {
  return TRANSLATION_PARTS.map((part) => {
    const isThis = (one: { source: string; language: string }) =>
      one.language === part.language && one.source === texts[part.field];
    const done = translations.find(isThis);
    if (done) return { ...part, status: 'done', text: done.text };
    const failed = faults.find(isThis);
    return failed ? { ...part, status: 'failed', fault: failed.fault } : { ...part, status: 'open' };
  });
}

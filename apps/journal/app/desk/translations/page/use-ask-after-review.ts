import { useEffect, useEffectEvent, useRef } from 'react';
import type { LanguageTranslation, TranslatedSegment } from '../../../../project/translations.ts';

/**
 * Asks whether readers get a language after the review that leaves nothing to do in it, for no acceptance alone gives them other
 * words. Returns what is to be called with each segment that was changed.
 */
export function useAskAfterReview(
  { isDue }: LanguageTranslation,
  waiting: number,
  ask: () => void,
): (segment: TranslatedSegment) => void {
  const hasReviewed = useRef(false);
  const wasDue = useRef(isDue);
  const askIfDue = useEffectEvent(() => {
    const isAsked = hasReviewed.current && isDue && (waiting === 0 || !wasDue.current);
    wasDue.current = isDue;
    if (!isAsked) return;
    hasReviewed.current = false;
    ask();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the question depends on
  useEffect(() => askIfDue(), [isDue, waiting]);
  return ({ state }) => {
    hasReviewed.current = state === 'reviewed';
  };
}

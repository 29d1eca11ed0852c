import type { LanguageStatus, SegmentState } from '../../../../project/translations.ts';
import type { DeskMessages } from '../../load-desk-messages.ts';
import type { timesIn } from '../../use-desk.ts';

/** Returns sentences that say what readers see of a language. */
export function describeRelease(
  { state, releasedAt, isStale, hasChanges, reviewedBy }: LanguageStatus,
  { release: texts }: DeskMessages['translations'],
  times: ReturnType<typeof timesIn>,
): string {
  const sentences = [
    state === 'released' && releasedAt !== null
      ? texts.states.released(times.full(releasedAt))
      : state === 'released'
        ? texts.states.none
        : texts.states[state],
    state === 'released' && reviewedBy !== null && texts.reviewedBy(reviewedBy),
    state !== 'none' && state !== 'withdrawn' && isStale && texts.stale,
    state === 'released' && hasChanges && texts.hasChanges,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Tells whether another release would change nothing: neither words, nor that they are known to be reviewed. */
export function isAllReleased(status: LanguageStatus): boolean {
  const { state, releasedAt, isReady, isStale, hasChanges, reviewedBy, counts } = status;
  const isKnown = reviewedBy !== null || counts.machine + counts.edited > 0;
  return state === 'released' && releasedAt !== null && isReady && !isStale && !hasChanges && isKnown;
}

const COUNTED = ['blocked', 'missing', 'outdated', 'machine', 'edited', 'reviewed'] as const satisfies (
  | SegmentState
  | 'blocked'
)[];

/** Returns "2 missing, 30 by machine, 8 reviewed" for the states that there are segments in. */
export function describeCounts(
  counts: LanguageStatus['counts'],
  { counted }: DeskMessages['translations'],
): string {
  return COUNTED.filter((state) => counts[state] > 0)
    .map((state) => counted[state](counts[state]))
    .join(', ');
}

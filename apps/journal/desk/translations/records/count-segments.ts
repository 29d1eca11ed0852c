import { SEGMENT_STATES, type SegmentCounts, type SegmentState } from '../../../project/translations.ts';

interface CountedSegment {
  state: SegmentState;
  isBlocked: boolean;
}

export const SEGMENT_COUNTS = [...SEGMENT_STATES, 'blocked'] as const;

/** Counts segments by their states, and those that the guard keeps from being released. */
export function countSegments(segments: readonly CountedSegment[]): SegmentCounts {
  const counts = Object.fromEntries(SEGMENT_COUNTS.map((name) => [name, 0])) as SegmentCounts;
  for (const { state, isBlocked } of segments) {
    counts[state] += 1;
    if (isBlocked) counts.blocked += 1;
  }
  return counts;
}

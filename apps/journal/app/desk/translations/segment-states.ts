import type { SegmentState, TranslatedSegment } from '../../../project/translations.ts';

/** Names what a list of segments is filtered by: a state, what is blocked, or what waits for a person. */
export type SegmentFilter = SegmentState | 'blocked' | 'person';

export const SEGMENT_FILTERS = [
  'person',
  'blocked',
  'missing',
  'outdated',
  'machine',
  'edited',
  'reviewed',
] as const satisfies SegmentFilter[];

/** Returns whether a reviewer has to say why a segment is right. What else the guard has found, it is enough to have looked at. */
export function needsReason({ blocked, findings }: TranslatedSegment): boolean {
  return blocked && findings.some(({ severity }) => severity === 'block');
}

/** Returns whether a person has to look at a segment: nobody has reviewed it, or its numbers contradict the original. */
export function needsPerson({ state, blocked }: TranslatedSegment): boolean {
  return state !== 'reviewed' || blocked;
}

export function matchesFilter(segment: TranslatedSegment, filter: SegmentFilter): boolean {
  if (filter === 'person') return needsPerson(segment);
  return filter === 'blocked' ? segment.blocked : segment.state === filter;
}

interface Shown {
  search: string;
  filter: SegmentFilter | undefined;
  /** Segments that were acted on: they stay in sight, whatever becomes of their words and their state. */
  touched: ReadonlySet<string>;
}

/** Returns the segments that a search and a filter show, and how many have the words. */
export function listSegments(
  segments: readonly TranslatedSegment[],
  { search, filter, touched }: Shown,
): { found: number; listed: TranslatedSegment[] } {
  const found = new Set(segments.filter((segment) => matchesSearch(segment, search)));
  const listed = segments.filter(
    (segment) =>
      touched.has(segment.id) || (found.has(segment) && (!filter || matchesFilter(segment, filter))),
  );
  return { found: found.size, listed };
}

/** Tells whether a segment has these words in one of its texts, in whichever case. */
function matchesSearch({ source, text }: TranslatedSegment, search: string): boolean {
  const words = search.toLocaleLowerCase();
  return [source, text].some((one) => one.toLocaleLowerCase().includes(words));
}

export function countSegments(segments: readonly TranslatedSegment[]): Record<SegmentFilter, number> {
  const count = (filter: SegmentFilter) => segments.filter((one) => matchesFilter(one, filter)).length;
  return Object.fromEntries(SEGMENT_FILTERS.map((filter) => [filter, count(filter)])) as Record<
    SegmentFilter,
    number
  >;
}

/** Returns the segments of a fresh response; of one that was changed here meanwhile, the later version stays. */
export function newerSegments(
  shown: readonly TranslatedSegment[],
  fresh: readonly TranslatedSegment[],
): TranslatedSegment[] {
  const known = new Map(shown.map((segment) => [segment.id, segment]));
  return fresh.map((segment) => {
    const here = known.get(segment.id);
    return here && here.version > segment.version ? here : segment;
  });
}

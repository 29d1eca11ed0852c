import type { SegmentKind, SegmentPart } from '../project/translations.ts';
import { commonOrder } from './common-order.ts';
import { nameOfPart, type SegmentText } from './split-post.ts';

/** A segment of an original, with the id that it keeps. */
export interface ListedSegment {
  id: string;
  part: SegmentPart;
  kind: SegmentKind;
  hash: string;
}

interface KnownSegment extends ListedSegment {
  text: string;
}

interface MatchOptions {
  before: readonly KnownSegment[];
  after: readonly SegmentText[];
  /** Ids of segments that were removed, by the hashes that their translations name. */
  removed: ReadonlyMap<string, readonly string[]>;
  newId: () => string;
}

/** Words of a segment that must be those of the other one, for both to be the same segment. */
const ALIKE = 0.4;
/** Words of a part that must be those of the whole that was split, or joined from it. */
const CONTAINED = 0.75;
/** Segments that differ are compared with those so near to them, and with fewer where very many differ. */
const NEAR = 60;
/** Pairs that are compared of two originals, which takes 20 ms. */
const MOST_PAIRS = 20_000;

/**
 * Returns the segments of an original with the ids of those that they were before: the same words in the same order, the same
 * words elsewhere, and like words in between. Of a segment that was split the first part keeps the id; of several that were
 * joined the longest one gives it.
 */
export function matchSegments({ before, after, removed, newId }: MatchOptions): ListedSegment[] {
  const matching = new Matching(before, after);
  matching.matchSame();
  matching.matchMoved();
  matching.matchAlike();
  const used = new Set(matching.ids.values());
  return after.map(({ part, kind, hash }, at) => {
    const known = matching.ids.get(at) ?? removed.get(hash)?.find((id) => !used.has(id));
    const id = known ?? newId();
    used.add(id);
    return { id, part, kind, hash };
  });
}

class Matching {
  /** The id by the place of a segment of the new original. */
  readonly ids = new Map<number, string>();
  readonly #before: readonly KnownSegment[];
  readonly #after: readonly SegmentText[];
  /** Pairs of places in the order of both originals. */
  #anchors: [number, number][] = [];
  readonly #taken = new Set<number>();

  constructor(before: readonly KnownSegment[], after: readonly SegmentText[]) {
    this.#before = before;
    this.#after = after;
  }

  matchSame(): void {
    this.#anchors = commonOrder(this.#before.map(keyOf), this.#after.map(keyOf));
    for (const [old, place] of this.#anchors) this.#pair(old, place);
  }

  matchMoved(): void {
    const left = Map.groupBy(
      range(0, this.#before.length).filter((old) => !this.#taken.has(old)),
      (old) => keyOf(this.#before[old] as KnownSegment),
    );
    for (const [place, segment] of this.#after.entries()) {
      const old = this.ids.has(place) ? undefined : left.get(keyOf(segment))?.shift();
      if (old !== undefined) this.#pair(old, place);
    }
  }

  matchAlike(): void {
    let from: [number, number] = [0, 0];
    for (const [old, place] of [...this.#anchors, [this.#before.length, this.#after.length] as const]) {
      const olds = range(from[0], old).filter((at) => !this.#taken.has(at));
      const places = range(from[1], place).filter((at) => !this.ids.has(at));
      if (olds.length > 0 && places.length > 0) this.#matchGap(olds, places);
      from = [old + 1, place + 1];
    }
  }

  #matchGap(olds: readonly number[], places: readonly number[]): void {
    const near = Math.min(NEAR, Math.ceil(MOST_PAIRS / (2 * this.#before.length)));
    const pairs = olds.flatMap((old, row) =>
      places
        .slice(Math.max(0, row - near), row + near + 1)
        .filter((place) => this.#isSamePart(old, place))
        .map((place) => ({ old, place, ...this.#compare(old, place) })),
    );
    const free = ({ old, place }: { old: number; place: number }) =>
      !this.#taken.has(old) && !this.ids.has(place);
    for (const [old, parts] of Map.groupBy(
      pairs.filter(({ ofNew }) => ofNew >= CONTAINED),
      ({ old }) => old,
    )) {
      const [first] = parts.filter(free);
      if (first && parts.length > 1) this.#pair(old, first.place);
    }
    for (const [place, parts] of Map.groupBy(
      pairs.filter(({ ofOld }) => ofOld >= CONTAINED),
      ({ place }) => place,
    )) {
      const longest = parts
        .filter(free)
        .toSorted((one, other) => this.#length(other.old) - this.#length(one.old));
      if (longest[0] && parts.length > 1) this.#pair(longest[0].old, place);
    }
    const alike = pairs.filter(({ both }) => both >= ALIKE).toSorted((one, other) => other.both - one.both);
    for (const pair of alike) if (free(pair)) this.#pair(pair.old, pair.place);
    this.#matchSingle(olds, places);
  }

  /** One segment that took the place of one of its kind is the same, however different its words are. */
  #matchSingle(olds: readonly number[], places: readonly number[]): void {
    const [old, ...moreOld] = olds.filter((at) => !this.#taken.has(at));
    const [place, ...morePlaces] = places.filter((at) => !this.ids.has(at));
    if (old === undefined || place === undefined || moreOld.length > 0 || morePlaces.length > 0) return;
    const isSameKind = this.#before[old]?.kind === this.#after[place]?.kind;
    if (isSameKind && this.#isSamePart(old, place)) this.#pair(old, place);
  }

  #pair(old: number, place: number): void {
    this.#taken.add(old);
    this.ids.set(place, this.#before[old]?.id ?? '');
  }

  #isSamePart(old: number, place: number): boolean {
    const [before, after] = [this.#before[old], this.#after[place]];
    return before !== undefined && after !== undefined && nameOfPart(before.part) === nameOfPart(after.part);
  }

  #length(old: number): number {
    return this.#before[old]?.text.length ?? 0;
  }

  #compare(old: number, place: number): { ofOld: number; ofNew: number; both: number } {
    const [one, other] = [this.#words(this.#before[old]), this.#words(this.#after[place])];
    let common = 0;
    for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
    return {
      ofOld: common / Math.max(one.total, 1),
      ofNew: common / Math.max(other.total, 1),
      both: (2 * common) / Math.max(one.total + other.total, 1),
    };
  }

  readonly #counted = new Map<{ text: string }, { counts: Map<string, number>; total: number }>();

  #words(segment: { text: string } | undefined) {
    if (!segment) return { counts: new Map<string, number>(), total: 0 };
    const known = this.#counted.get(segment);
    if (known) return known;
    const words = segment.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const counted = { counts, total: words.length };
    this.#counted.set(segment, counted);
    return counted;
  }
}

function keyOf({ part, hash }: { part: SegmentPart; hash: string }): string {
  return `${nameOfPart(part)} ${hash}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at);
}

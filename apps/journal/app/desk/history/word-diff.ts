/** A stretch of two texts: in both, only in the earlier one, or only in the later one. */
export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A word, a number with its decimals, a space, or any other character. */
const TOKENS = /\p{L}[\p{L}\p{M}\p{N}'’-]*|\p{N}+(?:[.,]\p{N}+)*|\s+|./gsu;
/** Parts with more changes than these are shown as replaced as a whole. */
const MAX_CHANGES = 1_500;

/** Returns the difference between two texts by words. The parts of one side together are that side's text. */
export function diffWords(before: string, after: string): DiffPart[] {
  // Paragraphs first: long texts with a few changed words are compared quickly.
  const paragraphs = diffItems(split(before, /[^\n]*\n*/g), split(after, /[^\n]*\n*/g));
  const parts: DiffPart[] = [];
  for (let index = 0; index < paragraphs.length; index += 1) {
    const part = paragraphs[index] as DiffPart;
    const next = paragraphs[index + 1];
    if (part.kind === 'removed' && next?.kind === 'added') {
      parts.push(...diffItems(split(part.text, TOKENS), split(next.text, TOKENS)));
      index += 1;
    } else parts.push(part);
  }
  return joined(parts);
}

function split(text: string, pattern: RegExp): string[] {
  return (text.match(pattern) ?? []).filter(Boolean);
}

/** Returns the difference of two lists; where both have something, what was removed stands before what was added. */
function diffItems(before: readonly string[], after: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < before.length && before[start] === after[start] && start < after.length) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = pathThrough(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return joined([
    { kind: 'same', text: before.slice(0, start).join('') },
    ...middle,
    { kind: 'same', text: before.slice(before.length - end).join('') },
  ]);
}

/** Finds the shortest way from one list to the other (Myers, "An O(ND) difference algorithm", 1986). */
function pathThrough(before: readonly string[], after: readonly string[]): DiffPart[] {
  const ends = furthestEnds(before, after);
  if (!ends) {
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ];
  }
  const parts: DiffPart[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = ends.length - 1; changes > 0; changes -= 1) {
    const earlier = ends[changes - 1] as Map<number, number>;
    const diagonal = x - y;
    const isAdded = cameFromAbove(earlier, diagonal, changes);
    const previous = isAdded ? diagonal + 1 : diagonal - 1;
    const previousX = earlier.get(previous) ?? 0;
    const previousY = previousX - previous;
    const turnX = isAdded ? previousX : previousX + 1;
    for (; x > turnX; x -= 1) parts.push({ kind: 'same', text: before[x - 1] as string });
    parts.push(
      isAdded
        ? { kind: 'added', text: after[previousY] as string }
        : { kind: 'removed', text: before[previousX] as string },
    );
    [x, y] = [previousX, previousY];
  }
  for (; x > 0; x -= 1) parts.push({ kind: 'same', text: before[x - 1] as string });
  return parts.reverse();
}

/** Returns how far each diagonal is reached with each number of changes, or `undefined` when there are too many. */
function furthestEnds(
  before: readonly string[],
  after: readonly string[],
): Map<number, number>[] | undefined {
  const ends: Map<number, number>[] = [];
  for (let changes = 0; changes <= MAX_CHANGES; changes += 1) {
    const earlier = ends.at(-1) ?? new Map<number, number>();
    const reached = new Map<number, number>();
    ends.push(reached);
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = 0;
      if (changes > 0) {
        x = cameFromAbove(earlier, diagonal, changes)
          ? (earlier.get(diagonal + 1) ?? 0)
          : (earlier.get(diagonal - 1) ?? 0) + 1;
      }
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return ends;
    }
  }
  return undefined;
}

function cameFromAbove(earlier: ReadonlyMap<number, number>, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  return diagonal !== changes && (earlier.get(diagonal - 1) ?? -1) < (earlier.get(diagonal + 1) ?? -1);
}

/** Joins neighbours of a kind, and puts what was removed before what was added between two that stayed. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let removed = '';
  let added = '';
  const close = () => {
    if (removed) result.push({ kind: 'removed', text: removed });
    if (added) result.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const [place, { kind, text }] of parts.entries()) {
    if (!text) continue;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (removed && added && /^[^\S\n]+$/.test(text) && isReplaced(parts, place + 1)) {
      // The space between two replaced words is replaced with them: the words are read as one change.
      removed += text;
      added += text;
    } else {
      close();
      const last = result.at(-1);
      if (last?.kind === 'same') last.text += text;
      else result.push({ kind, text });
    }
  }
  close();
  return result;
}

/** Tells whether something is removed and something is added at this place. */
function isReplaced(parts: readonly DiffPart[], start: number): boolean {
  const end = parts.findIndex(({ kind, text }, place) => place >= start && kind === 'same' && text !== '');
  const kinds = parts.slice(start, end < 0 ? undefined : end).map(({ kind }) => kind);
  return kinds.includes('removed') && kinds.includes('added');
}

/** So many pairs are compared at most, which takes 10 ms. Of longer lists, the values that each has once are. */
const MAX_PAIRS = 400_000;

/**
 * Returns the pairs of positions at which two lists have the same values in the same order: a longest common subsequence, or
 * a long one of lists that are very long.
 */
export function commonOrder(one: readonly string[], other: readonly string[]): [number, number][] {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const rest = Math.min(one.length, other.length) - start;
  while (end < rest && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const middle =
    (one.length - start - end) * (other.length - start - end) <= MAX_PAIRS
      ? longestCommon(one.slice(start, one.length - end), other.slice(start, other.length - end))
      : increasing(uniquePairs(one.slice(start, one.length - end), other.slice(start, other.length - end)));
  return [
    ...Array.from({ length: start }, (_, at): [number, number] => [at, at]),
    ...middle.map(([left, right]): [number, number] => [left + start, right + start]),
    ...Array.from({ length: end }, (_, at): [number, number] => [
      one.length - end + at,
      other.length - end + at,
    ]),
  ];
}

function longestCommon(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  const at = (left: number, right: number) => lengths[left * width + right] ?? 0;
  for (let left = one.length - 1; left >= 0; left -= 1) {
    for (let right = other.length - 1; right >= 0; right -= 1) {
      lengths[left * width + right] =
        one[left] === other[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let left = 0, right = 0; left < one.length && right < other.length; ) {
    if (one[left] === other[right]) pairs.push([left++, right++]);
    else if (at(left + 1, right) >= at(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}

/** Returns the places of the values that each list has exactly once. */
function uniquePairs(one: readonly string[], other: readonly string[]): [number, number][] {
  const [left, right] = [placesOnce(one), placesOnce(other)];
  return [...left].flatMap(([value, at]): [number, number][] => {
    const place = right.get(value);
    return place === undefined ? [] : [[at, place]];
  });
}

function placesOnce(list: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const doubled = new Set<string>();
  for (const [at, value] of list.entries()) {
    if (places.has(value)) doubled.add(value);
    places.set(value, at);
  }
  for (const value of doubled) places.delete(value);
  return places;
}

/** Returns a longest part of the pairs in which the second places grow as the first ones do. */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, [, place]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = at;
  }
  const found: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) found.unshift(pair);
  }
  return found;
}

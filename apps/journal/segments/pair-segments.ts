import { commonOrder } from './common-order.ts';

/**
 * Returns, for each segment of a translation, the places of the original's segments that belong to it. The keys say which
 * ones are the same: hashes of the original's words, or only kinds where no more is known. What lies between two pairs goes
 * together in order; what the original has more belongs to the segment before it. Nothing belongs to a segment that the
 * original no longer has.
 */
export function pairSegments(translation: readonly string[], original: readonly string[]): number[][] {
  const pairs: number[][] = translation.map(() => []);
  let from: [number, number] = [0, 0];
  for (const [at, place] of [
    ...commonOrder(translation, original),
    [translation.length, original.length] as const,
  ]) {
    for (let next = from[1]; next < place; next += 1) {
      const opposite = Math.min(from[0] + next - from[1], at - 1);
      pairs[Math.max(opposite, 0)]?.push(next);
    }
    pairs[at]?.push(place);
    from = [at + 1, place + 1];
  }
  return pairs;
}

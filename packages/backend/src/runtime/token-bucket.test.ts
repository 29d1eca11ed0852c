import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

/** A bucket of three tokens, to which two are added in a second. */
function build() {
  let time = 0;
  const bucket = createTokenBucket({ capacity: 3, perSecond: 2, now: () => time });
  return {
    take: (count: number) => Array.from({ length: count }, () => bucket.take()),
    advance(ms: number) {
      time += ms;
    },
  };
}

test('a token bucket lets a burst of its capacity pass', () => {
  const { take } = build();
  expect(take(4)).toEqual([true, true, true, false]);
});

test('a token bucket is filled as time passes, up to its capacity', () => {
  const { take, advance } = build();
  take(3);
  advance(400);
  expect(take(1)).toEqual([false]);
  advance(100);
  expect(take(2)).toEqual([true, false]);
  advance(60_000);
  expect(take(4)).toEqual([true, true, true, false]);
});

test('a token bucket neither fills nor empties when the clock is set back', () => {
  const { take, advance } = build();
  take(2);
  advance(-60_000);
  expect(take(2)).toEqual([true, false]);
});

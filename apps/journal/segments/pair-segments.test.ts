import { expect, it } from 'vitest';
import { pairSegments } from './pair-segments.ts';

const pair = (translation: string, original: string) =>
  pairSegments([...translation], [...original]).map((places) => places.map((at) => original[at]).join(''));

it('a translation of the present original has each segment beside its own', () => {
  expect(pair('abc', 'abc')).toEqual(['a', 'b', 'c']);
});

it('a segment that was changed stands beside the words that took its place', () => {
  expect(pair('abc', 'aXc')).toEqual(['a', 'X', 'c']);
});

it('segments that were added belong to the one before them', () => {
  expect(pair('abc', 'abXYc')).toEqual(['a', 'bXY', 'c']);
  expect(pair('abc', 'aXYc')).toEqual(['a', 'XY', 'c']);
  expect(pair('ab', 'Xab')).toEqual(['Xa', 'b']);
});

it('a segment that the original no longer has stands beside nothing', () => {
  expect(pair('abc', 'ac')).toEqual(['a', '', 'c']);
});

it('no segment of the original is lost in a translation of other length', () => {
  expect(pair('ppp', 'hpppp').join('')).toBe('hpppp');
  expect(pair('', 'ab')).toEqual([]);
});

import { expect, test } from 'vitest';
import { shorten, toOneLine } from './shorten.ts';

test.each([
  ['The heart', 9, 'The heart'],
  ['The heart rests', 13, 'The heart…'],
  ['The heart rests', 10, 'The heart…'],
  ['The heart, which rests', 14, 'The heart…'],
  ['Donaudampfschifffahrt', 10, 'Donaudamp…'],
  ['A Donaudampfschifffahrt', 12, 'A Donaudamp…'],
  ['Heart 💓💓💓', 8, 'Heart…'],
  ['💓💓💓💓💓', 5, '💓💓…'],
  ['12345678–', 9, '12345678–'],
])('%j shortened to %i characters is %j', (text, length, short) => {
  expect(shorten(text, length)).toBe(short);
});

test('a text on one line has neither line breaks nor doubled spaces', () => {
  expect(toOneLine(' The heart\n\nrests. \t It\u2028sleeps. ')).toBe('The heart rests. It sleeps.');
});

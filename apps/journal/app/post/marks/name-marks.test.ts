import { expect, test } from 'vitest';
import { marks as texts } from '../../../messages/en/marks.ts';
import type { Shape } from '../../../project/marks.ts';
import { nameMarks, placeOf } from './name-marks.ts';

test('a place is the third across and down in which the middle of a shape is', () => {
  const place = (x: number, y: number, size = 0) =>
    placeOf({ x, y, width: size, height: size }, texts.places);
  expect([place(0, 0), place(50, 10), place(100, 20)]).toEqual(['upper left', 'top', 'upper right']);
  expect([place(33, 50), place(34, 66), place(67, 50)]).toEqual(['left', 'middle', 'right']);
  expect([place(10, 100), place(50, 67), place(99, 99)]).toEqual(['lower left', 'bottom', 'lower right']);
  expect(place(0, 0, 100), 'the whole of the plate').toBe('middle');
});

test('a mark is named by the first words of its note, or of its passage', () => {
  const shape: Shape = { kind: 'point', x: 10, y: 10 };
  const marks = [
    { letter: 'a', shape, note: `${'word '.repeat(20)}end.`, passage: 'other words' },
    { letter: 'b', shape, note: '', passage: 'the great vessel' },
  ];
  const named = nameMarks(marks, texts);
  expect(named[1]).toMatchObject({
    words: 'the great vessel',
    name: 'Mark b: the great vessel, upper left, 2 of 2',
  });
  expect(named[0]?.name).toMatch(/^Mark a: (word ?)+…, upper left, 1 of 2$/);
});

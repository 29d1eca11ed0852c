import { expect, it } from 'vitest';
import { changedColumns, mergeRows } from './save-row.ts';

const base = { id: 'de', updatedAt: 1, tagline: 'A', imprint: 'B', privacy: null as string | null };

it('only the columns that changed are written', () => {
  expect(changedColumns(base, { ...base, imprint: 'C' })).toEqual({ imprint: 'C' });
  expect(changedColumns(base, { ...base })).toEqual({});
});

it('the changes of two people to different columns are kept beside each other', () => {
  const { row, both } = mergeRows(
    base,
    { ...base, tagline: 'mine' },
    { ...base, updatedAt: 2, imprint: 'theirs' },
  );
  expect(row).toEqual({ id: 'de', updatedAt: 2, tagline: 'mine', imprint: 'theirs', privacy: null });
  expect(both).toEqual([]);
});

it('a column that two people changed keeps the own value and is named, unless both wrote the same', () => {
  const draft = { ...base, tagline: 'mine', privacy: 'same' };
  const { row, both } = mergeRows(base, draft, { ...base, updatedAt: 2, tagline: 'theirs', privacy: 'same' });
  expect(row).toMatchObject({ tagline: 'mine', privacy: 'same', updatedAt: 2 });
  expect(both).toEqual(['tagline']);
});

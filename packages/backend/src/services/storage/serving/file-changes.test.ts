import { expect, it } from 'vitest';
import { createFileChanges } from './file-changes.ts';

it('a file is the same until it is removed or another process commits, also after very many removals', () => {
  let commits = 0;
  const changes = createFileChanges(() => commits);
  const isSame = changes.begin();
  changes.note(['other']);
  expect([isSame('mine'), isSame('other'), changes.begin()('new')]).toEqual([true, false, true]);
  changes.note(Array.from({ length: 20_000 }, (_, index) => `blob_${index}`));
  expect([isSame('other'), isSame('blob_0'), changes.begin()('new')]).toEqual([false, false, true]);
  const later = changes.begin();
  commits += 1;
  expect([later('mine'), changes.begin()('mine')]).toEqual([false, true]);
});

import { expect, test } from 'vitest';
import { Lazy } from './lazy.ts';

test('a lazy value is loaded once, when it is first needed', async () => {
  let loads = 0;
  const value = new Lazy(async () => {
    loads += 1;
    return 'loaded';
  });
  expect(await value.ifLoaded()).toBeUndefined();
  expect(loads).toBe(0);
  expect(await Promise.all([value.get(), value.get(), value.ifLoaded()])).toEqual(Array(3).fill('loaded'));
  expect(loads).toBe(1);
});

test('a lazy value whose load failed is loaded again by the next call', async () => {
  let loads = 0;
  const value = new Lazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error('away');
    return 'loaded';
  });
  const failing = value.get();
  expect(await value.ifLoaded()).toBeUndefined();
  await expect(failing).rejects.toThrow('away');
  expect(await value.get()).toBe('loaded');
});

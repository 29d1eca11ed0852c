import { expect, test } from 'vitest';
import { VersionedCache } from './versioned-cache.ts';

interface Entry {
  size: number;
  source?: string;
}

function build() {
  let version: number | undefined = 1;
  const cache = new VersionedCache<Entry>({
    maxBytes: 100,
    bytesOf: ({ size }) => size,
    version: () => version,
  });
  return {
    cache,
    store: (key: string, size = 10, source = 'file') => cache.begin()(key, { size, source }),
    commit: () => {
      version = (version ?? 0) + 1;
    },
    forgetVersion: () => {
      version = undefined;
    },
  };
}

test('a versioned cache returns what was stored until the version changes', () => {
  const { cache, store, commit } = build();
  store('a');
  expect(cache.get('a')).toMatchObject({ size: 10 });
  expect(cache.get('b')).toBeUndefined();
  commit();
  expect(cache.get('a')).toBeUndefined();
});

test('a versioned cache does not store what was begun before the version changed', () => {
  const { cache, commit } = build();
  const store = cache.begin();
  commit();
  store('a', { size: 10 });
  expect(cache.get('a')).toBeUndefined();
});

test('a versioned cache stores nothing while the version is unknown', () => {
  const { cache, store, forgetVersion } = build();
  store('a');
  forgetVersion();
  expect(cache.get('a')).toBeUndefined();
  store('a');
  expect(cache.get('a')).toBeUndefined();
});

test('a versioned cache drops the least recently used entries when the memory is full', () => {
  const { cache, store } = build();
  store('a', 40);
  store('b', 40);
  cache.get('a');
  store('c', 40);
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
});

test('a versioned cache drops the oldest entries when they are only peeked at', () => {
  const { cache, store } = build();
  store('a', 40);
  store('b', 40);
  cache.peek('a');
  store('c', 40);
  expect(['a', 'b', 'c'].map((key) => cache.peek(key) !== undefined)).toEqual([false, true, true]);
});

test('a versioned cache counts an entry that replaces another one once', () => {
  const { cache, store } = build();
  store('a', 60);
  store('b', 30);
  store('a', 50);
  expect([cache.get('a')?.size, cache.get('b')?.size]).toEqual([50, 30]);
});

test('a versioned cache does not store an entry that is too large, and keeps the others', () => {
  const { cache, store } = build();
  store('a', 20);
  store('b', 101);
  expect(cache.get('a')?.size).toBe(20);
  expect(cache.get('b')).toBeUndefined();
});

test('a versioned cache drops the entries that are invalidated, and does not store what was begun before', () => {
  const { cache, store } = build();
  store('a', 10, 'gone');
  store('b', 10, 'there');
  const begun = cache.begin();
  cache.invalidate(({ source }) => source === 'gone');
  begun('c', { size: 10 });
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, false]);
});

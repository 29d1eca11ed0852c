import { describe, expect, test } from 'vitest';
import type { PlainResponse } from '../../../http/plain-exchange.ts';
import { createResponseCache } from './response-cache.ts';

/** A database that commits when it is told to, and answers that are told apart by their numbers. */
function build() {
  let version: number | undefined = 1;
  let reads = 0;
  const kept = createResponseCache({ version: () => version });
  const read = (length = 10) => {
    reads += 1;
    return { status: 200, headers: {}, body: `${reads}`.padEnd(length, '.') };
  };
  const shown = ({ body }: PlainResponse) => Number.parseInt(Buffer.from(body.slice(0, 10)).toString(), 10);
  return {
    commit: () => {
      version = (version ?? 0) + 1;
    },
    forgetVersion: () => {
      version = undefined;
    },
    /** The number of the read that the answer came from. */
    ask: async (key: string, length?: number) => shown(await kept.answer(key, () => read(length))),
    askSlowly: (key: string, ready: Promise<unknown>) =>
      Promise.resolve(kept.answer(key, () => ready.then(() => read()))).then(shown),
  };
}

describe('an answer', () => {
  test('is kept from when it is asked for again, until the next commit', async () => {
    const { ask, commit } = build();
    expect([await ask('a'), await ask('a'), await ask('a'), await ask('a')]).toEqual([1, 2, 2, 2]);
    commit();
    expect([await ask('a'), await ask('a')]).toEqual([3, 3]);
  });

  test('is one of its key', async () => {
    const { ask } = build();
    for (const key of ['a', 'b', 'a', 'b']) await ask(key);
    expect([await ask('a'), await ask('b')]).toEqual([3, 4]);
  });

  test('that was under way when somebody committed is kept for nobody', async () => {
    const { ask, askSlowly, commit } = build();
    await ask('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = askSlowly('a', promise);
    commit();
    resolve();
    expect(await slow).toBe(2);
    expect([await ask('a'), await ask('a')]).toEqual([3, 3]);
  });

  test('is never kept where nobody can tell of commits', async () => {
    const { ask, forgetVersion } = build();
    forgetVersion();
    expect([await ask('a'), await ask('a'), await ask('a')]).toEqual([1, 2, 3]);
  });

  test('makes room for later ones, the oldest first, and is not kept where it would push out all of them', async () => {
    const { ask } = build();
    const askTwice = async (key: string, length: number) =>
      [await ask(key, length), await ask(key, length)][1];
    const first = await askTwice('first', 1_500_000);
    const others = ['b', 'c', 'd', 'e'];
    for (const key of others) await askTwice(key, 1_500_000);
    expect(await ask('first', 10)).toBe(first);
    await askTwice('last', 1_500_000);
    expect(await ask('first', 10)).not.toBe(first);
    const huge = await askTwice('huge', 3_000_000);
    expect(await ask('huge', 3_000_000)).not.toBe(huge);
    const last = await ask('last', 10);
    expect(await ask('last', 10)).toBe(last);
  });

  test('of a key that is too long is not kept', async () => {
    const { ask } = build();
    const key = 'k'.repeat(3_000);
    expect([await ask(key), await ask(key), await ask(key)]).toEqual([1, 2, 3]);
  });
});

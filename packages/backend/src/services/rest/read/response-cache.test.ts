import { describe, expect, test } from 'vitest';
import type { PlainResponse } from '../../../http/plain-exchange.ts';
import { createResponseCache } from './response-cache.ts';

/** Builds a cache on a database that commits on demand; the responses contain the number of the read. */
function build() {
  let version: number | undefined = 1;
  let reads = 0;
  const cache = createResponseCache({ version: () => version });
  const read = (length = 10) => {
    reads += 1;
    return { status: 200, headers: {}, body: `${reads}`.padEnd(length, '.') };
  };
  const numberOf = ({ body }: PlainResponse) =>
    Number.parseInt(Buffer.from(body.slice(0, 10)).toString(), 10);
  return {
    commit: () => {
      version = (version ?? 0) + 1;
    },
    forgetVersion: () => {
      version = undefined;
    },
    /** Returns the number of the read that the response came from. */
    ask: async (key: string, length?: number) => numberOf(await cache.respond(key, () => read(length))),
    askSlowly: (key: string, ready: Promise<unknown>) =>
      Promise.resolve(cache.respond(key, () => ready.then(() => read()))).then(numberOf),
  };
}

describe('the response cache', () => {
  test('a response is cached from its second request until the next commit', async () => {
    const { ask, commit } = build();
    expect([await ask('a'), await ask('a'), await ask('a'), await ask('a')]).toEqual([1, 2, 2, 2]);
    commit();
    expect([await ask('a'), await ask('a')]).toEqual([3, 3]);
  });

  test('a response is cached for its key alone', async () => {
    const { ask } = build();
    for (const key of ['a', 'b', 'a', 'b']) await ask(key);
    expect([await ask('a'), await ask('b')]).toEqual([3, 4]);
  });

  test('a response that was read during a commit is not cached', async () => {
    const { ask, askSlowly, commit } = build();
    await ask('a');
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = askSlowly('a', promise);
    commit();
    resolve();
    expect(await slow).toBe(2);
    expect([await ask('a'), await ask('a')]).toEqual([3, 3]);
  });

  test('no response is cached while the version is unknown', async () => {
    const { ask, forgetVersion } = build();
    forgetVersion();
    expect([await ask('a'), await ask('a'), await ask('a')]).toEqual([1, 2, 3]);
  });

  test('the oldest responses make room for new ones, and a very large response is not cached', async () => {
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

  test('a response with a very long key is not cached', async () => {
    const { ask } = build();
    const key = 'k'.repeat(3_000);
    expect([await ask(key), await ask(key), await ask(key)]).toEqual([1, 2, 3]);
  });
});

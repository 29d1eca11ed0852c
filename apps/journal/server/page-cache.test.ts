import { describe, expect, it } from 'vitest';
import { createPageCache, type PageCacheOptions } from './page-cache.ts';

/** A cache of pages of 1,000 bytes, and the names of those that were rendered. */
function openCache(options: Partial<PageCacheOptions>) {
  const rendered: string[] = [];
  const cache = createPageCache({ bus: { subscribe: () => () => undefined }, fetch, ...options });
  const ask = (name: string, body = 'x'.repeat(1_000)) =>
    cache.get(name, async () => {
      rendered.push(name);
      return { status: 200, headers: {}, body };
    });
  return { ask, rendered };
}

describe('what is kept of rendered pages', () => {
  it('is so many bytes, the pages asked for longest ago going first', async () => {
    const { ask, rendered } = openCache({ maxBytes: 3_000 });
    for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd', 'b']) await ask(name);
    expect(rendered).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('is so many pages', async () => {
    const { ask, rendered } = openCache({ capacity: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(name);
    expect(rendered).toEqual(['a', 'b', 'c', 'b']);
  });

  it('is not a page that is larger than all of it', async () => {
    const { ask, rendered } = openCache({ maxBytes: 500 });
    expect((await ask('a')).bytes).toBe(1_000);
    await ask('a');
    expect(rendered).toEqual(['a', 'a']);
  });
});

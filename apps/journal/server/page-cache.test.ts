import { setTimeout as wait } from 'node:timers/promises';
import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestJournal } from '../testing/open-test-journal.ts';
import { createPageCache, type PageCacheOptions } from './page-cache.ts';

/** A cache of pages of 1,000 bytes, and the names of those that were rendered. */
function openCache(options: Partial<PageCacheOptions>) {
  const rendered: string[] = [];
  const cache = createPageCache({
    bus: { subscribe: () => () => undefined },
    foreignCommits: () => 0,
    fetch,
    ...options,
  });
  const ask = (name: string, body = 'x'.repeat(1_000)) =>
    cache.get(name, async () => {
      rendered.push(name);
      return { status: 200, headers: {}, body };
    });
  return { cache, ask, rendered };
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

describe('pages that are kept while another process writes', () => {
  let db: TestDatabase;
  /** The same, as a command of the operator opens it. */
  let other: Awaited<ReturnType<TestDatabase['openElsewhere']>>;

  beforeEach(async () => {
    db = await openTestJournal();
    other = await db.openElsewhere();
    // What is told of its opening has come by then.
    await wait(50);
    db.database.foreignCommits();
  });

  afterEach(() => db.close());

  it('are rendered anew within a second of its commit, and kept again from then on', async () => {
    const { ask, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    await ask('a');
    await ask('b');
    await other.writer.deleteFrom('users').where('id', '=', 'ada').execute();
    const written = performance.now();
    while (rendered.length === 2 && performance.now() - written < 1_000) {
      await ask('a');
      await new Promise(setImmediate);
    }
    for (const name of ['a', 'b', 'a', 'b']) await ask(name);
    expect(rendered).toEqual(['a', 'b', 'a', 'b']);
  });

  it('are not shown when that happened while they were rendered', async () => {
    const { cache, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    let show: (body: string) => void = () => undefined;
    const body = new Promise<string>((resolve) => {
      show = resolve;
    });
    const first = cache.get('a', async () => ({ status: 200, headers: {}, body: await body }));
    const before = db.database.foreignCommits();
    await other.writer.updateTable('users').set({ display_name: 'Ada L.' }).where('id', '=', 'ada').execute();
    await expect.poll(() => db.database.foreignCommits()).toBe(before + 1);
    show('as it was before');
    await first;
    await cache.get('a', async () => {
      rendered.push('a');
      return { status: 200, headers: {}, body: 'as it is' };
    });
    expect(rendered).toEqual(['a']);
  });

  it('stay when it only reads, and when this process writes what they do not show', async () => {
    const { ask, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    await ask('a');
    expect(await other.reader.selectFrom('users').selectAll().execute()).toHaveLength(3);
    const image_url = '/storage/journal/posts/1.png';
    const post = { user_id: 'ada', title: 'Heart', content: 'A muscle.', image_url };
    expect((await db.service('POST', 'journal_posts', { body: post })).status).toBe(201);
    for (let at = 0; at < 20; at += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await ask('a');
    }
    expect(rendered).toEqual(['a']);
  });
});

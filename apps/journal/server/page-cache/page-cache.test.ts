import type { ChangeEvent } from '@fabrica/backend';
import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { countForeignCommits } from '@fabrica/backend/testing/database/count-foreign-commits.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestJournal } from '../../testing/open-test-journal.ts';
import { createPageCache, type PageCacheOptions } from './page-cache.ts';

/** It takes a second at most, on a machine that is not busy. */
const SOON_MS = 10_000;

/** Creates a cache with a function that requests a page of 1,000 bytes, and lists the rendered pages. */
function openCache(options: Partial<PageCacheOptions>) {
  const rendered: string[] = [];
  const cache = createPageCache({
    bus: { subscribe: () => () => undefined },
    foreignCommits: () => 0,
    fetch,
    ...options,
  });
  const request = (name: string, body = 'x'.repeat(1_000)) =>
    cache.get(name, async () => {
      rendered.push(name);
      return { status: 200, headers: {}, body: Buffer.from(body) };
    });
  return { cache, request, rendered };
}

describe('the limits of the page cache', () => {
  it('the page cache holds a number of bytes and removes the least recently used pages first', async () => {
    const { request, rendered } = openCache({ maxBytes: 3_000 });
    for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'd', 'b']) await request(name);
    expect(rendered).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('the page cache holds a number of pages', async () => {
    const { request, rendered } = openCache({ capacity: 2 });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await request(name);
    expect(rendered).toEqual(['a', 'b', 'c', 'b']);
  });

  it('the page cache does not hold a page that is larger than its limit', async () => {
    const { request, rendered } = openCache({ maxBytes: 500 });
    expect((await request('a')).bytes).toBe(1_000);
    await request('a');
    expect(rendered).toEqual(['a', 'a']);
  });
});

describe('the pages that a write drops', () => {
  const PAGES = ['a', 'b', 'c', 'd', 'e'];
  const event = { projectId: 'journal', table: 'likes', before: null, after: {} } as ChangeEvent;

  /** Creates a cache of pages that read the likes, and returns how to write one: it resolves when the write was responded to. */
  function openLikes() {
    const listeners: ((event: ChangeEvent) => void)[] = [];
    const rendered: string[] = [];
    const cache = createPageCache({
      bus: {
        subscribe(listener) {
          listeners.push(listener);
          return () => undefined;
        },
      },
      foreignCommits: () => 0,
      fetch: async () => new Response(),
    });
    const request = (name: string, query = '') =>
      cache.get(name, async (fetch) => {
        await fetch(`http://localhost/api/db/journal/rest/v1/likes${query}`);
        rendered.push(name);
        return { status: 200, headers: {}, body: Buffer.from('x') };
      });
    const like = async (after: ChangeEvent['after'] = {}) => {
      for (const listener of listeners) listener({ ...event, after });
      await new Promise(setImmediate);
    };
    return { cache, request, like, rendered };
  }

  it('one that was asked for again is rendered ahead of its next reader, and one that was not is left to that reader', async () => {
    const { request, like, rendered, cache } = openLikes();
    for (const name of ['a', 'b', 'a']) await request(name);
    await like();
    expect(rendered).toEqual(['a', 'b', 'a']);
    await like();
    expect(rendered).toEqual(['a', 'b', 'a']);
    await request('a');
    await request('a');
    cache.close();
    await like();
    expect(rendered).toEqual(['a', 'b', 'a', 'a']);
  });

  it('a write looks at the pages of its row alone, however many there are, and at those that read all rows', async () => {
    const { request, like, rendered } = openLikes();
    await request('all');
    for (let post = 0; post < 200; post += 1)
      await request(`post ${post}`, `?select=id&post_id=eq.p${post}&kind=eq.heart`);
    let looks = 0;
    const row = new Proxy<Record<string, string>>(
      { post_id: 'p77', kind: 'heart' },
      {
        get(target, column) {
          looks += 1;
          return Reflect.get(target, column);
        },
      },
    );
    await like(row);
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(10);
    await like({ post_id: 'p78', kind: 'star' });
    await like({ post_id: 'p79', kind: null });
    rendered.length = 0;
    for (const name of ['all', 'post 76', 'post 77', 'post 78', 'post 79']) await request(name);
    expect(rendered).toEqual(['all', 'post 77']);
  });

  it('many are left to their readers', async () => {
    const { request, like, rendered } = openLikes();
    for (const name of [...PAGES, ...PAGES]) await request(name);
    await like();
    expect(rendered).toEqual(PAGES);
  });
});

describe('cached pages while another process writes', () => {
  let db: TestDatabase;
  /** The same database, as a command of the operator opens it. */
  let other: Awaited<ReturnType<TestDatabase['openElsewhere']>>;

  beforeEach(async () => {
    db = await openTestJournal();
    other = await db.openElsewhere();
    // SQLite counts the commits of opening on demand.
    await countForeignCommits(db.database);
  });

  afterEach(() => db.close());

  it('cached pages are rendered again soon after another process’s commit, and cached from then on', async () => {
    const { request, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    await request('a');
    await request('b');
    await other.writer.deleteFrom('users').where('id', '=', 'ada').execute();
    const written = performance.now();
    while (rendered.length === 2 && performance.now() - written < SOON_MS) {
      await request('a');
      await new Promise(setImmediate);
    }
    for (const name of ['a', 'b', 'a', 'b']) await request(name);
    expect(rendered).toEqual(['a', 'b', 'a', 'b']);
  });

  it('a page that was rendered during another process’s commit is not served again', async () => {
    const { cache, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    const { promise: body, resolve: finish } = Promise.withResolvers<string>();
    const first = cache.get('a', async () => ({ status: 200, headers: {}, body: Buffer.from(await body) }));
    const before = db.database.foreignCommits();
    await other.writer.updateTable('users').set({ display_name: 'Ada L.' }).where('id', '=', 'ada').execute();
    await expect.poll(() => db.database.foreignCommits()).toBeGreaterThan(before);
    finish('the earlier state');
    await first;
    await cache.get('a', async () => {
      rendered.push('a');
      return { status: 200, headers: {}, body: Buffer.from('the current state') };
    });
    expect(rendered).toEqual(['a']);
  });

  it('cached pages remain while another process reads and this one writes rows that they do not show', async () => {
    const { request, rendered } = openCache({ foreignCommits: db.database.foreignCommits });
    const before = db.database.foreignCommits();
    await request('a');
    expect(await other.reader.selectFrom('users').selectAll().execute()).toHaveLength(3);
    const image_url = '/storage/journal/posts/1.png';
    const post = { user_id: 'ada', title: 'Heart', content: 'A muscle.', image_url };
    for (let round = 0; round < 20; round += 1) {
      expect((await db.service('POST', 'journal_posts', { body: post })).status).toBe(201);
      await request('a');
    }
    expect(await countForeignCommits(db.database)).toBe(before);
    await request('a');
    expect(rendered).toEqual(['a']);
  });
});

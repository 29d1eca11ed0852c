import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: the queries of the page are tested against the real backend.
import { type Backend, createBackend, parseConfig } from '@fabrica/backend';
import { createClient, type FabricaClient } from '@fabrica/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JournalPost } from '../../project/entities.ts';
import { defineJournal } from '../../project/project.ts';
import { pages } from '../../project/settings.ts';
import { loadGalleryPage, loadResults, POSTS_PER_PAGE } from './load-gallery-page.ts';
import { isSearchCut, normalizeSearch } from './search-filter.ts';

const folder = mkdtempSync(join(tmpdir(), 'fabrica-gallery-'));
let backend: Backend;
let reader: FabricaClient;

const IMAGE = { imageWidth: 1280, imageHeight: 1600, imagePlaceholder: 'jAcKBgI4R5hniAeXqIZ5h3iHVnlwhQc=' };

const posts: Partial<JournalPost>[] = [
  {
    id: 'post_heart',
    title: 'Heart',
    content: 'Muscle',
    titleEn: 'Heart',
    titleDe: 'Das Herz',
    contentDe: 'Ein MÜDER Muskel',
  },
  { id: 'post_lung', title: 'Lung', content: 'Breath, 100%_pure', titleDe: '', contentDe: '', ...IMAGE },
  { id: 'post_draft', title: 'Hidden heart', content: 'Draft', published: 0 },
];

beforeAll(async () => {
  const config = parseConfig({
    PROJECT_ID: 'journal',
    DATA_DIR: folder,
    PUBLIC_URL: 'http://journal.test',
    RATE_LIMIT: 'off',
  });
  backend = await createBackend({
    pages,
    config,
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async ({ kind }) => ({ subject: kind, html: kind, text: kind }),
  });
  const connect = () =>
    createClient({
      projectId: 'journal',
      origin: 'http://journal.test',
      fetch: (input, init) => backend.fetch(new Request(input, init)),
    });
  const author = connect();
  const { id: userId } = await author.auth.signUp({ email: 'a@example.org', password: 'long enough 4 us' });
  const table = author.db.table<JournalPost>('journalPosts');
  await table.createMany(posts.map((post) => ({ ...post, userId, imageUrl: '/artwork.png' })));
  const filler = Array.from({ length: POSTS_PER_PAGE }, (_, index) => ({
    id: `post_filler_${index}`,
    title: `Filler ${index}`,
    content: 'Nothing',
    userId,
    imageUrl: '/artwork.png',
  }));
  await table.createMany(filler);
  reader = connect();
});

afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});

async function search(words: string, language: 'en' | 'es' | 'de' = 'en'): Promise<string[]> {
  const { posts } = await loadGalleryPage(reader, { language, search: words, cursor: null });
  return posts.map(({ id }) => id).sort();
}

describe('loadGalleryPage', () => {
  it('pages of the gallery together hold every published post once', async () => {
    const first = await loadGalleryPage(reader, { language: 'en', search: '', cursor: null });
    const second = await loadGalleryPage(reader, { language: 'en', search: '', cursor: first.nextCursor });
    const ids = [...first.posts, ...second.posts].map(({ id }) => id);
    expect(first.posts).toHaveLength(POSTS_PER_PAGE);
    expect(second.nextCursor).toBeNull();
    expect(new Set(ids).size).toBe(POSTS_PER_PAGE + 2);
    expect(ids).not.toContain('post_draft');
  });

  it('a post in the gallery has its artwork with its size and placeholder where they are stored', async () => {
    const { posts: hearts } = await loadGalleryPage(reader, {
      language: 'en',
      search: 'Heart',
      cursor: null,
    });
    expect(hearts.map(({ artwork }) => artwork)).toEqual([
      { url: '/artwork.png', width: null, height: null, placeholder: null, isBright: false },
    ]);
    const { posts: lungs } = await loadGalleryPage(reader, { language: 'en', search: 'Lung', cursor: null });
    expect(lungs.map(({ artwork }) => artwork)).toEqual([
      {
        url: '/artwork.png',
        width: 1280,
        height: 1600,
        placeholder: expect.stringMatching(/^data:image\/bmp;base64,[A-Za-z0-9+/]+=*$/),
        isBright: false,
      },
    ]);
  });

  it('posts in the gallery are numbered from the oldest one', async () => {
    const first = await loadGalleryPage(reader, { language: 'en', search: '', cursor: null });
    expect(first.firstNumber).toBe(POSTS_PER_PAGE + 2);
  });

  /** Returns a client for which counting fails with this code and status, and nothing else. */
  const failToCount = (code: string, status: number) =>
    createClient({
      projectId: 'journal',
      origin: 'http://journal.test',
      fetch: (input, init) => {
        const request = new Request(input, init);
        return request.url.includes('limit=0')
          ? Promise.resolve(Response.json({ code, error: 'Not counted.' }, { status }))
          : backend.fetch(request);
      },
    });

  it('a page of the gallery whose posts cannot be counted in time has no numbers, and reports it', async () => {
    const failures: unknown[] = [];
    const first = await loadGalleryPage(failToCount('STATEMENT_TIMEOUT', 503), {
      ...{ language: 'en', search: '', cursor: null },
      reportFailure: (error) => failures.push(error),
    });
    expect([first.posts.length, first.firstNumber]).toEqual([POSTS_PER_PAGE, null]);
    expect(failures).toEqual([expect.objectContaining({ code: 'STATEMENT_TIMEOUT' })]);
  });

  it('a page of the gallery fails with any other failure of counting its posts', async () => {
    const page = loadGalleryPage(failToCount('DATABASE_UNAVAILABLE', 503), {
      language: 'en',
      search: '',
      cursor: null,
    });
    await expect(page).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });
});

describe('a search of the gallery', () => {
  it('a gallery search looks at the original text when the language has none of its own', async () => {
    expect(await search('breath', 'de')).toEqual(['post_lung']);
    expect(await search('muscle', 'es')).toEqual(['post_heart']);
  });

  it('a gallery search does not find texts that readers of the language do not see', async () => {
    expect(await search('muscle', 'de')).toEqual([]);
    expect(await search('herz', 'en')).toEqual([]);
  });

  it('a gallery search without results looks at the other languages, and says how many there are', async () => {
    const find = async (words: string, language: 'en' | 'de') => {
      const query = { language, search: words, cursor: null };
      const { posts, results, elsewhere } = await loadResults(reader, query);
      return { ids: posts.map(({ id }) => id), results, elsewhere };
    };
    const heart = { ids: ['post_heart'], results: 1 };
    expect(await find('muscle', 'de')).toEqual({ ...heart, elsewhere: true });
    expect(await find('herzen', 'en')).toEqual({ ...heart, elsewhere: true });
    expect(await find('herz', 'de')).toEqual({ ...heart, elsewhere: false });
    expect(await find('hidden', 'de')).toMatchObject({ ids: [], elsewhere: false });
    expect(await find('filler nothing', 'en')).toMatchObject({ results: POSTS_PER_PAGE, elsewhere: false });
    const first = { language: 'en', search: 'filler', cursor: null } as const;
    const { nextCursor } = await loadGalleryPage(reader, { ...first, search: 'e' });
    const second = await loadResults(reader, { ...first, search: 'e', cursor: nextCursor });
    expect(second.results).toBe(POSTS_PER_PAGE + 2);
  });

  it('a gallery search looks for the words around punctuation and wildcards', async () => {
    expect(await search('100%_pure')).toEqual(['post_lung']);
    expect(await search('(pure*)')).toEqual(['post_lung']);
  });

  it.each(['%', '_', '*', '"', "'", '\\', '(a.b)x', 'a.eq.b', 'x"),or(id.neq.1', '🫀'])(
    'a gallery search for %s finds nothing and does not fail',
    async (words) => {
      expect(await search(normalizeSearch(words))).toEqual([]);
    },
  );

  it('a gallery search does not find posts that are not published', async () => {
    expect(await search('hidden')).toEqual([]);
  });
});

it('a gallery search is trimmed, stripped of control characters and cut to 100 characters', () => {
  expect(normalizeSearch(' a\u0000\n b ')).toBe('a b');
  expect(normalizeSearch(null)).toBe('');
  expect(normalizeSearch('x'.repeat(500))).toHaveLength(100);
});

it('a gallery search knows whether it looks for all of its words', () => {
  const eight = 'one two three four five six seven eight';
  expect(
    [null, '', eight, `${eight} ONE, two!`, ` ${'x'.repeat(100)} `].map((words) => isSearchCut(words, 'en')),
  ).toEqual([false, false, false, false, false]);
  expect([`${eight} nine`, 'x'.repeat(101)].map((words) => isSearchCut(words, 'en'))).toEqual([true, true]);
});

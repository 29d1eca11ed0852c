import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// biome-ignore lint/style/noRestrictedImports: what the page asks for is tested against the real backend.
import { type Backend, createBackend, parseConfig } from '@fabrica/backend';
import { createClient, type FabricaClient } from '@fabrica/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../project/pages.ts';
import { defineJournal } from '../../project/project.ts';
import type { JournalPost } from '../entities.ts';
import { loadPlates, PLATES_PER_PAGE } from './load-gallery-page.ts';
import { normalizeSearch } from './search-filter.ts';

const folder = mkdtempSync(join(tmpdir(), 'fabrica-plates-'));
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
  const config = parseConfig({ DATA_DIR: folder, PUBLIC_URL: 'http://journal.test', RATE_LIMIT: 'off' });
  backend = await createBackend({
    pages,
    config,
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async ({ kind, link }) => ({ subject: kind, html: link, text: link }),
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
  await table.createMany(posts.map((post) => ({ ...post, userId, imageUrl: '/plate.png' })));
  const filler = Array.from({ length: PLATES_PER_PAGE }, (_, index) => ({
    id: `post_filler_${index}`,
    title: `Filler ${index}`,
    content: 'Nothing',
    userId,
    imageUrl: '/plate.png',
  }));
  await table.createMany(filler);
  reader = connect();
});

afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});

async function search(words: string, language: 'en' | 'es' | 'de' = 'en'): Promise<string[]> {
  const { plates } = await loadPlates(reader, { language, search: words, cursor: null });
  return plates.map(({ id }) => id).sort();
}

describe('the plates of the gallery', () => {
  it('come in pages that together hold every published post once', async () => {
    const first = await loadPlates(reader, { language: 'en', search: '', cursor: null });
    const second = await loadPlates(reader, { language: 'en', search: '', cursor: first.nextCursor });
    const ids = [...first.plates, ...second.plates].map(({ id }) => id);
    expect(first.plates).toHaveLength(PLATES_PER_PAGE);
    expect(second.nextCursor).toBeNull();
    expect(new Set(ids).size).toBe(PLATES_PER_PAGE + 2);
    expect(ids).not.toContain('post_draft');
  });

  it('know their picture, of older posts at least where it is', async () => {
    const { plates } = await loadPlates(reader, { language: 'en', search: 'Heart', cursor: null });
    expect(plates.map(({ picture }) => picture)).toEqual([
      { address: '/plate.png', width: null, height: null, placeholder: null },
    ]);
    const { plates: lungs } = await loadPlates(reader, { language: 'en', search: 'Lung', cursor: null });
    expect(lungs.map(({ picture }) => picture)).toEqual([
      {
        address: '/plate.png',
        width: 1280,
        height: 1600,
        placeholder: expect.stringMatching(/^data:image\/bmp;base64,[A-Za-z0-9+/]+=*$/),
      },
    ]);
  });

  it('are numbered from the oldest on', async () => {
    const first = await loadPlates(reader, { language: 'en', search: '', cursor: null });
    expect(first.firstNumber).toBe(PLATES_PER_PAGE + 2);
  });
});

describe('a search', () => {
  it('finds titles and texts of the reader’s language, upper and lower case alike', async () => {
    expect(await search('HERZ', 'de')).toEqual(['post_heart']);
    expect(await search('müder', 'de')).toEqual(['post_heart']);
    expect(await search('herz', 'en')).toEqual([]);
  });

  it('looks at the original where the language has no text of its own', async () => {
    expect(await search('breath', 'de')).toEqual(['post_lung']);
    expect(await search('muscle', 'es')).toEqual(['post_heart']);
  });

  it('does not find what readers of the language do not see', async () => {
    expect(await search('muscle', 'de')).toEqual([]);
  });

  it('takes wildcards as the characters they are', async () => {
    expect(await search('100%_pure')).toEqual(['post_lung']);
    for (const wildcard of ['%', '_', '*', 'H%t', 'Hear_', 'h*t']) {
      expect(await search(wildcard)).toEqual(wildcard === '%' || wildcard === '_' ? ['post_lung'] : []);
    }
  });

  it.each(['"', "'", '\\', '(a,b)', 'a.eq.b', 'x"),or(id.neq.1', '🫀'])('stands %s', async (words) => {
    expect(await search(normalizeSearch(words))).toEqual([]);
  });

  it('does not show what is not published', async () => {
    expect(await search('hidden')).toEqual([]);
  });
});

it('a search is trimmed, without control characters, and not endless', () => {
  expect(normalizeSearch(' a\u0000\n b ')).toBe('a b');
  expect(normalizeSearch(null)).toBe('');
  expect(normalizeSearch('x'.repeat(500))).toHaveLength(100);
});

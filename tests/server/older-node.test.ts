import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackVersion } from '@fabrica/test-peers/older-version.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../apps/journal/testing/open-test-desk.ts';

/** The version whose nodes read stored documents strictly: a key that it does not know shuts its desk. */
const STRICT_VERSION = 'b551f8afbbd769d558606ab9bf117c89c50ce738';

let sources: string | undefined;
let newer: TestDesk;
let older: TestDesk;
let ada: Person;

beforeAll(async () => {
  sources = await unpackVersion(STRICT_VERSION);
  newer = await openTestDesk();
  const path = join(sources, 'apps/journal/testing/open-test-desk.ts');
  const module: { openTestDesk: typeof openTestDesk } = await import(/* @vite-ignore */ path);
  older = await module.openTestDesk({ settings: newer.settings, clock: newer.clock });
  ada = await newer.person('Ada', 'editor');
});

afterAll(async () => {
  await older?.close();
  await newer?.close();
  if (sources) await rm(sources, { recursive: true, force: true });
});

const PICTURE = { url: '/storage/journal/posts/2.png', alt: { en: 'A valve', de: 'Eine Klappe' } };

const DOCUMENT = buildDocument({
  title: 'The heart',
  content: 'The heart pumps.\n\nTake 5 mg.',
  contentFormat: 'markdown',
  translations: {
    de: { title: 'Das Herz', content: 'Das Herz pumpt.\n\n5 mg einnehmen.' },
    fr: { title: 'Le cœur', content: 'Le cœur pompe.\n\nPrendre 5 mg.' },
  },
  pictures: [PICTURE] as unknown as ReturnType<typeof buildDocument>['pictures'],
  byline: [{ name: 'Dr Ada', role: 'author' }],
  sources: [{ id: 'harvey', type: 'book', title: 'De motu cordis' }],
});

async function call(on: TestDesk, method: string, path: string, version?: number, body?: unknown) {
  const response = await on.call(ada, method, path, { ...(version !== undefined && { version }), body });
  expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
}

test.each<[string, () => [TestDesk, TestDesk]]>([
  ['this version opens, is saved and is published on a node of the older one', () => [newer, older]],
  ['the older version opens, is saved and is published on a node of this one', () => [older, newer]],
])('a post that was written by %s', async (_, nodes) => {
  const [first, second] = nodes();
  const { id } = await call(first, 'POST', 'posts', undefined, { document: DOCUMENT });
  await call(first, 'POST', `posts/${id}/publish`, 1, {});
  const german = await call(first, 'GET', `posts/${id}/translations/de`);
  const [segment] = german.segments;
  const path = `posts/${id}/translations/de/segments/${segment.id}`;
  await call(first, 'PUT', path, segment.version, { text: 'Das Herz, genau' });

  const opened = await call(second, 'GET', `posts/${id}`);
  expect(opened.document).toEqual((await call(first, 'GET', `posts/${id}`)).document);
  expect(opened.document).toMatchObject({
    pictures: [PICTURE],
    translations: { de: { title: 'Das Herz, genau' } },
  });
  const document = { ...opened.document, title: 'The heart, again', translations: {} };
  const saved = await call(second, 'PUT', `posts/${id}`, opened.version, document);
  const { revisions } = await call(second, 'GET', `posts/${id}/revisions`);
  await call(second, 'GET', `posts/${id}/revisions/${revisions[0].id}`);
  const published = await call(second, 'POST', `posts/${id}/publish`, saved.version, {});
  await call(second, 'POST', `posts/${id}/translations/de/hold`);

  const again = await call(first, 'GET', `posts/${id}`);
  expect(again).toMatchObject({ version: published.version, state: 'published', changed: false });
  expect(await call(first, 'GET', `posts/${id}/translations/de`)).toMatchObject({ state: 'held' });
  const restored = await call(
    first,
    'POST',
    `posts/${id}/revisions/${revisions.at(-1).id}/restore`,
    published.version,
  );
  expect(restored.document.title).toBe('The heart');
});

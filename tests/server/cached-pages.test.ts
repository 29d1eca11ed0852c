import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { attribute, scriptSources } from '@fabrica/test-peers/read-page.ts';
import { type DeskRequest, requestDesk } from '@fabrica/test-peers/request-desk.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: RunningServer;
let author: Author;

beforeAll(async () => {
  server = await startServer({
    DEMO: 'off',
    RATE_LIMIT: 'off',
  });
  author = await signUp(server, 'Dr Mara Lind');
});
afterAll(() => server.close());

async function page(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await fetch(`${server.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

async function publish(over: Record<string, unknown> = {}): Promise<string> {
  const post = buildPost(author, over);
  const response = await author.rest('POST', 'journal_posts', post);
  expect(response.status).toBe(201);
  return String(post.id);
}

it('a cached page shows a write in the next request', async () => {
  const id = await publish();
  expect((await page('/gallery?lang=en')).html).toContain(`/post/${id}`);
  expect((await page(`/post/${id}?lang=en`)).html).toContain('en: The eye');

  await author.rest('PATCH', `journal_posts?id=eq.${id}`, { title_en: 'en: The eye, revised' });
  expect((await page(`/post/${id}?lang=en`)).html).toContain('en: The eye, revised');
  expect((await page('/gallery?lang=en')).html).toContain('en: The eye, revised');

  await author.rest('DELETE', `journal_posts?id=eq.${id}`);
  expect((await page(`/post/${id}?lang=en`)).status).toBe(404);
  expect((await page('/gallery?lang=en')).html).not.toContain(`/post/${id}`);
});

it('the page of a post links to the posts beside it, also after they changed', async () => {
  const titled = (title: string) => ({ title, title_en: null, title_de: `${title} (de)` });
  const older = await publish(titled('The older one'));
  const middle = await publish(titled('The middle one'));
  const newer = await publish(titled('The newer one'));
  const linked = async () => {
    const { html } = await page(`/post/${middle}?lang=de`);
    return [older, newer].map((id) => html.includes(`href="/post/${id}"`));
  };
  expect(await linked()).toEqual([true, true]);
  expect((await page(`/post/${middle}?lang=de`)).html).toContain('The newer one (de)');
  await author.rest('DELETE', `journal_posts?id=eq.${newer}`);
  expect(await linked()).toEqual([true, false]);
  await author.rest('PATCH', `journal_posts?id=eq.${older}`, { published: 0 });
  expect(await linked()).toEqual([false, false]);
});

it('a cached page shows its author’s new name in the next request', async () => {
  const renamed = await signUp(server, 'Ada Byron');
  const post = buildPost(renamed);
  await renamed.rest('POST', 'journal_posts', post);
  expect((await page(`/post/${post.id}`)).html).toContain('Ada Byron');
  await fetch(`${server.url}/api/auth/me`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${renamed.token}` },
    body: JSON.stringify({ displayName: 'Ada Lovelace' }),
  });
  const { html } = await page(`/post/${post.id}`);
  expect(html).toContain('Ada Lovelace');
  expect(html).not.toContain('Ada Byron');
});

it('a cached page is correct while writes and reads race', async () => {
  const id = await publish();
  for (let round = 0; round < 25; round += 1) {
    const reading = page(`/post/${id}?lang=en`);
    await author.rest('PATCH', `journal_posts?id=eq.${id}`, { title_en: `Round ${round}.` });
    expect((await page(`/post/${id}?lang=en`)).html).toContain(`Round ${round}.`);
    await reading;
  }
});

describe('pages that are asked for all at once', () => {
  let id: string;
  let others = 0;

  /** Asks for pages that nobody has asked for. */
  function askForMany(): Promise<unknown> {
    const paths = Array.from({ length: 24 }, (_, index) => `/post/${id}?cursor=${others + index}`);
    others += paths.length;
    return Promise.all(paths.map((path) => page(path)));
  }

  beforeAll(async () => {
    id = await publish();
  });

  it('a page is the same in each encoding and with its headers, while others are rendered', async () => {
    const many = askForMany();
    const { html, headers, status } = await page(`/post/${id}?cursor=many`);
    expect(status).toBe(200);
    expect(scriptSources(html)).not.toEqual([]);
    for (const source of scriptSources(html)) {
      expect(headers.get('content-security-policy')).toContain(source);
    }
    const encodings = ['br', 'gzip', 'identity'];
    const pages = await Promise.all(
      encodings.map((name) => page(`/post/${id}?cursor=many`, { 'accept-encoding': name })),
    );
    expect(pages.map((one) => one.html)).toEqual(encodings.map(() => html));
    const again = await page(`/post/${id}?cursor=many`, { 'if-none-match': String(headers.get('etag')) });
    expect(again.status).toBe(304);
    const missing = await Promise.all([many, page('/post/post_nowhere'), page('/sitemap.xml')]);
    expect([missing[1].status, missing[2].status]).toEqual([404, 200]);
  });
});

describe('the addresses of a post', () => {
  const desk = (method: string, path: string, options: Pick<DeskRequest, 'body' | 'version'> = {}) =>
    requestDesk(server, author, { method, path, ...options });

  const documentOf = (slugs: Record<string, string>) => ({
    ...{ title: 'The hand', content: 'The hand holds.', language: 'en', slugs },
    translations: { de: { title: 'Die Hand', content: 'Die Hand hält.' } },
    cover: { url: '/storage/journal/posts/1.png' },
    byline: [
      { name: 'Dr Ada', role: 'author' },
      { name: 'Dr Ben', role: 'author' },
      { name: 'Tia', role: 'translator' },
    ],
  });

  async function create(slugs: Record<string, string> = {}): Promise<string> {
    const created = await desk('POST', 'posts', { body: { document: documentOf(slugs) } });
    return ((await created.json()) as { id: string }).id;
  }

  it('a post is found under its slugs, and an old one leads to the present one of its language', async () => {
    const id = await create({ en: 'the-hand', de: 'die-hand' });
    expect((await page('/post/the-hand')).status).toBe(404);
    await desk('POST', `posts/${id}/publish`, { version: 1, body: {} });
    const { status, html } = await page('/post/the-hand?lang=en');
    expect(status).toBe(200);
    expect(attribute(html, /<link rel="canonical" href="([^"]*)"/)).toBe(
      `${server.url}/post/the-hand?lang=en`,
    );
    const german = await page(`/post/${id}?lang=de`);
    expect(attribute(german.html, /<link rel="canonical" href="([^"]*)"/)).toBe(
      `${server.url}/post/die-hand?lang=de`,
    );
    for (const name of ['Dr Ada', 'Dr Ben', 'Übersetzung: Tia']) expect(german.html).toContain(name);
    expect(german.html).toContain('<meta property="article:author" content="Dr Ada, Dr Ben"');
    const [part = ''] = /\/sitemap\/posts-[^<]*/.exec((await page('/sitemap.xml')).html) ?? [];
    expect((await page(part)).html).toContain(`<loc>${server.url}/post/die-hand?lang=de</loc>`);

    await desk('PUT', `posts/${id}`, {
      version: 2,
      body: documentOf({ en: 'the-hand', de: 'die-linke-hand' }),
    });
    await desk('POST', `posts/${id}/publish`, { version: 3, body: {} });
    const moved = await page('/post/die-hand');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/post/die-linke-hand?lang=de']);
    expect((await page('/post/die-linke-hand?lang=de')).html).toContain('Die Hand hält.');

    // A later post does not take the address over by its id. Another one is found by such an id.
    await publish({ id: 'the-hand', title_en: 'The fist' });
    expect((await page('/post/the-hand?lang=en')).html).toContain('The hand holds.');
    await publish({ id: 'the-fist', title_en: 'The fist' });
    expect((await page('/post/the-fist?lang=en')).html).toContain('The fist');
    for (const fist of ['the-hand', 'the-fist']) await author.rest('DELETE', `journal_posts?id=eq.${fist}`);

    await desk('POST', `posts/${id}/unpublish`, { version: 4 });
    for (const slug of ['the-hand', 'die-hand', 'die-linke-hand', id]) {
      expect((await page(`/post/${slug}`)).status).toBe(404);
    }
  });

  it('a preview shows the working copy in each language to all who have the link, until it is withdrawn', async () => {
    const id = await create();
    const made = await desk('POST', `posts/${id}/preview`, { body: { days: 3 } });
    const { url, expiresAt } = (await made.json()) as { url: string; expiresAt: number };
    expect(Math.round((expiresAt - Date.now()) / 86_400_000)).toBe(3);
    const path = new URL(url).pathname;
    const { status, html, headers } = await page(`${path}?lang=de`);
    expect(status).toBe(200);
    expect(html).toContain('Die Hand hält.');
    expect(html).toContain('So werden Leserinnen und Leser den Beitrag sehen.');
    expect(attribute(html, /<meta name="robots" content="([^"]*)"/)).toBe('noindex');
    expect(headers.get('cache-control')).toBe('private, no-store');
    const [stored] = await (await serviceRest(server)('GET', `post_previews?post_id=eq.${id}`)).json();
    expect(JSON.stringify(stored)).not.toContain(path.split('/').at(-1));
    await desk('PUT', `posts/${id}`, { version: 1, body: { ...documentOf({}), title: 'Both hands' } });
    expect((await page(`${path}?lang=en`)).html).toContain('Both hands');
    await desk('DELETE', `posts/${id}/preview`);
    expect((await page(path)).status).toBe(404);
    expect((await page('/preview/unknown')).status).toBe(404);
    expect(server.output()).not.toContain(path.split('/').at(-1));
  });
});

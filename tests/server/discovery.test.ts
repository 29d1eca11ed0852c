import { connectForTest } from '@fabrica/backend/testing/database/connect-for-test.ts';
import { buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attributeOf,
  childElements,
  readXml,
  textBelow,
  type XmlElement,
} from '../../apps/journal/desk/translations/exchange/read-xml.ts';

let server: RunningServer;
let rest: ReturnType<typeof serviceRest>;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  rest = serviceRest(server);
});
afterAll(async () => {
  await server.close();
});

async function get(path: string): Promise<{ status: number; type: string; body: string }> {
  const response = await fetch(`${server.url}${path}`);
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, body: await response.text() };
}

const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);

it('robots.txt lets crawlers read everything and names the sitemap', async () => {
  const { status, type, body } = await get('/robots.txt');
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${server.url}/sitemap.xml\n`);
});

it('the sitemap lists every public page and post in each language, and shows a write at once', async () => {
  const pages = `${server.url}/sitemap/pages.xml`;
  expect(locations((await get('/sitemap.xml')).body)).toEqual([pages]);
  for (const part of ['posts-1-post_0', 'posts-1', 'posts-x-post_0', 'posts', 'other'])
    expect((await get(`/sitemap/${part}.xml`)).status, part).toBe(404);

  const author = await signUp(server, 'Dr Ada Byron');
  const posts = Array.from({ length: 1_001 }, (_, index) => ({
    ...buildPost(author),
    id: `post_${index}`,
    created_at: index + 1,
    updated_at: Date.UTC(2026, 0, 2),
  }));
  const draft = { ...buildPost(author), id: 'post_draft', published: 0, created_at: 5 };
  expect((await rest('POST', 'journal_posts', posts.slice(0, 600))).status).toBe(201);
  expect((await rest('POST', 'journal_posts', [...posts.slice(600), draft])).status).toBe(201);
  const { type, body } = await get('/sitemap.xml');
  expect(type).toBe('application/xml; charset=utf-8');
  const parts = locations(body);
  const partOf = (post: string) => `${server.url}/sitemap/posts-${post}.xml`;
  expect(parts).toEqual([pages, partOf('1-post_0'), partOf('1001-post_1000')]);
  const texts = await Promise.all(parts.map(async (url = '') => (await get(new URL(url).pathname)).body));
  const listed = texts.flatMap(locations);
  for (const path of ['/gallery', '/about-me', '/contact', '/post/post_0', '/post/post_1000']) {
    for (const language of ['en', 'es', 'fr', 'de']) {
      expect(listed).toContain(`${server.url}${path}?lang=${language}`);
    }
  }
  expect(listed).toHaveLength((3 + 1_001) * 4);
  expect(new Set(listed).size).toBe(listed.length);
  for (const part of [
    '0-a',
    '1-post',
    '01-post_0',
    '-1-post_0',
    '2-post_0',
    '5-post_draft',
    '9999999999999999-a',
  ])
    expect((await get(`/sitemap/posts-${part}.xml`)).status, part).toBe(404);
  expect(texts[2]).toContain('<lastmod>1970-01-01T00:00:01.001Z</lastmod>');
  const url = `${server.url}/post/post_1000?lang=`;
  for (const [code, language] of [
    ['de', 'de'],
    ['x-default', 'en'],
  ]) {
    expect(texts[2]).toContain(`hreflang="${code}" href="${url}${language}"`);
  }
  // What a sitemap names is what the page calls canonical.
  expect((await get('/post/post_1000?lang=de')).body).toContain(`rel="canonical" href="${url}de"`);
});

const GERMAN_FACTS = {
  de: {
    ...{ by: 'machine', checked: true, reviewedBy: null, reviewedAt: null, releasedAt: 1 },
    // The original had other words then.
    hashes: ['former'],
  },
};

const TEXTS = {
  ...{ title_en: null, title_es: null, title_fr: null, title_de: null },
  ...{ content_en: null, content_es: null, content_fr: null, content_de: null },
};

const DOSE = {
  id: 'post_dose',
  ...{ title: 'Dose & <b>5 mg</b>', content_format: 'markdown', language: 'en' },
  content: [
    'Take **5 mg** or <script>alert(1)</script>[^1], see [the page](/about-me) and [this](javascript:alert(1)).',
    ':::figure{src="/storage/journal/posts/2.webp?v=ab" alt="A pill" credit="Ada" licence="CC BY 4.0"}\nIts *shape*.\n:::',
    '| mg | per |\n| - | - |\n| 5 | day |',
    '[^1]: With water.',
  ].join('\n\n'),
  ...{
    title_de: 'Die Dosis\u0001',
    content_de: 'Nehmen Sie **5 mg**.',
    translations: JSON.stringify(GERMAN_FACTS),
  },
  byline: JSON.stringify([
    { name: 'Dr Ada', role: 'author' },
    { name: 'Dr Ben', role: 'author' },
    { name: 'Tia', role: 'translator' },
  ]),
};

/** Posts in other languages than the site's four, by their ids: the languages that their pages name, the original first. */
const LANGUAGES_OF: Record<string, { row: Record<string, unknown>; languages: string[] }> = {
  post_dose: { row: DOSE, languages: ['en', 'de'] },
  post_guessed: {
    row: { content: 'It is the heart that is the first of all organs to be seen by those who look for it.' },
    languages: ['en'],
  },
  post_copied: {
    row: {
      content: 'Einmal.',
      language: 'de',
      content_fr: 'Einmal.',
      content_es: 'Una vez.',
      content_en: '',
    },
    languages: ['de', 'es'],
  },
  post_failed: {
    row: { language: 'fr', content_de: 'Nicht übersetzt.', untranslated: 'title:de,content:de' },
    languages: ['fr'],
  },
  post_unknown: { row: { content: 'Xylem.' }, languages: ['en', 'es', 'fr', 'de'] },
};

describe('posts that are not in every language', () => {
  beforeAll(async () => {
    const author = await signUp(server, 'Dr Mara Lind');
    for (const [id, { row }] of Object.entries(LANGUAGES_OF)) {
      expect((await rest('POST', 'journal_posts', { ...buildPost(author, TEXTS), ...row, id })).status).toBe(
        201,
      );
    }
    const slug = { id: 'die-dosis', post_id: 'post_dose', language: 'de', current: 1, created_at: 1 };
    expect((await rest('POST', 'post_slugs', slug)).status).toBe(201);
  });

  it.each(Object.entries(LANGUAGES_OF))(
    'the sitemap and the page of %s name the same languages',
    async (id, { languages }) => {
      const { body } = await get('/sitemap/posts-1001-post_1000.xml');
      const path = (language: string) =>
        id === 'post_dose' && language === 'de' ? '/post/die-dosis' : `/post/${id}`;
      const urls = languages.map((language) => `${server.url}${path(language)}?lang=${language}`);
      const alternates = [
        ...languages.map((language, index) => [language, urls[index]]),
        ['x-default', urls[Math.max(0, languages.indexOf('en'))]],
      ];
      const listed = [...body.matchAll(/<url><loc>([^<]*)<\/loc>(.*)<\/url>/g)].filter(([, url]) =>
        languages.some((language) => url?.startsWith(`${server.url}${path(language)}?`)),
      );
      expect(listed.map(([, url]) => url)).toEqual(urls);
      for (const [, , links = ''] of listed) {
        const named = [...links.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map(([, ...link]) => link);
        expect(named).toEqual(alternates);
      }
      for (const language of ['en', 'es', 'fr', 'de']) {
        const html = (await get(`${path(language)}?lang=${language}`)).body;
        const named = [...html.matchAll(/<link rel="alternate" hrefLang="([^"]*)" href="([^"]*)"\/>/g)];
        expect(named.map(([, ...link]) => link)).toEqual(alternates);
        const canonical = urls[Math.max(0, languages.indexOf(language))];
        expect(html).toContain(`<link rel="canonical" href="${canonical}"/>`);
      }
    },
  );

  it('the feed of a language has the newest posts with their texts, and says who translated them', async () => {
    const { type, body } = await get('/feed.xml?lang=de');
    expect(type).toBe('application/atom+xml; charset=utf-8');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of these
    expect(body).not.toMatch(/[\x00-\x08]/);
    const feed = readXml(Buffer.from(body));
    expect(attributeOf(feed, 'lang')).toBe('de');
    const links = (of: XmlElement, rel: string) =>
      childElements(of, 'link')
        .filter(({ attributes }) => attributes.rel === rel)
        .map(({ attributes: { hreflang, href } }) => [hreflang, href]);
    expect(links(feed, 'self')).toEqual([['de', `${server.url}/feed.xml?lang=de`]]);
    const entries = childElements(feed, 'entry');
    expect(entries).toHaveLength(20);
    const page = `${server.url}/post/die-dosis?lang=de`;
    const find = (url: string) =>
      entries.find((entry) => links(entry, 'alternate').some(([, href]) => href === url)) ?? feed;
    const dose = find(page);
    const words = (name: string, of = dose) => childElements(of, name).map((one) => textBelow(one));
    expect(attributeOf(dose, 'lang')).toBe('de');
    expect(links(dose, 'alternate')).toEqual([
      ['de', page],
      ['en', `${server.url}/post/post_dose?lang=en`],
    ]);
    expect(links(dose, 'enclosure')).toEqual([[undefined, `${server.url}/storage/journal/posts/1.png`]]);
    expect(words('id')).toEqual([`${server.url}/post/post_dose?lang=de`]);
    expect(words('title')).toEqual(['Die Dosis']);
    expect([words('author'), words('contributor')]).toEqual([['Dr Ada', 'Dr Ben'], ['Tia']]);
    expect(words('inLanguage')).toEqual(['de']);
    expect(words('translationOfWork')).toEqual([`${server.url}/post/post_dose?lang=en`]);
    expect(words('translator')).toEqual(['Tia']);
    expect(childElements(dose, 'category').map(({ attributes }) => attributes.term)).toEqual([
      ...['translated-by-machine', 'not-reviewed', 'numbers-checked', 'original-changed'],
    ]);
    const [html = ''] = words('content');
    expect(html).toContain('<strong>5 mg</strong>');
    expect(html).toContain('Maschinell übersetzt, nicht geprüft.');
    expect(html).toContain('Das Original wurde seither geändert.');
    expect(html).toContain(
      `<a href="${server.url}/post/post_dose?lang=en" hreflang="en">Original auf Englisch</a>`,
    );
    expect(html).toContain('Übersetzung: Tia');
    const foreign = find(`${server.url}/post/post_guessed?lang=de`);
    expect(attributeOf(foreign, 'lang')).toBe('en');
    expect(words('content', foreign)[0]).toContain('Nicht auf Deutsch verfügbar');
    expect(words('author', foreign)).toEqual(['Dr Mara Lind']);
  });

  it('a change of words is dated at once on the page, in its metadata, the feed and the sitemap, and no other change is', async () => {
    const datesOf = async (language: string) => {
      const { body } = await get(`/post/${language === 'de' ? 'die-dosis' : 'post_dose'}?lang=${language}`);
      const timeOf = (name: string) => new RegExp(`"article:${name}_time" content="([^"]*)"`).exec(body)?.[1];
      const [published, modified] = [timeOf('published'), timeOf('modified')];
      expect(body).toContain(`"dateModified":"${modified}"`);
      const shown = /dateTime="([^"]*)">(?:Updated on|Aktualisiert am) [^<]+</.exec(body)?.[1];
      expect(shown).toBe(modified === published ? undefined : modified);
      const feed = readXml(Buffer.from((await get(`/feed.xml?lang=${language}`)).body));
      const entry = childElements(feed, 'entry').find((one) => textBelow(one).includes('post_dose')) ?? feed;
      expect(childElements(entry, 'updated').map((one) => textBelow(one))).toEqual([modified]);
      const map = (await get('/sitemap/posts-1001-post_1000.xml')).body;
      expect(map).toMatch(new RegExp(`dos(?:e|is)\\?lang=${language}</loc><lastmod>${modified}<`));
      return shown;
    };
    const change = (row: object) => rest('PATCH', 'journal_posts?id=eq.post_dose', row);
    await change({ image_width: 900, updated_at: Date.UTC(2040, 0, 1) });
    expect([await datesOf('en'), await datesOf('de')]).toEqual([undefined, undefined]);
    await change({ content: DOSE.content.replace('5 mg', '6 mg') });
    expect([typeof (await datesOf('en')), await datesOf('de')]).toEqual(['string', undefined]);
    await change({ content: DOSE.content });
  });

  it('a text in a feed has absolute addresses, and nothing in it runs', async () => {
    const feed = readXml(Buffer.from((await get('/feed.xml?lang=en')).body));
    const entry = childElements(feed, 'entry').find((one) => textBelow(one).includes('post_dose'));
    const [content] = childElements(entry ?? feed, 'content');
    const [title] = childElements(entry ?? feed, 'title');
    expect(title && textBelow(title)).toBe('Dose & <b>5 mg</b>');
    const html = content ? textBelow(content) : '';
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script|href="javascript/);
    expect(html).toContain(`<a href="${server.url}/about-me">the page</a>`);
    expect(html).toContain(`href="${server.url}/post/post_dose?lang=en#fn-1"`);
    expect(html).toMatch(/<img src="[^"]*2\.webp\?v=ab&amp;w=1280&amp;format=jpeg" alt="A pill"\/>/);
    expect(html).toContain('<em>shape</em>');
    expect(html).toContain('<td>day</td>');
    expect(html).toContain('With water.');
    for (const [, url] of html.matchAll(/(?:href|src)="([^"]*)"/g)) expect(url).toMatch(/^https?:\/\//);
  });

  it('each page leads to the feed of its language, which is 304 until a post changes', async () => {
    const gallery = (await get('/gallery?lang=fr')).body;
    expect(gallery).toMatch(
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/feed\.xml\?lang=fr"/,
    );
    expect(gallery).toMatch(/<footer[\s\S]*<a href="\/feed\.xml\?lang=fr"[^>]*>S’abonner/);
    const ask = (etag = '') =>
      fetch(`${server.url}/feed.xml?lang=fr`, { headers: { 'if-none-match': etag } });
    const first = await ask();
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(await first.text()).toContain('post_copied');
    expect((await ask(etag)).status).toBe(304);
    await rest('PATCH', 'journal_posts?id=eq.post_copied', { title: 'Einmal täglich' });
    const changed = await ask(etag);
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('Einmal täglich')]);
    await rest('PATCH', 'journal_posts?id=eq.post_copied', { published: 0 });
    expect(await (await ask()).text()).not.toContain('post_copied');
  });

  it('a post with dates that no `Date` holds, or with half a letter, is shown on pages and in the feed', async () => {
    const author = await signUp(server, 'Dr Noor Haddad');
    const sources = String.raw`[{"id":"half","type":"book","title":"Half","DOI":"10.1/\ud800"}]`;
    // No date is as late as that.
    const translations = JSON.stringify({ de: { ...GERMAN_FACTS.de, reviewedAt: 9_000_000_000_000_000 } });
    const post = (row: object) => rest('POST', 'journal_posts', { ...buildPost(author, TEXTS), ...row });
    const never = { ...DOSE, id: 'post_never' };
    expect((await post({ ...never, translations })).status).toBe(400);
    expect((await post(never)).status).toBe(201);
    // Earlier versions have stored it.
    const connection = await connectForTest(server.settings, 'journal');
    await connection.run([
      `UPDATE journal_posts SET translations = '${translations}', created_at = 9000000000000000,
         updated_at = 9000000000000000 WHERE id = 'post_never'`,
    ]);
    await connection.close();
    for (const path of ['/post/post_never', '/post/post_never?lang=de', '/gallery', '/sitemap.xml'])
      expect((await get(path)).status, path).toBe(200);
    expect((await post({ id: 'post_half', title: 'Half a letter', sources })).status).toBe(201);
    expect(await get('/post/post_half?lang=en')).toMatchObject({
      status: 200,
      body: expect.stringContaining('https://doi.org/10.1/%EF%BF%BD'),
    });
    for (const language of ['en', 'es', 'fr', 'de']) {
      const { status, body } = await get(`/feed.xml?lang=${language}`);
      expect(status).toBe(200);
      expect(body).toContain('https://doi.org/10.1/%EF%BF%BD');
      expect(body).toContain('post_never');
      expect(childElements(readXml(Buffer.from(body)), 'entry')).toHaveLength(20);
    }
    for (const id of ['post_half', 'post_never']) await rest('DELETE', `journal_posts?id=eq.${id}`);
  });

  it('a feed stays below its bound: posts that do not fit have their summary alone', async () => {
    const author = await signUp(server, 'Dr Ada Byron');
    const long = Array.from({ length: 20 }, (_, index) => ({
      ...buildPost(author, TEXTS),
      ...{ id: `post_long_${index}`, language: 'en', content: `Word ${'and <word> '.repeat(9_000)}` },
    }));
    expect((await rest('POST', 'journal_posts', long)).status).toBe(201);
    const { body } = await get('/feed.xml?lang=en');
    const entries = childElements(readXml(Buffer.from(body)), 'entry');
    const whole = entries.filter((entry) => childElements(entry, 'content').length > 0);
    expect(entries).toHaveLength(20);
    expect(whole.length).toBeGreaterThan(2);
    expect(whole.length).toBeLessThan(20);
    expect(body.length).toBeLessThan(3_000_000);
    for (const entry of entries) {
      const [summary] = childElements(entry, 'summary');
      expect(summary && textBelow(summary)).toMatch(/^Word .{370,395} (?:and|<word>)…$/);
    }
    for (const { id } of long) await rest('DELETE', `journal_posts?id=eq.${id}`);
  });
});

it('the settings of the site are in the manifest, the sitemap and the choice of a language at once', async () => {
  const before = JSON.parse((await get('/manifest.webmanifest')).body);
  expect(before).toMatchObject({ name: 'Fabrica', start_url: '/gallery', lang: 'en' });
  expect(before.icons.map(({ sizes, purpose }: Record<string, string>) => [sizes, purpose])).toEqual([
    ['192x192', 'any'],
    ['512x512', 'any'],
    ['512x512', 'maskable'],
  ]);
  for (const { src } of before.icons) expect((await get(src)).type).toBe('image/png');
  expect((await get('/favicon.ico')).status).toBe(200);
  const unwritten = await get('/imprint?lang=en');
  expect(unwritten).toMatchObject({
    status: 404,
    body: expect.stringMatching(/<title>[^<]+ · Fabrica<\/title>/),
  });
  expect(unwritten.body).toContain('<meta name="robots" content="noindex"/>');

  const settings = { id: 'site', name: 'Atlas & Söhne', languages: 'de,en' };
  expect((await rest('POST', 'site_settings', settings)).status).toBe(201);
  expect((await rest('POST', 'site_texts', { id: 'de', privacy: 'Keine Cookies.' })).status).toBe(201);
  const { type, body } = await get('/manifest.webmanifest');
  expect(type).toBe('application/manifest+json');
  expect(JSON.parse(body)).toMatchObject({ name: 'Atlas & Söhne', lang: 'de' });
  expect(locations((await get('/sitemap/pages.xml')).body)).toEqual([
    ...['/gallery', '/about-me', '/contact'].flatMap((path) => [
      `${server.url}${path}?lang=de`,
      `${server.url}${path}?lang=en`,
    ]),
    `${server.url}/privacy?lang=de`,
  ]);
  const french = (await get('/gallery?lang=fr')).body;
  expect(french).toContain('<html lang="de"');
  expect(french).toContain('Atlas &amp; Söhne');
  expect(french).not.toContain('hrefLang="fr"');
  expect(french).toContain('href="/privacy"');
});

it('a page of the operator’s names the languages alone that it is written in', async () => {
  const links = async (path: string) =>
    [
      ...(await get(path)).body.matchAll(
        /<link rel="(canonical|alternate)"(?: hrefLang="([\w-]+)")? href="([^"]+)"\/>/g,
      ),
    ].map(([, rel, language = '', url]) => [rel, language, url?.replace(server.url, '')]);
  const inBoth = (path: string, canonical: string) => [
    ['canonical', '', `${path}?lang=${canonical}`],
    ['alternate', 'de', `${path}?lang=de`],
    ['alternate', 'en', `${path}?lang=en`],
    ['alternate', 'x-default', `${path}?lang=de`],
  ];
  const inGerman = (path: string) => [
    ['canonical', '', `${path}?lang=de`],
    ['alternate', 'de', `${path}?lang=de`],
    ['alternate', 'x-default', `${path}?lang=de`],
  ];
  for (const path of ['/privacy?lang=de', '/privacy?lang=en', '/privacy']) {
    expect(await links(path), path).toEqual(inGerman('/privacy'));
  }
  // The neutral texts of a site without its own exist in all languages.
  expect(await links('/about-me?lang=en')).toEqual(inBoth('/about-me', 'en'));
  expect((await rest('PATCH', 'site_texts?id=eq.de', { who_text: 'Wir sammeln.' })).status).toBeLessThan(300);
  expect(await links('/about-me?lang=en')).toEqual(inGerman('/about-me'));
  expect(locations((await get('/sitemap/pages.xml')).body)).not.toContain(`${server.url}/about-me?lang=en`);
  expect((await rest('POST', 'site_texts', { id: 'en', who_text: 'We collect.' })).status).toBe(201);
  expect(await links('/about-me?lang=en')).toEqual(inBoth('/about-me', 'en'));
  // A text in a language that the site does not offer is what the readers of all others see.
  expect((await rest('POST', 'site_texts', { id: 'fr', imprint: 'Atlas et fils.' })).status).toBe(201);
  expect(await links('/imprint?lang=en')).toEqual(inGerman('/imprint'));
});

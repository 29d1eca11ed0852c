import { get } from 'node:http';
import { type Author, buildPost, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { attribute, scriptSources } from '@fabrica/test-peers/read-page.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: RunningServer;
let author: Author;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await freePort();
  server = await startServer({
    DEMO: 'off',
    RATE_LIMIT: 'off',
    METRICS_PORT: String(metricsPort),
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

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

/** Returns the size and the headers of a response before its content is decoded. */
function raw(
  path: string,
  encoding: string,
): Promise<{ encoding: string | undefined; bytes: number; etag: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], bytes, etag: response.headers.etag }),
      );
    }).once('error', reject);
  });
}

async function publish(over: Record<string, unknown> = {}): Promise<string> {
  const post = buildPost(author, over);
  const response = await author.rest('POST', 'journal_posts', post);
  expect(response.status).toBe(201);
  return String(post.id);
}

describe('a page, without JavaScript', () => {
  it('the path / redirects to the gallery and keeps the language', async () => {
    const home = await page('/');
    expect(home.status).toBe(302);
    expect(home.headers.get('location')).toBe('/gallery');
    expect((await page('/?lang=de')).headers.get('location')).toBe('/gallery?lang=de');
  });

  it.each(['en', 'es', 'fr', 'de'])(
    'the page of a post has all metadata for crawlers in %s',
    async (language) => {
      const id = await publish();
      const { status, html } = await page(`/post/${id}?lang=${language}`);
      expect(status).toBe(200);
      expect(html).toContain(`<html lang="${language}"`);
      expect(attribute(html, /<title>([^<]*)<\/title>/)).toContain(`${language}: The eye`);
      const description = attribute(html, /<meta name="description" content="([^"]*)"/);
      expect(description).toMatch(new RegExp(`^${language}: Light comes in\\.\\s+An image is made\\.$`));
      expect(attribute(html, /<meta property="og:description" content="([^"]*)"/)).toBe(description);
      expect(attribute(html, /<meta property="og:type" content="([^"]*)"/)).toBe('article');
      expect(attribute(html, /<meta property="og:title" content="([^"]*)"/)).toContain(
        `${language}: The eye`,
      );
      expect(attribute(html, /<meta property="og:image" content="([^"]*)"/)).toBe(
        `${server.url}/storage/journal/posts/1.png`,
      );
      expect(attribute(html, /<meta property="og:url" content="([^"]*)"/)).toContain(
        `${server.url}/post/${id}`,
      );
      expect(attribute(html, /<meta name="twitter:card" content="([^"]*)"/)).toBe('summary_large_image');
      expect(html).toMatch(/<meta property="article:published_time" content="\d{4}-/);
      expect(html).toMatch(/<meta property="article:modified_time" content="\d{4}-/);
      expect(attribute(html, /<link rel="canonical" href="([^"]*)"/)).toBe(
        `${server.url}/post/${id}?lang=${language}`,
      );
      for (const other of ['en', 'es', 'fr', 'de']) {
        expect(html).toMatch(
          new RegExp(
            `<link[^>]*hreflang="${other}"[^>]*href="${server.url}/post/${id}\\?lang=${other}"|<link[^>]*href="${server.url}/post/${id}\\?lang=${other}"[^>]*hreflang="${other}"`,
            'i',
          ),
        );
      }
      const structured = JSON.parse(
        /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '{}',
      );
      expect(structured).toMatchObject({ '@type': 'Article', headline: `${language}: The eye` });
      expect(JSON.stringify(structured.author)).toContain('Dr Mara Lind');
      expect(html).toContain(`${language}: Light comes in.`);
    },
  );

  it.each(['de-CH', 'DE', 'de_AT'])(
    'a page is German for a reader whose language is called %s',
    async (tag) => {
      for (let time = 0; time < 3; time += 1) {
        const { html, headers } = await page(`/about-me?lang=${tag}`);
        expect(html).toContain('<html lang="de"');
        expect(headers.get('set-cookie')).toContain('fabrica_link_language=de;');
      }
    },
  );

  it('the description of a post is one line of at most 160 characters that ends behind a word, and escaped', async () => {
    const id = await publish({
      content_en: `"><script>alert(1)</script> A long\n\nsentence ${'about\nthe eye '.repeat(20)}`,
    });
    const { html } = await page(`/post/${id}?lang=en`);
    const description = attribute(html, /<meta name="description" content="([^"]*)"/) ?? '';
    expect(description).toMatch(/^\S+ A long sentence about the eye [^\n]* (?:about|the|eye)…$/);
    expect(description.replaceAll('&gt;', '>').replaceAll('&lt;', '<').length).toBeLessThanOrEqual(160);
    expect(html).not.toContain('<script>alert(1)');
  });

  it('a figure is described by the caption of its artwork, where there is one', async () => {
    const cover = JSON.stringify({
      focal: null,
      alt: {},
      caption: { en: 'Oil on wood' },
      credit: '',
      licence: '',
    });
    const post = buildPost(author, { cover });
    expect((await author.rest('POST', 'journal_posts', post)).status).toBe(201);
    const { html } = await page(`/post/${post.id}?lang=en`);
    expect(html).toMatch(/<p id="artwork-caption"[^>]*>Oil on wood<\/p>/);
    expect(html).toContain('aria-describedby="artwork-caption"');
    const bare = (await page(`/post/${await publish({})}?lang=en`)).html;
    expect(bare).not.toContain('aria-describedby="artwork-caption"');
  });

  it('references of other programs are shown as far as they say what is shown, and fail no page', async () => {
    const sources = [
      {
        id: 'a',
        type: 'book',
        title: 'De motu cordis',
        author: 'Harvey W',
        issued: { raw: 'anno 1628' },
        page: 7,
      },
      {
        id: 'b',
        type: 'article-journal',
        title: 'Circulation',
        author: [null, { family: 'Ibn', given: 3 }],
        volume: 12,
      },
      { id: 'c', type: 'book', issued: {}, 'container-title': ['x'], edition: {}, publisher: 'Frankfurt' },
    ];
    const text = 'As shown :cite[a].';
    const written = {
      content: text,
      content_en: text,
      content_format: 'markdown',
      sources: JSON.stringify(sources),
    };
    const { status, html } = await page(`/post/${await publish(written)}?lang=en`);
    expect(status).toBe(200);
    for (const shown of ['Harvey W. De motu cordis. 1628.', 'Ibn. Circulation.', 'Frankfurt.'])
      expect(html).toContain(shown);
  });

  it('words that a page has in no other language than the original say their language', async () => {
    const cover = JSON.stringify({
      focal: null,
      alt: { en: 'A brain on wood' },
      caption: { en: 'Oil on wood' },
      credit: 'A museum',
      licence: '',
    });
    const foreign = { language: 'en', title: 'The brain', title_en: 'The brain', title_de: null, cover };
    const shown = await publish(foreign);
    await publish({ ...foreign, title: 'The nerve', title_en: 'The nerve' });
    const german = (await page(`/post/${shown}?lang=de`)).html;
    expect(german).toMatch(/<img[^>]* alt="A brain on wood" lang="en"/);
    expect(german).toContain('<span lang="en">Oil on wood</span>');
    expect(german, 'the link to a post beside it').toMatch(/<h2 lang="en"[^>]*>The nerve<\/h2>/);
    const english = (await page(`/post/${shown}?lang=en`)).html;
    expect(english).toMatch(/<img[^>]* alt="A brain on wood" width/);
    expect(english).not.toContain('<span lang="en">Oil on wood');
  });

  it('a title and a caption run in the direction of their own words', async () => {
    const cover = JSON.stringify({
      ...{ focal: null, alt: {}, caption: { en: 'כיתוב' }, credit: '', licence: '' },
    });
    const id = await publish({ title_en: 'הלב', cover });
    const { html } = await page(`/post/${id}?lang=en`);
    expect(html).toMatch(/<h1[^>]* dir="auto"[^>]*>הלב</);
    expect(html).toMatch(/<p id="artwork-caption" dir="auto"[^>]*>(<span[^>]*>)?כיתוב/);
    expect((await page('/gallery?lang=en')).html).toMatch(/<h2[^>]* dir="auto"[^>]*>הלב</);
  });

  it('a page names no origins whose pages may give it tokens when none are allowed', async () => {
    expect((await page('/gallery')).html).not.toContain('data-parent-origins');
  });

  it('the gallery is described as a searchable website, and its search works', async () => {
    const id = await publish({ title_en: 'Zebra fibres', title_de: 'Zebrafasern' });
    const { html } = await page('/gallery?lang=en');
    const structured = JSON.parse(
      /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '{}',
    );
    expect(structured['@type']).toBe('WebSite');
    const action = structured.potentialAction;
    expect(action['@type']).toBe('SearchAction');
    const template = new URL(typeof action.target === 'string' ? action.target : action.target.urlTemplate);
    expect(template.pathname).toBe('/gallery');
    expect(decodeURIComponent(template.search)).toContain('search={search_term_string}');

    expect((await page('/gallery?lang=en&search=zebra%20FIB')).html).toContain(`/post/${id}`);
    expect((await page('/gallery?lang=de&search=zebrafas')).html).toContain(`/post/${id}`);
    // What only another language has is found, and said to be there.
    expect((await page('/gallery?lang=en&search=zebrafas')).html).toContain('In another language, 1 post');
    expect((await page('/gallery?lang=en&search=100%25_zebra')).html).not.toContain(`/post/${id}`);
  });

  it('the pages of the gallery are linked to each other', async () => {
    const service = serviceRest(server);
    const posts = Array.from({ length: 30 }, (_, index) =>
      buildPost(author, { id: `post_paged_${index}`, created_at: 1_000 + index, updated_at: 1_000 }),
    );
    expect((await service('POST', 'journal_posts', posts)).status).toBe(201);
    const seen = new Set<string>();
    let path: string | undefined = '/gallery?lang=en';
    for (let step = 0; path && step < 10; step += 1) {
      const { html, status }: { html: string; status: number } = await page(path);
      expect(status).toBe(200);
      for (const [, id] of html.matchAll(/href="\/post\/([\w-]+)"/g)) seen.add(String(id));
      path = attribute(html, /href="(\/gallery\?[^"]*cursor=[^"]*)"/);
    }
    for (const post of posts) expect(seen).toContain(post.id);
  });

  it('a page that does not exist logs nothing', async () => {
    const before = server.output();
    for (const path of ['/nothing/here', `/nothing/${encodeURIComponent('</script>')}`]) {
      expect((await page(path)).status).toBe(404);
    }
    expect(server.output()).toBe(before);
  });

  it('a page that does not exist is a localized 404 page with status 404', async () => {
    for (const [language, path] of [
      ['en', '/nothing/here'],
      ['de', '/post/post_none'],
    ] as const) {
      const { status, html } = await page(`${path}?lang=${language}`);
      expect(status).toBe(404);
      expect(html).toContain(`<html lang="${language}"`);
      expect(html).toContain('/gallery');
    }
  });

  it('a page that does not exist is the same for all paths that no page begins with, and names none of them', async () => {
    const first = await page('/herbarium/leaf7?search=veins&lang=fr');
    const second = await page('/wp-login.php', { cookie: 'fabrica_language=fr' });
    expect([first.status, second.status]).toEqual([404, 404]);
    expect(second.html).toBe(first.html);
    expect(first.html).toContain('<meta name="robots" content="noindex"/>');
    expect(first.html).not.toMatch(/herbarium|leaf7|veins|"\/missing/);
    expect((await page('/herbarium')).html).toContain('<html lang="en"');
    expect((await page('/galler%79')).status).toBe(200);
    expect((await page('/herbarium.data')).headers.get('content-type')).toBe('text/x-script');
    expect((await page('/auth/herbarium')).headers.get('referrer-policy')).toBe('strict-origin');
  });

  it('the language of a link is kept in a cookie, and overrules no choice', async () => {
    const cookieOf = async (path: string, cookie = '') =>
      (await page(path, { cookie })).headers.get('set-cookie')?.split(';')[0];
    const languageOf = async (cookie: string) =>
      /<html lang="(..)"/.exec((await page('/gallery', { cookie })).html)?.[1];
    // The first response is rendered, later ones are cached.
    for (let time = 0; time < 3; time += 1) {
      const link = (await cookieOf('/gallery?lang=fr', 'fabrica_language=de')) ?? '';
      const choice = (await cookieOf('/gallery?lang=es&reader=es', link)) ?? '';
      expect([link, choice]).toEqual(['fabrica_link_language=fr', 'fabrica_language=es']);
      expect(await cookieOf('/gallery?lang=en&reader=de')).toBeUndefined();
      expect(await languageOf(link)).toBe('fr');
      expect(await languageOf(`${link}; ${choice}`)).toBe('es');
      expect(await languageOf(`fabrica_language=xx; ${link}`)).toBe('fr');
      expect(await languageOf('fabrica_language=xx')).toBe('en');
    }
  });
});

describe('a cached page', () => {
  it('a page is compressed with an ETag for each encoding, and is 304 when the ETag matches', async () => {
    const plain = await raw('/about-me', 'identity');
    const brotli = await raw('/about-me', 'gzip, deflate, br');
    const gzip = await raw('/about-me', 'gzip');
    expect([plain.encoding, brotli.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
    expect(brotli.bytes).toBeLessThan(plain.bytes / 2);
    expect(gzip.bytes).toBeLessThan(plain.bytes / 2);
    expect(new Set([plain.etag, brotli.etag, gzip.etag]).size).toBe(3);
    const known = await page('/about-me', { 'if-none-match': brotli.etag ?? '', 'accept-encoding': 'br' });
    expect(known.status).toBe(304);
    expect(known.html).toBe('');
  });

  it('a feed is cached once for each language, whatever else its address has', async () => {
    const misses = async () =>
      Number(/^fabrica_cache_misses_total\{cache="lists"\} (\d+)$/m.exec(await readMetrics())?.[1]);
    let round = 0;
    const missesOfRound = async () => {
      round += 1;
      await page('/feed.xml?lang=fr');
      const before = await misses();
      for (const name of ['cursor', 'search', 'comments', 'report', 'utm_source']) {
        const { headers } = await page(`/feed.xml?lang=fr&${name}=${round}`);
        expect([name, headers.get('cache-control')]).toEqual([name, 'no-cache']);
      }
      return (await misses()) - before;
    };
    // What the server still writes of earlier posts drops the feed.
    await expect.poll(missesOfRound).toBe(0);
  });

  it('a cached page is cached for each language', async () => {
    expect((await page('/about-me?lang=de')).html).toContain('<html lang="de"');
    expect((await page('/about-me?lang=es')).html).toContain('<html lang="es"');
  });
});

describe('the scripts and styles of a page', () => {
  it.each(['/gallery', '/about-me', '/contact', '/admin', '/auth', '/nowhere'])(
    'the content security policy of %s allows its own scripts and style sheets alone',
    async (path) => {
      const { headers, html } = await page(path);
      const policy = headers.get('content-security-policy') ?? '';
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
      expect(scripts).toContain("'self'");
      expect(scripts).not.toContain('unsafe');
      for (const source of scriptSources(html)) expect(scripts).toContain(source);
      expect(policy).toContain("; style-src-elem 'self'; style-src-attr 'unsafe-inline'; ");
      expect(html).not.toMatch(/<style[\s>]/);
      expect(policy).toMatch(/object-src 'none'; base-uri 'none'/);
      expect(html).not.toContain('nonce=');
      expect(html).not.toMatch(/(src|href)="(https?:)?\/\/(?!localhost)[^"]*\.(js|css|woff2)/);
    },
  );

  it.each([
    ['GET', '/'],
    ['GET', '/gallery'],
    ['GET', '/gallery.data'],
    ['GET', '/nowhere'],
    ['GET', '/auth'],
    ['GET', '/favicon.svg'],
    ['GET', '/service-worker.js'],
    ['GET', '/robots.txt'],
    ['GET', '/manifest.webmanifest'],
    ['GET', '/healthz'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/api/auth/me'],
    ['GET', '/api/nothing'],
    ['GET', '/api/db/journal/rest/v1/journal_posts'],
    ['GET', '/storage/journal/none.png'],
    ['POST', '/gallery'],
    ['POST', '/auth'],
    ['DELETE', '/auth'],
  ])(
    'browsers take the response to %s %s for nothing but what it is, and show it in no frame of another site',
    async (method, path) => {
      const { headers } = await fetch(`${server.url}${path}`, { method, redirect: 'manual' });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors '(none|self)'/);
    },
  );

  it('a page that no cache may store is compressed too', async () => {
    const plain = await raw('/auth', 'identity');
    const brotli = await raw('/auth', 'br');
    expect([plain.encoding, brotli.encoding]).toEqual([undefined, 'br']);
    expect(brotli.bytes).toBeLessThan(plain.bytes / 2);
  });

  it.each([
    ['a script', /<script type="module"[^>]*>import "(\/assets\/[^"]+\.js)"/, 'javascript'],
    ['the style sheet', /<link rel="stylesheet" href="(\/assets\/[^"]+\.css)"/, 'text/css'],
  ])('%s of a page is named after its content, compressed and immutable', async (_, pattern, type) => {
    const { html } = await page('/about-me');
    const path = attribute(html, pattern) ?? '';
    expect(path).toMatch(/-[\w-]{8}\.\w+$/);
    expect((await raw(path, 'br')).encoding).toBe('br');
    const response = await fetch(`${server.url}${path}`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-type')).toContain(type);
  });

  it('every response has a request id', async () => {
    for (const path of ['/gallery', '/healthz', '/api/none', '/storage/journal/none.png']) {
      expect((await page(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('paths of the backend', () => {
  it.each([
    ['POST', '/storage/journal/posts/1.png', 405],
    ['DELETE', '/storage/journal/posts/1.png', 405],
    ['POST', '/storage', 404],
    ['GET', '/storage', 404],
    ['PUT', '/api/nothing', 404],
  ])('the response to %s %s is an error in JSON, never a page', async (method, path, status) => {
    const response = await fetch(`${server.url}${path}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(await response.json()).toEqual({ error: expect.any(String), code: expect.any(String) });
  });
});

describe('names that look like the author’s', () => {
  it('comments of the authors say so, those of namesakes that they are not theirs, and others say nothing', async () => {
    const id = await publish();
    const service = serviceRest(server);
    const coAuthor = await signUp(server, 'Ines Roth');
    const byline = [
      { name: 'Dr Mara Lind', role: 'author' },
      { name: 'Ines Roth', role: 'author', userId: coAuthor.id },
    ];
    const named = await service('PATCH', `journal_posts?id=eq.${id}`, { byline: JSON.stringify(byline) });
    expect(named.status).toBe(200);
    const comment = async (by: Author, content: string) => {
      const row = { post_id: id, user_id: by.id, user_name: 'Dr Mara Lind', content };
      expect((await by.rest('POST', 'post_comments', row)).status).toBe(201);
    };
    await comment(author, 'Of the author.');
    for (const [name, content] of [
      ['DR. MARA L1ND', 'Of a namesake.'],
      ['Dr Jon Vale', 'Of another reader.'],
    ] as const) {
      await comment(await signUp(server, name), content);
    }
    await comment(coAuthor, 'Of the co-author.');
    await comment(await signUp(server, 'Inés Röth'), 'Of a namesake of hers.');
    const old = { post_id: id, user_id: 'old', user_name: 'Jon V\u0430le', content: 'Of an old name.' };
    expect((await service('POST', 'post_comments', old)).status).toBe(201);
    const readItems = async () => {
      const { html } = await page(`/post/${id}?comments=open`);
      return html.split('<li').filter((item) => item.includes('id="comment_'));
    };
    let items = await readItems();
    const markOf = (content: string) =>
      /(Author|Not the author|Misleading spelling)<\/span>/.exec(
        items.find((item) => item.includes(content)) ?? '',
      )?.[1];
    expect(items).toHaveLength(6);
    expect(markOf('Of the author.')).toBe('Author');
    expect(markOf('Of the co-author.'), 'she has not accepted yet').toBeUndefined();
    const accepted = await fetch(`${server.url}/api/desk/journal/posts/${id}/byline`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${coAuthor.token}` },
    });
    expect(accepted.status).toBe(204);
    items = await readItems();
    expect(markOf('Of the co-author.')).toBe('Author');
    expect(markOf('Of a namesake.')).toBe('Not the author');
    expect(markOf('Of a namesake of hers.')).toBe('Not the author');
    expect(markOf('Of an old name.')).toBe('Misleading spelling');
    expect(markOf('Of another reader.')).toBeUndefined();
  });

  it.each([
    ['Dr M\u0430ra Lind', 400],
    ['Dr Mara\u202Edni\u202C', 400],
    ['Dr Mara\u200F Lind', 400],
    ['mara＠example.org', 400],
    ['Dr Ma\u200Bra Ｌind', 200],
  ])('the name %j gets %i, and is stored without what cannot be seen', async (displayName, status) => {
    const someone = await signUp(server, 'Jo');
    const response = await fetch(`${server.url}/api/auth/me`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${someone.token}` },
      body: JSON.stringify({ displayName }),
    });
    expect(response.status).toBe(status);
    const profiles = await someone.rest('GET', `profiles?id=eq.${someone.id}`);
    expect(await profiles.json()).toMatchObject([{ display_name: status === 200 ? 'Dr Mara Lind' : 'Jo' }]);
  });
});

describe('the form for an error of a translation, without JavaScript', () => {
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ intent: 'report', ...fields }),
      headers: { origin: server.url, cookie: 'fabrica_language=de' },
      redirect: 'manual',
    });

  it('a report reaches the queue once, and one that is refused is shown with its error', async () => {
    const id = await publish({
      ...{ language: 'en', title: 'The dose', content: 'Take 5 mg.' },
      ...{ title_de: 'Die Dosis', content_de: 'Nehmen Sie 50 mg.' },
    });
    const path = `/post/${id}`;
    const german = { cookie: 'fabrica_language=de' };
    const closed = await page(path, german);
    const link = attribute(closed.html, /<a href="([^"]*)"[^>]*>Übersetzungsfehler melden</);
    expect(link).toBe('?report=open#report');
    expect(closed.html).not.toContain('id="report"');
    const opened = await page(`${path}?report=open`, german);
    expect(opened.html).toMatch(/<form id="report"[^>]* method="post"/);
    expect(attribute(opened.html, /name="language" value="([^"]*)"/)).toBe('de');

    const words = { language: 'de', quote: 'Nehmen Sie 50 mg.' };
    const empty = await submit(`${path}?report=open`, { ...words, message: ' ' });
    expect(empty.status).toBe(400);
    const refused = await empty.text();
    expect(refused).toContain('Bitte schreiben Sie, was nicht stimmt.');
    expect(refused).toMatch(/<textarea[^>]*>Nehmen Sie 50 mg\.</);
    const tooLong = await submit(path, { ...words, message: 'ü'.repeat(5_001) });
    expect(tooLong.status).toBe(400);
    expect(await tooLong.text()).toContain('ü'.repeat(5_001));
    const unknown = await submit(path, { ...words, language: 'xx', message: 'Wrong.' });
    expect(unknown.status).toBe(500);
    expect(await unknown.text()).toContain('Die Meldung konnte nicht gesendet werden.');

    const message = 'Not 50,\r\nbut 5.';
    for (const attempt of [1, 2]) {
      const sent = await submit(path, { ...words, message });
      expect([attempt, sent.status, sent.headers.get('location')]).toEqual([
        ...[attempt, 303, `${path}?report=sent#report`],
      ]);
    }
    const thanks = await page(`${path}?report=sent`, german);
    expect(thanks.html).toContain('Vielen Dank! Wer diese Übersetzung prüft, sieht Ihre Meldung.');
    expect((await page(path, german)).html).not.toContain('id="report"');
    const stored = await serviceRest(server)('GET', `translation_reports?post_id=eq.${id}`);
    expect(await stored.json()).toMatchObject([
      { language: 'de', quote: words.quote, message: 'Not 50,\nbut 5.', user_id: null },
    ]);
  });
});

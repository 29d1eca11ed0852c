import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { compareSegments } from '@fabrica/dose-guard';
import { type Author, secretKeyOf, signUp } from '@fabrica/test-peers/author.ts';
import { requestDesk } from '@fabrica/test-peers/request-desk.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostileTexts, ordinaryArticle } from './hostile-texts.ts';

/** Texts of each length; `npm run test:long` tries more. */
const COUNT = Number(process.env.TEXTS ?? 2);
const SEED = Number(process.env.SEED ?? 28);
/**
 * Milliseconds of processor time: a text is read twice, for 400 each in a thread that may have to be started for 200, and half as
 * much more where the machine is busy.
 */
const MOST_MS = 2 * (400 + 200) * 1.5;
/** So many times as long as an ordinary article of 100,000 characters may a text hold the thread, which is 100 ms on a quiet machine. */
const LONGEST_HOLD = 3;

let server: RunningServer;
let author: Author;
/** The most milliseconds of processor time for which an ordinary article held the thread. */
let ordinaryHold = 0;

beforeAll(async () => {
  server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  author = await signUp(server);
  await author.rest('POST', 'journal_posts', rowOf(ordinaryArticle(20_000), 'post_first'));
  for (const path of ['posts/post_first', 'posts/post_first/translations/de'])
    await (await requestDesk(server, author, { method: 'GET', path })).text();
  // What is loaded and compiled with the first requests is not the text's.
  for (let round = 0; round < 3; round += 1) {
    const costs: Cost[] = [];
    for (const format of ['markdown', 'plain']) {
      const article = ordinaryArticle(100_000 - round);
      costs.push(...(await writeOnDesk(article, format)));
      const id = `post_ordinary_${format}_${round}`;
      await author.rest('POST', 'journal_posts', rowOf(article, id, format));
      for (const path of [`/post/${id}`, '/feed.xml'])
        costs.push(await measure(() => fetch(`${server.url}${path}`)));
    }
    ordinaryHold = Math.max(...costs.map(({ held }) => held));
  }
});
afterAll(() => server.close());

/** Returns the milliseconds of processor time of the server, or of the one of its threads that serves everybody. */
async function processorMs(thread = false): Promise<number> {
  const { pid } = server.process;
  const path = thread ? `/proc/${pid}/task/${pid}/schedstat` : `/proc/${pid}/stat`;
  const words = await readFile(path, 'utf8');
  if (thread) return Number(words.split(' ')[0]) / 1e6;
  const [, fields = ''] = words.split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  // Linux counts in hundredths of a second.
  return (Number(user) + Number(system)) * 10;
}

interface Cost {
  status: number;
  body: string;
  /** Processor time of the whole server. */
  used: number;
  /** The most processor time that the serving thread took while `/healthz` waited. */
  held: number;
}

/** Makes a request while `/healthz` is asked again and again. */
async function measure(call: () => Promise<Response>): Promise<Cost> {
  let held = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const before = await processorMs(true);
      await (await fetch(`${server.url}/healthz`)).text();
      held = Math.max(held, (await processorMs(true)) - before);
      await pause(5);
    }
  })();
  const before = await processorMs();
  const response = await call();
  const body = await response.text();
  const used = (await processorMs()) - before;
  isOver = true;
  await asking;
  return { status: response.status, body, used, held };
}

const documentOf = (content: string, contentFormat = 'markdown') => ({
  ...{ title: 'A text', contentFormat, language: 'en', content },
  cover: { url: '/storage/journal/posts/1.png', width: 8, height: 10 },
});
const rowOf = (content: string, id: string, format = 'markdown') => ({
  ...{ id, title: 'A text', content, content_format: format, language: 'en', user_id: author.id },
  image_url: '/storage/journal/posts/1.png',
});

function expectCheap(name: string, { used, held, body }: Cost): void {
  expect(used, `${name}: ${body.slice(0, 200)}`).toBeLessThan(MOST_MS);
  expect(held, `${name} holds the thread`).toBeLessThan(LONGEST_HOLD * ordinaryHold);
}

/** Writes a text on the desk, and then other words in each of its paragraphs. */
async function writeOnDesk(text: string, format: string): Promise<Cost[]> {
  const document = documentOf(text, format);
  const saved = await measure(() =>
    requestDesk(server, author, { method: 'POST', path: 'posts', body: { document } }),
  );
  if (saved.status !== 201) return [saved];
  const { id, version } = JSON.parse(saved.body) as { id: string; version: number };
  const body = { ...document, content: text.replaceAll(/[a-z]/g, 'z') };
  const again = await measure(() =>
    requestDesk(server, author, { method: 'PUT', path: `posts/${id}`, body, version }),
  );
  return [saved, again];
}

test.each([25_000, 100_000])('a hostile text of %i characters is served or refused', async (length) => {
  let refused = 0;
  for (const { name, text } of hostileTexts(length, { count: COUNT, seed: SEED + length })) {
    for (const format of ['markdown', 'plain']) {
      for (const written of await writeOnDesk(text, format)) {
        expectCheap(`${name}, ${format} on the desk`, written);
        expect([200, 201, 400], written.body).toContain(written.status);
        if (written.status === 400) expect(written.body).toMatch(/too complex|blank|well-formed/);
      }
      const id = `post_${length}_${Math.random().toString(36).slice(2)}`;
      const row = rowOf(text, id, format);
      const created = await measure(() => author.rest('POST', 'journal_posts', row));
      expectCheap(`${name}, ${format} by REST`, created);
      expect([201, 400], created.body).toContain(created.status);
      if (created.status === 400) {
        refused += 1;
        continue;
      }
      for (const path of [`/post/${id}`, '/feed.xml']) {
        const shown = await measure(() => fetch(`${server.url}${path}`));
        expect(shown.status).toBe(200);
        expectCheap(`${name}, ${format} on ${path}`, shown);
      }
      await author.rest('DELETE', `journal_posts?id=eq.${id}`);
    }
  }
  // Of what is too complex as Markdown, most can be shown as it stands.
  expect(refused).toBeLessThan(2 * COUNT);
});

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the post's file for other tools, with the text as the translation of its first segment. */
async function translationFile(text: string): Promise<string> {
  const path = 'posts/post_first/translations/de.xlf';
  const file = await (await requestDesk(server, author, { method: 'GET', path })).text();
  return file.replace(
    /<\/source>(?:\s*<target[\s\S]*?<\/target>)?/,
    () => `</source><target>${escaped(text)}</target>`,
  );
}

/** Returns a request with a file in a form. */
const sendFile = (path: string, text: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([text], 'file.html', { type: 'text/html' }));
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}` },
    body: form,
  });
};

const READERS: Record<string, (text: string) => Promise<Response>> = {
  'a filter': (text) =>
    author.rest(
      'GET',
      `journal_posts?or=(title.eq.1,${encodeURIComponent(text.slice(0, 4_000).toWellFormed())})`,
    ),
  'a search': (text) =>
    author.rest(
      'GET',
      `searchable_posts?text_en=ilike.*${encodeURIComponent(text.slice(0, 4_000).toWellFormed())}*`,
    ),
  'a comment': (text) =>
    author.rest('POST', 'post_comments', { post_id: 'post_first', user_id: author.id, content: text }),
  'a body of JSON': (text) =>
    fetch(`${server.url}/api/db/journal/rest/v1/journal_posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: text,
    }),
  'a translation file': async (text) =>
    fetch(`${server.url}/api/desk/journal/posts/post_first/translations/de.xlf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/xliff+xml' },
      body: await translationFile(text),
    }),
  'a page of HTML': (text) => sendFile('/api/data/journal/extract-from-blob', `<html><body>${text}`),
  'an uploaded drawing': (text) =>
    sendFile(
      '/api/storage/journal/upload',
      `<svg xmlns="http://www.w3.org/2000/svg"><path d="${escaped(text)}"/><text>${escaped(text)}</text>${text}</svg>`,
      {
        path: `drawings/${Math.random()}.svg`,
      },
    ),
  'a table of comma-separated values': (text) =>
    sendFile('/api/data/journal/extract-from-blob', text, { chunking: 'true' }),
};

test.each(Object.entries(READERS))('hostile texts in %s are served or refused', async (where, send) => {
  // What is loaded and compiled with the first texts is not theirs.
  for (const text of ['5 mg', 'Take 5 mg of it twice a day. '.repeat(100)]) await (await send(text)).text();
  // A paragraph of a translation is compared on the thread that serves, which takes 250 ms for 100,000 characters.
  const lengths = where === 'a translation file' ? [6_000, 25_000] : [25_000, 100_000];
  for (const length of lengths) {
    for (const { name, text } of hostileTexts(length, {
      count: Math.ceil(COUNT / 4),
      seed: SEED + length + where.length,
    })) {
      const cost = await measure(() => send(text));
      expect(cost.status, `${name} in ${where}: ${cost.body}`).toBeLessThan(500);
      expectCheap(`${name} in ${where}`, cost);
    }
  }
});

test('the guard compares hostile texts within the time', () => {
  // It compares no text of more than 6,000 characters.
  for (const length of [2_500, 5_950, 100_000]) {
    for (const { name, text } of hostileTexts(length, {
      count: Math.ceil(COUNT / 2),
      seed: SEED + length + 1,
    })) {
      const before = process.threadCpuUsage();
      compareSegments({ text, language: 'en' }, { text: `${text} 6 mg`, language: 'de' });
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000, name).toBeLessThan(MOST_MS);
    }
  }
});

test('a text that was stored before it was bounded is shown as plain text everywhere', async () => {
  const text = `stored *words* ${'*'.repeat(8_000)}a${'*'.repeat(8_000)}`;
  const row = rowOf('Short.', 'post_stored');
  expect((await author.rest('POST', 'journal_posts', row)).status).toBe(201);
  const statement = {
    query: "UPDATE journal_posts SET content = ? WHERE id = 'post_stored'",
    params: [text],
  };
  const stored = await fetch(`${server.url}/api/db/journal/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await secretKeyOf(server)}`, 'content-type': 'application/json' },
    body: JSON.stringify(statement),
  });
  expect(stored.status, await stored.text()).toBe(200);
  for (const path of [
    '/post/post_stored',
    '/post/post_stored.data',
    '/feed.xml',
    '/post/post_stored?lang=de',
  ]) {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.text(), path).toContain(text.slice(0, 200));
  }
  const found = await author.rest('GET', 'searchable_posts?text_en=ilike.*stored%20words*&select=id');
  expect(await found.json()).toEqual([{ id: 'post_stored' }]);
  const opened = await requestDesk(server, author, { method: 'GET', path: 'posts/post_stored' });
  const { document, version } = (await opened.json()) as { document: object; version: number };
  expect(document).toMatchObject({ contentFormat: 'plain', content: text });
  const link = await requestDesk(server, author, {
    method: 'POST',
    path: 'posts/post_stored/preview',
    body: { days: 1 },
    version,
  });
  const { url } = (await link.json()) as { url: string };
  expect(await (await fetch(`${server.url}${new URL(url).pathname}`)).text()).toContain(text.slice(0, 200));
  const changed = await author.rest('PATCH', 'journal_posts?id=eq.post_stored', { content: `${text}!` });
  expect([changed.status, await changed.text()]).toEqual([400, expect.stringContaining('too complex')]);
  const plain = await author.rest('PATCH', 'journal_posts?id=eq.post_stored', {
    content_format: 'plain',
    content: `${text}!`,
  });
  expect(plain.status).toBe(200);
  const again = await author.rest('PATCH', 'journal_posts?id=eq.post_stored', { content_format: 'markdown' });
  expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('too complex')]);
});

test('an ordinary article of 100,000 characters is accepted and shown while hostile ones come', async () => {
  const hostile = [...hostileTexts(100_000, { count: 8, seed: 5 })].map(({ text }) =>
    requestDesk(server, author, { method: 'POST', path: 'posts', body: { document: documentOf(text) } }),
  );
  const content = ordinaryArticle(100_000);
  const body = { document: documentOf(content) };
  const saved = await requestDesk(server, author, { method: 'POST', path: 'posts', body });
  expect(saved.status, await saved.text()).toBe(201);
  const created = await author.rest('POST', 'journal_posts', rowOf(content, 'post_article'));
  expect(created.status, await created.text()).toBe(201);
  const shown = await measure(() => fetch(`${server.url}/post/post_article`));
  for (const part of ['<table', 'Part 12</h', 'footnote', '<strong>caution</strong>'])
    expect(shown.body).toContain(part);
  await Promise.all(hostile);
});

import { setTimeout as wait } from 'node:timers/promises';
import { signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/find-programs.mjs';
import { atMost, type Figures } from './figures.ts';
import { median, percentile } from './load.ts';
import { startPhone } from './vitals/phone.ts';

const ROUNDS = 5;
const WORDS = 10_000;
const KEYS = 300;
/** Milliseconds between two keys of somebody who types fast. */
const KEY_PAUSE_MS = 60;
const TEXT = '.edited-text';

/** Measures what an author waits for: until the desk takes words on a slow phone, and for each key in a long text. */
export async function benchDesk(figures: Figures): Promise<void> {
  const server = await startServer({ RATE_LIMIT: 'off' });
  try {
    const author = await signUp(server);
    const tokens = JSON.stringify({ ...author.session, issued_at: Math.floor(Date.now() / 1_000) });
    const [short, long] = [
      await writePost(server, author.token, 300),
      await writePost(server, author.token, WORDS),
    ];
    await benchOpening(figures, { server, tokens, path: short });
    await benchTyping(figures, { server, tokens, path: long });
  } finally {
    await server.close();
  }
}

interface Desk {
  server: RunningServer;
  tokens: string;
  path: string;
}

/** Stores a working copy of so many words, and returns the path of its desk. */
async function writePost(server: RunningServer, token: string, words: number): Promise<string> {
  const sentence = 'The vessels of the crown are shown as they are[^1], and the **text** says what they do.';
  const paragraph = `${sentence} `.repeat(5).trim();
  const blocks = Array.from({ length: Math.ceil(words / 85) }, (_, index) =>
    index % 8 === 0 ? `## Part ${index / 8 + 1}\n\n${paragraph}` : paragraph,
  );
  const document = {
    title: 'The crown',
    content: `${blocks.join('\n\n')}\n\n[^1]: Harvey.`,
    contentFormat: 'markdown',
    language: 'en',
  };
  const response = await fetch(`${server.url}/api/desk/journal/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ document }),
  });
  if (!response.ok) throw new Error(`The post was not stored: ${response.status} ${await response.text()}`);
  return `/admin/posts/${((await response.json()) as { id: string }).id}`;
}

/**
 * Measures from the first byte asked for until the text can be written in, with an empty cache: in the text area that takes the
 * first words, and in the editor that takes its place.
 */
async function benchOpening(figures: Figures, { server, tokens, path }: Desk): Promise<void> {
  const phone = await startPhone();
  const [words, editor]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const visit = await phone.visit(`${server.url}${path}`, { origin: server.url, tokens });
    const times = await visit.page.waitForFunction((selector) => {
      const known = window as unknown as { takesWords?: number };
      if (document.querySelector(`textarea:read-write, ${selector}[contenteditable=true]`)) {
        known.takesWords ??= performance.now();
      }
      return (
        document.querySelector(`${selector}[contenteditable=true]`) && [known.takesWords, performance.now()]
      );
    }, TEXT);
    const [first = 0, second = 0] = (await times.jsonValue()) ?? [];
    words.push(first / 1_000);
    editor.push(second / 1_000);
    await visit.close();
  }
  await phone.close();
  figures.note('phone: desk, takes words', median(words), atMost(3, 's'));
  figures.inform('phone: desk, its editor', `${median(editor).toFixed(2)} s`);
}

/** Measures what the page does for each key, layout included: not the wait for the next frame of the screen. */
async function benchTyping(figures: Figures, { server, tokens, path }: Desk): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const localStorage = [{ name: 'fabrica_tokens_journal', value: tokens }];
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
  });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}`);
  await page.locator(`${TEXT}[contenteditable=true]`).waitFor();
  await placeCursor(page);
  await page.evaluate(measureKeys, TEXT);
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? 'Space' : 'a');
    await wait(KEY_PAUSE_MS);
  }
  const keys = await page.evaluate(() => (window as unknown as { keys: number[] }).keys);
  await browser.close();
  const spread = ` (median ${median(keys).toFixed(1)}, ${keys.length} keys)`;
  figures.note(`desk: a key in ${WORDS} words, p95`, percentile(keys, 0.95), atMost(16, 'ms'), spread);
}

/** Puts the cursor at the end of a paragraph in the middle of the text. */
async function placeCursor(page: Page): Promise<void> {
  const paragraphs = page.locator(`${TEXT} > p`);
  await paragraphs.nth(Math.floor((await paragraphs.count()) / 2)).click();
  await page.keyboard.press('End');
}

/** Runs in the page. A task that a key has put off until its events are over is counted with it. */
function measureKeys(selector: string): void {
  const keys: number[] = [];
  Object.assign(window, { keys });
  const channel = new MessageChannel();
  let start = 0;
  channel.port1.onmessage = () => {
    document.querySelector(selector)?.getBoundingClientRect();
    keys.push(performance.now() - start);
  };
  document.addEventListener(
    'keydown',
    () => {
      start = performance.now();
    },
    true,
  );
  document.addEventListener('input', () => channel.port2.postMessage(null), true);
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/find-programs.mjs';
import type { Figures } from './figures.ts';

const TABS = 20;
const TOKEN_SECONDS = 120;
const MINUTES = 10;
/** Of a nap, in seconds: some end before the token does, some long after. */
const LONGEST_NAP = 150;

/**
 * Twenty tabs of one browser that fall asleep and wake up as they like, with tokens of two minutes: how many of them
 * find themselves signed out?
 */
export async function benchTabs(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off', ACCESS_TOKEN_SECONDS: String(TOKEN_SECONDS) });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const author = await signUp(server);
    const tokens = JSON.stringify({ ...author.session, issued_at: Math.floor(Date.now() / 1_000) });
    const context = await browser.newContext({
      baseURL: server.url,
      storageState: {
        cookies: [],
        origins: [{ origin: server.url, localStorage: [{ name: 'fabrica_tokens_journal', value: tokens }] }],
      },
    });
    const end = Date.now() + MINUTES * 60_000;
    const tabs = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        return { page, devtools: await context.newCDPSession(page) };
      }),
    );
    const signedOut = await Promise.all(tabs.map(({ page, devtools }) => live(page, devtools, end)));
    const refreshes = countRefreshes(server);
    const sum = signedOut.reduce((total, count) => total + count, 0);
    const goal = { value: 0, better: 'atMost', unit: '' } as const;
    const extra = ` (${refreshes.spent} refreshes in ${MINUTES} min, ${refreshes.live} live token)`;
    figures.note(`sign-outs among ${TABS} tabs that sleep at random`, sum, goal, extra);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** One tab's time: it looks at its account, sleeps frozen as a phone's would, wakes up, looks again. Answers how often it was signed out. */
async function live(page: Page, devtools: CDPSession, end: number): Promise<number> {
  let signedOut = 0;
  await page.goto('/account');
  while (Date.now() < end) {
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await wait(Math.random() * LONGEST_NAP * 1_000);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    // Half of the time the page goes on as it was, half of the time its reader loads it again.
    if (Math.random() < 0.5) await page.reload();
    else await page.getByRole('link', { name: 'About Me' }).first().click();
    await page.goto('/account');
    const there = page.getByRole('button', { name: 'Sign Out', exact: true });
    const seen = await there.waitFor({ timeout: 30_000 }).then(
      () => true,
      () => false,
    );
    if (!seen) signedOut += 1;
  }
  return signedOut;
}

function countRefreshes({ dataDir }: RunningServer): { spent: number; live: number } {
  const database = new DatabaseSync(join(dataDir, 'journal.sqlite'), { readOnly: true });
  const row = database
    .prepare('SELECT count(spent_at) AS spent, count(*) - count(spent_at) AS live FROM refresh_tokens')
    .get();
  database.close();
  return { spent: Number(row?.spent), live: Number(row?.live) };
}

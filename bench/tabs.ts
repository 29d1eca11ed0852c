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
/** Seconds that a tab is frozen at most. Some tabs wake up before the token expires, some long after. */
const LONGEST_FREEZE = 150;

/** Counts the sign-outs among twenty tabs of one browser that are frozen and woken at random, with tokens that they take to last two minutes. */
export async function benchTabs(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off' });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const author = await signUp(server);
    const issuedAt = Math.floor(Date.now() / 1_000);
    const tokens = JSON.stringify({ ...author.session, expires_in: TOKEN_SECONDS, issued_at: issuedAt });
    const context = await browser.newContext({
      baseURL: server.url,
      storageState: {
        cookies: [],
        origins: [{ origin: server.url, localStorage: [{ name: 'fabrica_tokens_journal', value: tokens }] }],
      },
    });
    await context.route('**/api/auth/refresh', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({
        response,
        json: { ...body, ...(response.ok() && { expires_in: TOKEN_SECONDS }) },
      });
    });
    const end = Date.now() + MINUTES * 60_000;
    const tabs = await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await context.newPage();
        return { page, devtools: await context.newCDPSession(page) };
      }),
    );
    const signedOut = await Promise.all(tabs.map(({ page, devtools }) => runTab(page, devtools, end)));
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

/** Opens the account page in a tab that is frozen again and again, and returns the number of sign-outs. */
async function runTab(page: Page, devtools: CDPSession, end: number): Promise<number> {
  let signedOut = 0;
  await page.goto('/account');
  while (Date.now() < end) {
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await wait(Math.random() * LONGEST_FREEZE * 1_000);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    // One half of the pages continues as it was, the other half is reloaded.
    if (Math.random() < 0.5) await page.reload();
    else await page.getByRole('link', { name: 'About Me' }).first().click();
    await page.goto('/account');
    const signOut = page.getByRole('button', { name: 'Sign Out', exact: true });
    const isSignedIn = await signOut.waitFor({ timeout: 30_000 }).then(
      () => true,
      () => false,
    );
    if (!isSignedIn) signedOut += 1;
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

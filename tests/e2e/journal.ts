import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { type OpenAiStandIn, startOpenAiStandIn } from '../openai-stand-in.ts';
import { type RunningServer, startServer } from '../start-server.ts';

export interface Journal {
  server: RunningServer;
  provider: OpenAiStandIn;
}

interface Fixtures {
  /** Messages that a page wrote as errors; a test that expects some takes them out. */
  consoleErrors: string[];
}

/** Each worker has a journal of its own, empty, with a stand-in for the AI provider; each test a browser of its own. */
export const test = base.extend<Fixtures, { journal: Journal }>({
  journal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this
    async ({}, use) => {
      const provider = await startOpenAiStandIn();
      const server = await startServer({
        AI_BASE_URL: provider.url,
        AI_TEXT_MODEL: 'stand-in',
        DEMO: 'off',
        RATE_LIMIT: 'off',
      });
      await use({ server, provider });
      await server.close();
      await provider.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ journal }, use) => use(journal.server.url),
  consoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await use(errors);
      expect(errors, 'errors in the page’s console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** No violation that axe knows of, animations at their end (but for those that have none, like a spinner's). */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    return Promise.allSettled(ending.map((animation) => animation.finished));
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual(
    [],
  );
}

/** No part of the page stands wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width).toBeLessThanOrEqual(0);
}

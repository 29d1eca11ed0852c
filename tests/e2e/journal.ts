import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, type Page } from '@playwright/test';
import { watchedTest } from './watched-test.ts';

export interface Journal {
  server: RunningServer;
  provider: OpenAiStandIn;
}

interface Unlimited {
  /** Fails a test in which a limit refused a request: nobody meets one by using the journal. */
  unlimited: undefined;
}

/**
 * Gives each worker an empty journal with a stand-in for the AI provider and the limits of every installation, and each test
 * a browser context.
 */
export const test = watchedTest.extend<Unlimited, { journal: Journal }>({
  journal: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this
    async ({}, use) => {
      const provider = await startOpenAiStandIn();
      const server = await startMailingServer({
        AI_BASE_URL: provider.url,
        AI_TEXT_MODEL: 'stand-in',
        AI_VISION_MODEL: 'stand-in',
        DEMO: 'off',
        ...BEHIND_PROXY,
        // No other test uses this role.
        SECOND_FACTOR_ROLES: 'reader',
      });
      await use({ server, provider });
      await server.close();
      await provider.close();
    },
    { scope: 'worker' },
  ],
  unlimited: [
    async ({ journal }, use) => {
      const before = limitedRequests(journal.server).length;
      await use(undefined);
      expect(limitedRequests(journal.server).slice(before), 'requests that a limit refused').toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ journal }, use) => use(journal.server.url),
});

export { expect };

/** Starts a server that sends its mails, to a mail server that keeps them. */
export async function startMailingServer(settings: Record<string, string>): Promise<RunningServer> {
  const smtp = await startSmtpServer();
  const server = await startServer({ ...settings, SMTP_URL: smtp.url });
  return {
    ...server,
    mailsTo: async (email) => smtp.messages().filter(({ to }) => to === email),
    async close() {
      await server.close();
      await smtp.close();
    },
  };
}

/** The minified source of axe. The builder of axe sends a longer one several times for each check. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Expects no violations from axe once all finite animations have ended. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(page.frames(), 'axe looks at the page alone').toHaveLength(1);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    }
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run(document, { resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  });
  expect(violations).toEqual([]);
}

/** Expects no violations from axe in light and in dark. The theme follows the system. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // React sets the theme of notices.
    const dark = page.getByRole('banner').locator('button[aria-pressed]');
    await expect(dark).toHaveAttribute('aria-pressed', String(colorScheme === 'dark'));
    await expectAccessible(page);
  }
}

/** Expects that no part of the page is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overhanging = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const elements = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth,
    );
    return [
      document.documentElement.scrollWidth,
      ...elements.map((element) => `${element.localName} ${element.className}`),
    ];
  });
  expect(overhanging, 'what is wider than the window').toEqual([]);
}

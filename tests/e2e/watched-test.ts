import { forwardedFor, newIpAddress } from '@fabrica/test-peers/ip-addresses.ts';
import { type BrowserContext, test as base, expect } from '@playwright/test';

interface Watched {
  /** The hosts that pages may ask for something. */
  plannedHosts: readonly string[];
  /** Messages that pages wrote as errors. A test that expects some takes them out. */
  consoleErrors: string[];
}

/**
 * Fails a test when one of its pages, in whichever context, writes an error to the console, throws one, or asks a host
 * for something that is not planned. Each test comes from a network of its own, as different readers do.
 */
export const watchedTest = base.extend<Watched>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this
  extraHTTPHeaders: async ({}, use) => use(forwardedFor(newIpAddress())),
  plannedHosts: [['localhost', '127.0.0.1'], { option: true }],
  consoleErrors: [
    async ({ browser, plannedHosts }, use) => {
      const errors: string[] = [];
      const unplanned: string[] = [];
      const watch = (context: BrowserContext) => {
        context.on('console', (message) => {
          if (message.type() === 'error') errors.push(message.text());
        });
        context.on('weberror', (error) => errors.push(String(error.error())));
        context.on('request', (request) => {
          const { protocol, hostname } = new URL(request.url());
          if (/^(https?|wss?):$/.test(protocol) && !plannedHosts.includes(hostname)) {
            unplanned.push(request.url());
          }
        });
      };
      browser.on('context', watch);
      await use(errors);
      browser.off('context', watch);
      expect(errors, 'errors in the console').toEqual([]);
      expect(unplanned, 'requests to hosts that are not planned').toEqual([]);
    },
    { auto: true },
  ],
});

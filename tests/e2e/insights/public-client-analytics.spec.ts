import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Insights } from '@fabrica/contract';
import { signUp } from '@fabrica/test-peers/author.ts';
import { expect, test } from '../journal.ts';
import { writePost } from '../people.ts';

/** A client of the wire contract that is not part of this project. Its analytics work in browsers alone. */
const PUBLIC_CLIENT = fileURLToPath(
  new URL('../../../node_modules/@blinkdotnew/sdk/dist/index.mjs', import.meta.url),
);

// Bots are not counted, and headless Chromium has the user agent of one.
test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36' });

interface PublicClient {
  analytics: { log(type: string, data?: object): void };
}

test('page views and events of the public client are counted', async ({ page, journal }) => {
  const { url } = journal.server;
  const author = await signUp(journal.server);
  const postId = await writePost(journal.server, author);
  await page.route('**/public-client.mjs', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: readFileSync(PUBLIC_CLIENT) }),
  );
  await page.route(`**/post/${postId}?*`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><title>App</title><link rel="icon" href="data:,">
<script type="module">
import { createClient } from '/public-client.mjs';
const auth = { mode: 'headless', authUrl: '${url}', coreUrl: '${url}' };
const client = createClient({ projectId: 'journal', authRequired: false, auth });
// This client uses these URLs for its sockets alone; its calls go to those in its HTTP client.
Object.assign(client.analytics.httpClient, { authUrl: '${url}', coreUrl: '${url}' });
window.client = client;
</script>`,
    }),
  );
  const responses: { status: number; body: unknown; types: string[] }[] = [];
  page.on('response', async (response) => {
    const request = response.request();
    if (request.method() !== 'POST' || !request.url().endsWith('/api/analytics/journal/log')) return;
    const types = request.postDataJSON().events.map(({ type }: { type: string }) => type);
    responses.push({ status: response.status(), body: await response.json(), types });
  });
  await page.clock.install();
  await page.goto(`/post/${postId}?utm_source=club&utm_medium=social&utm_campaign=autumn`);
  await page.waitForFunction(() => 'client' in window);
  await page.evaluate(() => {
    history.pushState({}, '', '/elsewhere');
    const { client } = window as unknown as { client: PublicClient };
    client.analytics.log('read.completed', { pathname: '/elsewhere', depth: { of: ['x'.repeat(300)] } });
  });
  await page.clock.runFor(3_000);
  const success = { status: 200, body: { success: true } };
  await expect
    .poll(() => responses)
    .toEqual([{ ...success, types: ['pageview', 'pageview', 'read.completed'] }]);
  await page.evaluate(() => {
    const { client } = window as unknown as { client: PublicClient };
    for (let number = 0; number < 10; number++) client.analytics.log('artwork.enlarged', { number });
  });
  await expect
    .poll(() => responses.at(-1))
    .toEqual({
      ...success,
      types: Array.from({ length: 10 }, () => 'artwork.enlarged'),
    });

  const insights = await fetch(`${url}/api/analytics/journal/insights?scope=own`, {
    headers: { authorization: `Bearer ${author.token}` },
  });
  const counted = { views: 1, readers: 1, completedReads: 0 };
  const { pages, channels } = (await insights.json()) as Insights;
  expect(pages).toEqual([{ value: `/post/${postId}`, ...counted }]);
  expect(channels).toEqual([{ value: 'social', ...counted }]);
});

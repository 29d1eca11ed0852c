import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Author } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { markedTranslation } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { noisePng } from '../noise-png.ts';
import { rowsOf, signInOn } from '../people.ts';
import { file, type Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, pauseRequests } from '../traffic.ts';

const TITLE = 'The heart';
const CONTENT = 'The heart feeds itself first.';

let author: Author;
let visitor: Visitor;

async function openForm(server: RunningServer, page: Page): Promise<void> {
  ({ author, visitor } = await signInOn(page, server));
  await page.goto(`${server.url}/admin`);
  await visitor.hydrated();
  await visitor.fillPost(TITLE, CONTENT);
}

test.afterEach(({ journal }) => journal.provider.reset());

const cancelLink = () => visitor.page.getByRole('link', { name: visitor.m.publish.cancel, exact: true });

/** Returns the names of all stored files and of those that are being stored. */
async function storedFiles({ dataDir }: RunningServer): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function expectNothingPublished(server: RunningServer): Promise<void> {
  const { page, m } = visitor;
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(m.publish.cancelled.title)).toContainText(m.publish.cancelled.description);
  await expect(visitor.notice(m.publish.translating.title)).toHaveCount(0);
  expect(await rowsOf(server, `journal_posts?user_id=eq.${author.id}`)).toEqual([]);
  await page.goBack();
  await expect(page.getByLabel(m.publish.titleField.label)).toHaveValue(TITLE);
  await expect(page.getByAltText(m.publish.image.preview)).toBeVisible();
  await expect(visitor.publishButton).toBeEnabled();
}

test('Cancel during the upload aborts it and keeps the draft alone', async ({ page }) => {
  const server = await startServer({ DEMO: 'off', ...BEHIND_PROXY });
  try {
    await openForm(server, page);
    const image = noisePng(800, 600);
    await page.locator('input[type=file]').setInputFiles(file('noise.png', 'image/png', image));
    await expect(page.getByText(visitor.m.publish.image.checking)).toHaveCount(0);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const slowly = {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: image.length / 20,
    };
    await session.send('Network.emulateNetworkConditions', slowly);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/upload'));
    await visitor.publishButton.click();
    await expect(visitor.publishButton).toHaveText(/^Uploading\.\.\. [1-9]\d?%$/);
    await expect.poll(() => storedFiles(server), 'the upload has begun').not.toEqual([]);
    await cancelLink().click();
    // On the slow network, the end of the upload would be noticed late.
    await session.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
    await expectNothingPublished(server);
    await expect.poll(() => storedFiles(server)).toEqual([]);
  } finally {
    await page.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
  }
});

test('Cancel during the translation aborts it and removes the uploaded image, and a post that is being sent cannot be cancelled', async ({
  page,
  journal,
}) => {
  const { server, provider } = journal;
  await openForm(server, page);
  provider.behave({ kind: 'stall' });
  const uploaded = page.waitForResponse(CALLS.upload);
  await visitor.publishButton.click();
  const { publicUrl } = await (await uploaded).json();
  await expect.poll(() => provider.calls.length).toBeGreaterThan(0);
  await cancelLink().click();
  await expectNothingPublished(server);
  await expect.poll(async () => (await page.request.get(publicUrl)).status()).toBe(404);
  await expect.poll(() => provider.calls.every(({ aborted }) => aborted)).toBe(true);

  provider.reset();
  const saved = await pauseRequests(page, CALLS.posts, 'POST');
  await visitor.publishButton.click();
  await saved.paused;
  await expect(cancelLink()).toHaveCount(0);
  await expect(page.getByRole('button', { name: visitor.m.publish.cancel, exact: true })).toBeDisabled();
  saved.release();
  await expect(visitor.notice('Success!')).toBeVisible();
  const [post, ...others] = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(others).toEqual([]);
  expect(post).toMatchObject({
    title_de: markedTranslation(TITLE, 'de'),
    image_width: 64,
    image_height: 80,
    image_placeholder: expect.stringMatching(/^[A-Za-z0-9+/]{20,}=*$/),
  });
  expect((await page.request.get(String(post?.image_url))).status()).toBe(200);
});

test('an exceeded storage quota is explained, and the draft stays', async ({ page, consoleErrors }) => {
  const server = await startServer({ DEMO: 'off', ...BEHIND_PROXY, STORAGE_QUOTA: '1024' });
  try {
    ({ author, visitor } = await signInOn(page, server));
    const { publish: words } = visitor.m;
    await page.goto(`${server.url}/admin`);
    await visitor.hydrated();
    await page.locator('input[type=file]').setInputFiles(file('n.png', 'image/png', noisePng(40, 40)));
    await page.getByLabel(words.titleField.label).fill(TITLE);
    await page.getByLabel(words.contentField.label).fill(CONTENT);
    await expect(page.getByAltText(words.image.preview)).toBeVisible();
    await visitor.publishButton.click();
    await expect(visitor.notice(words.failure.quotaExceeded)).toBeVisible();
    await expect(page.getByLabel(words.titleField.label)).toHaveValue(TITLE);
    expectConsoleErrors(consoleErrors, /status of 413/);
  } finally {
    await page.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
  }
});

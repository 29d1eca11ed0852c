import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Author, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { rowsOf, signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { pauseRequests } from '../traffic.ts';

const IMAGES = /\/storage\/journal\/posts\/[^?]+\?v=[0-9a-f]+&w=\d+$/;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

/** A journal with its demo content: eight artworks that were uploaded as any author's are. */
let demo: RunningServer;
let author: Author;

test.beforeAll(async () => {
  demo = await startServer({ ...BEHIND_PROXY });
  author = await signUp(demo);
});
test.afterAll(async () => {
  await demo.close();
  expect(limitedRequests(demo)).toEqual([]);
});

const artworks = (page: Page) => page.locator('main a[href^="/post/"] img');

/** Returns the width in the URL that the browser has chosen. */
const chosenWidth = (page: Page, order = 0) =>
  artworks(page)
    .nth(order)
    .evaluate((image: HTMLImageElement) => Number(new URL(image.currentSrc).searchParams.get('w')));

const isLoaded = (page: Page, order = 0) =>
  artworks(page)
    .nth(order)
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

/** The layout shift that fonts which arrive late may cause. An image whose room is not kept moves the page by 0.1 and more. */
const FONT_SHIFT = 0.01;

/** Measures the layout shift from the first paint on. Call it before the page is opened. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const watched = window as unknown as { shift: number };
    watched.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) watched.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shift: number }).shift);
}

async function openOn(
  context: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
  browser: {
    newContext(options: BrowserContextOptions): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
  },
): Promise<void> {
  const opened = await browser.newContext({ baseURL: demo.url, ...context });
  try {
    await act(await opened.newPage());
  } finally {
    await opened.close();
  }
}

for (const [device, options, width] of [
  ['a phone', PHONE, 480],
  ['a wide window of double density', { ...DESKTOP, deviceScaleFactor: 2 }, 800],
] as const) {
  test(`an artwork on ${device} is loaded as AVIF in its displayed width`, async ({ browser }) => {
    await openOn(
      options,
      async (page) => {
        const responded = page.waitForResponse(IMAGES);
        await page.goto('/gallery');
        expect((await responded).headers()['content-type']).toBe('image/avif');
        await expect.poll(() => isLoaded(page)).toBe(true);
        expect(await chosenWidth(page)).toBe(width);
        // With correct `sizes`, the browser chooses the next width above the one that the screen needs.
        const needed = await artworks(page)
          .first()
          .evaluate((image) => image.getBoundingClientRect().width * window.devicePixelRatio);
        expect(needed).toBeLessThanOrEqual(width);
        expect(needed).toBeGreaterThan(width / 1.5);
      },
      browser,
    );
  });
}

/** Returns the parts of each `sizes` on the page that the browser does not understand. */
function findInvalidSizes(): string[] {
  const partsOf = (list: string) => {
    const parts = [''];
    let depth = 0;
    for (const character of list) {
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (character === ',' && depth === 0) parts.push('');
      else parts[parts.length - 1] += character;
    }
    return parts.map((part) => part.trim());
  };
  const isValid = (part: string) => {
    const [, media, length] = /^(\(min-width: [\d.]+rem\) )?(.*)$/.exec(part) ?? [];
    return (!media || matchMedia(media).media !== 'not all') && CSS.supports('width', length ?? '');
  };
  const lists = [
    ...Array.from(document.querySelectorAll('img[sizes]'), (image) => image.getAttribute('sizes')),
    ...Array.from(document.querySelectorAll('link[imagesizes]'), (link) => link.getAttribute('imagesizes')),
  ];
  if (lists.length === 0) throw new Error('No image has sizes.');
  return lists.flatMap((list) => partsOf(list ?? '')).filter((part) => !isValid(part));
}

test('windows of two and three columns load no wider artworks than they show', async ({ browser }) => {
  for (const width of [800, 1024, 1279]) {
    await openOn(
      { viewport: { width, height: 800 } },
      async (page) => {
        await page.goto('/gallery');
        await expect.poll(() => isLoaded(page)).toBe(true);
        expect(await page.evaluate(findInvalidSizes), `sizes at ${width} px`).toEqual([]);
        const shown = await artworks(page).first().boundingBox();
        expect(await chosenWidth(page), `at ${width} px`).toBeLessThanOrEqual(1.5 * (shown?.width ?? 0));
      },
      browser,
    );
  }
});

test('the first artwork is loaded before all else, and the others lazily', async ({ page }) => {
  await page.goto(`${demo.url}/gallery`);
  const hints = await artworks(page).evaluateAll((images: HTMLImageElement[]) =>
    images.map(({ loading, fetchPriority }) => `${loading} ${fetchPriority}`),
  );
  expect(hints[0]).toBe('eager high');
  expect(new Set(hints.slice(1))).toEqual(new Set(['lazy auto']));
});

test('artworks are blurred until they are loaded, without a layout shift', async ({ page }) => {
  const shift = await watchShifts(page);
  const images = await pauseRequests(page, IMAGES);
  await page.goto(`${demo.url}/gallery`, { waitUntil: 'domcontentloaded' });
  await images.paused;
  const before = await artworks(page).evaluateAll((images) =>
    images.map((image) => {
      const { width, height } = image.getBoundingClientRect();
      return { blur: getComputedStyle(image).backgroundImage, ratio: width / height };
    }),
  );
  expect(before).toHaveLength(8);
  for (const { blur, ratio } of before) {
    expect(blur).toMatch(/^url\("data:image\/bmp;base64,/);
    expect(ratio).toBeCloseTo(4 / 5, 2);
  }
  expect(new Set(before.map(({ blur }) => blur)).size, 'each artwork has its own').toBe(8);
  expect(await isLoaded(page)).toBe(false);
  images.release();
  for (const order of [0, 1, 2]) await expect.poll(() => isLoaded(page, order)).toBe(true);
  await page.mouse.wheel(0, 3_000);
  await expect.poll(() => isLoaded(page, 7)).toBe(true);
  expect(await shift()).toBeLessThan(FONT_SHIFT);
});

test('the artwork of a post is whole in its frame, is loaded in its displayed width, and links to a variant', async ({
  page,
}) => {
  const shift = await watchShifts(page);
  const [post] = await rowsOf(demo, 'journal_posts?order=created_at.desc&limit=1');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${demo.url}/post/${post?.id}`);
  const hero = page.locator('figure img');
  await expect
    .poll(() => hero.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  const { needed, chosen, ratio } = await hero.evaluate((image: HTMLImageElement) => {
    const { width, height } = image.getBoundingClientRect();
    return { needed: width, chosen: new URL(image.currentSrc).searchParams.get('w'), ratio: width / height };
  });
  expect(ratio).toBeCloseTo(16 / 10, 2);
  await expect(hero).toHaveCSS('object-fit', 'contain');
  // A portrait of 4:5 takes half of a frame of 16:10.
  expect(needed / 2).toBeLessThanOrEqual(Number(chosen));
  expect(Number(chosen)).toBe(480);
  expect(await page.evaluate(findInvalidSizes)).toEqual([]);
  await expect(hero).toHaveAttribute('fetchpriority', 'high');
  await expect(page.locator('figure > a')).toHaveAttribute('href', `${post?.image_url}&w=2560`);
  expect(await shift()).toBeLessThan(FONT_SHIFT);
});

test('a wide image is loaded in the width of its uncropped frame, and a foreign one as it is', async ({
  page,
}) => {
  const [artwork] = await rowsOf(demo, 'journal_posts?order=created_at.desc&limit=1');
  const wide = await writePost(demo, author, {
    image_url: artwork?.image_url,
    image_width: 1280,
    image_height: 512,
  });
  const foreign = await writePost(demo, author);
  try {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${demo.url}/gallery`);
    const image = (id: string) => page.locator(`main a[href="/post/${id}"] img`);
    await expect(image(wide)).toHaveAttribute('sizes', /^\(min-width: 80rem\) calc\(3\.13 \* \(23rem\)\), /);
    await expect(image(foreign)).toHaveAttribute('src', '/favicon.svg');
    await expect(image(foreign)).not.toHaveAttribute('srcset');
    await expect(image(foreign)).not.toHaveAttribute('style');
    const box = await image(foreign).boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 2);
  } finally {
    await serviceRest(demo)('DELETE', `journal_posts?user_id=eq.${author.id}`);
  }
});

test('a published image has its size and its blur, even among artworks that are loaded later', async ({
  page,
}) => {
  const [artwork] = await rowsOf(demo, 'journal_posts?order=created_at.asc&limit=1');
  expect(artwork).toMatchObject({ image_width: 1280, image_height: 1600 });
  const older = { image_url: '/favicon.svg', published: 1 };
  for (let count = 0; count < 20; count += 1) await writePost(demo, author, older);
  try {
    const visitor = new Visitor(page);
    await page.goto(`${demo.url}/gallery`);
    await visitor.hydrated();
    await page.getByRole('link', { name: visitor.m.gallery.loadMore }).click();
    await expect(artworks(page)).toHaveCount(28);
    await expect(artworks(page).last()).toHaveCSS('background-image', /^url\("data:image\/bmp;base64,/);
    await expect(artworks(page).last()).toHaveAttribute('srcset', /&w=480 480w/);
  } finally {
    await serviceRest(demo)('DELETE', `journal_posts?user_id=eq.${author.id}`);
  }
});

/** Starts a server that forwards requests to the files of a journal as a CDN does. */
async function startCdn(): Promise<{ url: string; inFrontOf(server: RunningServer): void; close(): void }> {
  let origin = '';
  const cdn = createServer(async ({ url = '/', headers }, response) => {
    const file = await fetch(`${origin}${url}`, { headers: { accept: headers.accept ?? '*/*' } });
    response.writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? '' });
    response.end(new Uint8Array(await file.arrayBuffer()));
  });
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve));
  const { port } = cdn.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    inFrontOf(server) {
      origin = server.url;
    },
    close: () => cdn.close(),
  };
}

test('files are loaded from STORAGE_PUBLIC_URL, and posts store their path alone', async ({ page }) => {
  const cdn = await startCdn();
  const server = await startServer({ DEMO: 'off', ...BEHIND_PROXY, STORAGE_PUBLIC_URL: cdn.url });
  cdn.inFrontOf(server);
  try {
    const { visitor } = await signInOn(page, server);
    await page.goto(`${server.url}/admin`);
    await visitor.hydrated();
    await visitor.fillPost('The heart', 'It feeds itself first.');
    await visitor.publishButton.click();
    await expect(page).toHaveURL(/\/gallery$/);
    const [post] = await rowsOf(server, 'journal_posts');
    expect(post?.image_url).toMatch(/^\/storage\/journal\/posts\//);
    await page.reload();
    await expect.poll(() => isLoaded(page)).toBe(true);
    const source = await artworks(page)
      .first()
      .evaluate((image: HTMLImageElement) => image.currentSrc);
    expect(source.startsWith(`${cdn.url}/storage/journal/posts/`)).toBe(true);
    // No model is configured here.
  } finally {
    await page.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
    cdn.close();
  }
});

import { openAsBlob, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { UploadResponse } from '@fabrica/contract';
import { type Author, buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { findChromium } from '../scripts/find-programs.mjs';
import { atMost, type Figures, rate } from './figures.ts';
import { compareWithBare } from './load.ts';

const MEBIBYTE = 1024 * 1024;
const UPLOADS_AT_ONCE = 20;
const ARTWORKS = 24;
const LONGEST_WAIT_MS = 10 * 60_000;
/** The variants that are made after an upload: five widths, each as AVIF and as WebP. */
const PREPARED = 5 * 2;
const ARTWORKS_FOLDER = fileURLToPath(new URL('../apps/journal/project/demo/images', import.meta.url));
const SETTINGS = { DEMO: 'off', RATE_LIMIT: 'off', STORAGE_QUOTA: '0' };

/** Measures the largest uploads, their variants, and the first view of the gallery. */
export async function benchStorage(figures: Figures): Promise<void> {
  for (const part of [benchLargeImage, benchUploadsAtOnce, benchVariant, benchGallery]) {
    const server = await startServer(SETTINGS);
    try {
      await part(server, figures);
    } finally {
      await server.close();
    }
  }
}

async function benchLargeImage(server: RunningServer, figures: Figures): Promise<void> {
  const author = await signUp(server);
  const { file, megabytes } = await writeLargeJpeg(server.dataDir);
  // The image process does not outlive its work, so its peak is sampled.
  let imagePeak = 0;
  const watch = setInterval(() => {
    for (const child of childrenOf(server)) imagePeak = Math.max(imagePeak, peakMemory(child));
  }, 50);
  try {
    const started = performance.now();
    await upload(server, author, { file, path: 'bench/large.jpg' });
    const took = (performance.now() - started) / 1_000;
    const sent = ` (${megabytes.toFixed(0)} MB)`;
    figures.note('upload of a 100-megapixel JPEG, answered', took, atMost(3, 's'), sent);
    const prepared = await timeVariants(server, PREPARED, started);
    figures.note('its cleaned version and ten variants', prepared, atMost(60, 's'));
    figures.note(
      'memory of the server meanwhile, at its peak',
      peakMemory(server.process.pid),
      atMost(700, 'MB'),
    );
    figures.note('memory of the image process meanwhile, at its peak', imagePeak, atMost(700, 'MB'));
  } finally {
    clearInterval(watch);
    await rm(file);
  }
}

async function benchUploadsAtOnce(server: RunningServer, figures: Figures): Promise<void> {
  const author = await signUp(server);
  const file = join(server.dataDir, 'upload.bin');
  writeFileSync(file, Buffer.alloc(50 * MEBIBYTE, 'fabrica'));
  const started = performance.now();
  await Promise.all(
    Array.from({ length: UPLOADS_AT_ONCE }, (_, index) =>
      upload(server, author, { file, path: `bench/${index}.bin` }),
    ),
  );
  const seconds = ` (in ${((performance.now() - started) / 1_000).toFixed(1)} s)`;
  const memory = peakMemory(server.process.pid);
  figures.note(
    `memory during ${UPLOADS_AT_ONCE} uploads of 50 MB at once`,
    memory,
    atMost(350, 'MB'),
    seconds,
  );
}

async function benchVariant(server: RunningServer, figures: Figures): Promise<void> {
  const author = await signUp(server);
  const [artwork = ''] = artworkFiles();
  const { publicUrl } = await upload(server, author, { file: artwork, path: 'bench/artwork.webp' });
  const { pathname, search, port } = new URL(publicUrl, server.url);
  const url = `http://127.0.0.1:${port}${pathname}${search}&w=640`;
  const headers = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' };
  await settled(server);
  // The first two responses come from the storage, the others from memory.
  for (let time = 0; time < 2; time += 1) await (await fetch(url, { headers })).arrayBuffer();
  const variant = await compareWithBare(url, { headers });
  figures.note(
    'a cached variant of 640 px',
    variant.ratio,
    { value: 0.6, better: 'atLeast', unit: '' },
    rate(variant),
  );
}

async function benchGallery(server: RunningServer, figures: Figures): Promise<void> {
  const author = await signUp(server);
  const files = artworkFiles();
  for (let index = 0; index < ARTWORKS; index += 1) {
    const path = `posts/${index}.webp`;
    const image = await upload(server, author, { file: files[index % files.length] ?? '', path });
    const { pathname, search } = new URL(image.publicUrl);
    const post = buildPost(author, {
      image_url: `${pathname}${search}`,
      image_width: image.width,
      image_height: image.height,
      image_placeholder: image.placeholder,
    });
    const response = await author.rest('POST', 'journal_posts', post);
    if (!response.ok) throw new Error(`A post returned ${response.status}: ${await response.text()}`);
  }
  await settled(server);
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    for (const { width, height, kilobytes } of [
      { width: 390, height: 844, kilobytes: 900 },
      { width: 1280, height: 900, kilobytes: 2_000 },
    ]) {
      const page = await browser.newPage({ viewport: { width, height } });
      const { first, whole } = await visit(page, `${server.url}/gallery`);
      const what = `first view of the gallery with ${ARTWORKS} artworks at ${width} px`;
      figures.note(what, first.bytes / 1_000, atMost(kilobytes, 'kB'), ` (${first.images} images)`);
      figures.inform(
        `the same, scrolled to its end, at ${width} px`,
        `${(whole.bytes / 1_000).toFixed(0)} kB (${whole.images} images)`,
      );
      figures.note(`layout shift of that visit at ${width} px`, whole.shift, atMost(0, ''));
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

interface View {
  /** Transferred bytes, headers included. */
  bytes: number;
  images: number;
  /** Chromium's score of layout shifts. */
  shift: number;
}

/** Returns the figures of a first visit until the network is idle, and after scrolling to the end. */
async function visit(page: Page, url: string): Promise<{ first: View; whole: View }> {
  const sizes: Promise<number>[] = [];
  let images = 0;
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'image') images += 1;
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const view = async (): Promise<View> => {
    await page.waitForLoadState('networkidle');
    await wait(1_000);
    const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    return { bytes, images, shift };
  };
  await page.goto(url);
  const first = await view();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 400) {
    await page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);
    await wait(50);
  }
  return { first, whole: await view() };
}

async function upload(
  server: RunningServer,
  author: Author,
  { file, path }: { file: string; path: string },
): Promise<UploadResponse> {
  const form = new FormData();
  form.append('path', path);
  form.append('file', await openAsBlob(file), path);
  const response = await fetch(`${server.url}/api/storage/journal/upload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${author.token}` },
  });
  if (!response.ok) throw new Error(`An upload returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as UploadResponse;
}

/** Writes a JPEG of a hundred megapixels of noise with EXIF data, as close below 50 MB as the quality allows. */
async function writeLargeJpeg(folder: string): Promise<{ file: string; megabytes: number }> {
  const noise = (width: number, height: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
      },
    });
  const sample = await noise(1_250, 800).png().toBuffer();
  let quality = 95;
  while ((await sharp(sample).jpeg({ quality }).toBuffer()).byteLength * 100 > 48 * MEBIBYTE) quality -= 1;
  const image = noise(12_500, 8_000).withExif({ IFD0: { Make: 'Fabrica', Copyright: 'Nobody' } });
  const file = join(folder, 'upload.jpg');
  const { size } = await image.jpeg({ quality }).toFile(file);
  return { file, megabytes: size / 1_000_000 };
}

/** Waits for this many variants and for the cleaned images, and returns the seconds since `started`. */
async function timeVariants(server: RunningServer, variants: number, started: number): Promise<number> {
  const database = new DatabaseSync(join(server.dataDir, 'journal.sqlite'), { readOnly: true });
  const made = database.prepare('SELECT count(*) AS count FROM variants');
  try {
    while (Number(made.get()?.count) < variants) {
      if (performance.now() - started > LONGEST_WAIT_MS)
        throw new Error('The variants are not finished in time.');
      await wait(50);
    }
    return (performance.now() - started) / 1_000;
  } finally {
    database.close();
  }
}

/** Waits until no variants are made any more: the image process ends when it is idle. */
async function settled(server: RunningServer): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (childrenOf(server).length > 0) {
    if (performance.now() > end) throw new Error('The image process does not end.');
    await wait(200);
  }
}

function artworkFiles(): string[] {
  return readdirSync(ARTWORKS_FOLDER).map((name) => join(ARTWORKS_FOLDER, name));
}

function childrenOf({ process: { pid } }: RunningServer): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Returns the peak of the resident megabytes of a process, or 0 when it has ended. */
function peakMemory(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}

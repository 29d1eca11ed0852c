import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { chromium as findChromium } from '../scripts/chromium.mjs';
import { freePort, type RunningServer } from '../tests/start-server.ts';
import { median } from './load.ts';

/** Megabytes of the server's process once it has rendered each page and then rested. */
export async function memoryAtRest(server: RunningServer): Promise<number> {
  for (const path of ['/gallery', '/about-me', '/contact', '/gallery?lang=de']) {
    await (await fetch(`${server.url}${path}`)).arrayBuffer();
  }
  await wait(10_000);
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
}

/** Bytes that a first visit to the gallery transfers, by kind, once the network is quiet. */
export async function galleryTransfer(server: RunningServer): Promise<{ scripts: number; fonts: number }> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const bytes = { scripts: 0, fonts: 0 };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes();
      if (request.resourceType() === 'script') bytes.scripts += responseBodySize;
      if (request.resourceType() === 'font') bytes.fonts += responseBodySize;
    });
    await page.goto(`${server.url}/gallery`, { waitUntil: 'networkidle' });
    await wait(1_000);
  } finally {
    await browser.close();
  }
  return bytes;
}

/** Seconds from `npm start` to the first answer when everything is installed, built and filled: the median of five. */
export async function secondStart(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  const times: number[] = [];
  try {
    for (let round = 0; round < 6; round += 1) times.push(await timeStart(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return median(times.slice(1));
}

async function timeStart(dataDir: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (!(await answers(`http://127.0.0.1:${port}/gallery`))) await wait(10);
  const seconds = (performance.now() - started) / 1_000;
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended;
  return seconds;
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, type RunningServer } from '@fabrica/test-peers/start-server.ts';
import { chromium } from 'playwright-core';
import { findChromium } from '../scripts/find-programs.mjs';
import { median } from './load.ts';

/** Returns the megabytes of the server's process ten seconds after it has rendered its pages. */
export async function memoryAtRest(server: RunningServer): Promise<number> {
  for (const path of ['/gallery', '/about-me', '/contact', '/gallery?lang=de']) {
    await (await fetch(`${server.url}${path}`)).arrayBuffer();
  }
  await wait(10_000);
  return residentMemory(server.process.pid);
}

/** Returns the resident megabytes of a process. */
export function residentMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000;
}

/** Returns the seconds of processor time of a process so far, system time included. */
export function cpuSeconds(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the name are the state and ten others, then user and system time in ticks of 10 ms.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the 99th percentile in milliseconds of successive calls to `/healthz` while `act` runs. */
export async function healthDuring(server: RunningServer, act: () => Promise<void>): Promise<number> {
  let ended = false;
  const acting = act().finally(() => {
    ended = true;
  });
  const times: number[] = [];
  while (!ended) {
    const started = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    times.push(performance.now() - started);
    await wait(5);
  }
  await acting;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Returns the bytes that a first visit to the gallery transfers until the network is idle, by kind. */
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

/** Returns the median of five of the seconds from `npm start` to the first response, with everything installed and built. */
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
  while (!(await responds(`http://127.0.0.1:${port}/gallery`))) await wait(10);
  const seconds = (performance.now() - started) / 1_000;
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await ended;
  return seconds;
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

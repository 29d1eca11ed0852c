import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_SECONDS = 3;

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const VARY = fileURLToPath(new URL('vary.lua', import.meta.url));
export const CREATE = fileURLToPath(new URL('create.lua', import.meta.url));

/** The load generator, for the report: wrk if it is installed, since it leaves a core to the server. */
export const generator = hasWrk ? 'wrk' : 'autocannon';
export const canVary = hasWrk;

export interface Comparison {
  /** Responses a second, the median of the rounds. */
  ours: number;
  bare: number;
  ratio: number;
  /** Tells how far the rounds were from the ratio, as a share of it: the median of their distances. */
  noise: number;
}

export interface LoadOptions {
  headers?: Record<string, string>;
  varied?: Varied;
}

/** Makes each request ask for another post. Needs wrk. */
export interface Varied {
  /** A path and query with `@ID` or `@TIME`. */
  template: string;
  /** The number of posts. */
  posts: number;
}

/** Loads a URL and a bare server of the same bytes in alternating rounds, so that both have the same noise. */
export async function compareWithBare(
  url: string,
  { headers = {}, varied }: LoadOptions = {},
): Promise<Comparison> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  // The built-in fetch decodes the body, so another request reads the encoded bytes.
  const body = await rawBody(url, headers);
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-bench-'));
  const file = join(folder, 'body');
  writeFileSync(file, body);
  const yardstick = await startYardstick(
    file,
    response.headers.get('content-type') ?? '',
    headers['accept-encoding'],
  );
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    await load(url, { headers, varied }, 2);
    await load(yardstick.url, { headers }, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await load(yardstick.url, { headers }, ROUND_SECONDS));
      ours.push(await load(url, { headers, varied }, ROUND_SECONDS));
    }
    const ratios = ours.map((value, round) => value / (bare[round] ?? Number.NaN));
    return { ours: median(ours), bare: median(bare), ratio: median(ratios), noise: spreadOf(ratios) };
  } finally {
    yardstick.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the median of the milliseconds of successive requests. */
export async function latency(urls: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const url of urls) {
    const started = performance.now();
    await (await fetch(url)).arrayBuffer();
    times.push(performance.now() - started);
  }
  return median(times.slice(urls.length / 4));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Returns how far rounds are from their median, as a share of it: the median of their distances, which no wild round moves. */
export function spreadOf(rounds: readonly number[]): number {
  const middle = median(rounds);
  return middle === 0 ? 0 : median(rounds.map((round) => Math.abs(round - middle))) / Math.abs(middle);
}

async function load(
  url: string,
  { headers = {}, varied }: { headers?: Record<string, string>; varied?: Varied | undefined },
  seconds: number,
): Promise<number> {
  if (!hasWrk) {
    const result = await autocannon({ url: url, connections: CONNECTIONS, duration: seconds, headers });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${url}: ${result.non2xx + result.errors} failures`);
    return result.requests.average;
  }
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  if (varied) flags.push('-s', VARY);
  const args = [`-c${CONNECTIONS}`, `-d${seconds}s`, ...flags, url];
  const environment = varied ? { VARY_TEMPLATE: varied.template, VARY_POSTS: String(varied.posts) } : {};
  const output = await runWrk(args, environment);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

export interface VariedLoad {
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  varied?: Varied;
  /** Whether each response is to say that there is no such page. */
  isMissing?: boolean;
  /** A script in place of the one that varies URLs, and the variables that it reads. */
  script?: string;
  environment?: Record<string, string>;
}

/** Loads a server with requests that differ, and returns how many it served and their 99th percentile in milliseconds. */
export async function runVaried(
  url: string,
  {
    connections,
    seconds,
    headers = {},
    varied,
    isMissing = false,
    script = VARY,
    environment = {},
  }: VariedLoad,
): Promise<{ count: number; seconds: number; p99: number }> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const output = await (isMissing ? outputOfWrk : runWrk)(
    [`-c${connections}`, `-d${seconds}s`, '--latency', ...flags, '-s', script, url],
    varied
      ? { ...environment, VARY_TEMPLATE: varied.template, VARY_POSTS: String(varied.posts) }
      : environment,
  );
  const count = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (isMissing && Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1]) !== count) {
    throw new Error(`${url} has pages that should be missing:\n${output}`);
  }
  return { count, seconds, p99: milliseconds(/99%\s+(\S+)/.exec(output)?.[1] ?? '') };
}

/** Parses a time of wrk, such as `950.00us`, `12.30ms` or `1.02s`. */
export function milliseconds(text: string): number {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * (unit === 'us' ? 0.001 : unit === 's' ? 1_000 : 1);
}

/** Runs wrk and returns its output. Throws when a request failed. */
export async function runWrk(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const output = await outputOfWrk(args, environment);
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`${args.at(-1)} failed under load:\n${output}`);
  return output;
}

/** Runs wrk with one thread. */
function outputOfWrk(args: readonly string[], environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', ['-t1', '--timeout', '10s', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('exit', () => resolve(output));
  });
}

async function rawBody(url: string, headers: Record<string, string>): Promise<Buffer> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks));
    }).once('error', reject);
  });
}

async function startYardstick(
  file: string,
  contentType: string,
  encoding = '',
): Promise<{ url: string; stop(): void }> {
  const script = fileURLToPath(new URL('yardstick.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file, contentType, encoding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

/** Returns the value that this part of the values does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

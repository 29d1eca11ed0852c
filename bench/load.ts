import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_SECONDS = 3;

export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const VARY = fileURLToPath(new URL('vary.lua', import.meta.url));

/** What makes the load, for the report: wrk where it is installed, for it leaves a core to the server. */
export const generator = hasWrk ? 'wrk' : 'autocannon';
export const canVary = hasWrk;

export interface Comparison {
  /** Answers a second, the median of the rounds. */
  ours: number;
  bare: number;
  ratio: number;
}

export interface LoadOptions {
  headers?: Record<string, string>;
  varied?: Varied;
}

/** Each request asks for another post. Needs wrk. */
export interface Varied {
  /** Path and query with `@ID` or `@TIME` in it. */
  template: string;
  /** How many there are. */
  posts: number;
}

/** Loads our address and a bare server of the same bytes in turns, so that both see the same noise. */
export async function compareWithBare(
  address: string,
  { headers = {}, varied }: LoadOptions = {},
): Promise<Comparison> {
  const answer = await fetch(address, { headers: { 'accept-encoding': 'identity', ...headers } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  // Undici undoes the coding: ask again without that, for the bytes as they are sent.
  const body = await rawBody(address, headers);
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-bench-'));
  const file = join(folder, 'body');
  writeFileSync(file, body);
  const yardstick = await startYardstick(
    file,
    answer.headers.get('content-type') ?? '',
    headers['accept-encoding'],
  );
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    await load(address, { headers, varied }, 2);
    await load(yardstick.url, { headers }, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await load(yardstick.url, { headers }, ROUND_SECONDS));
      ours.push(await load(address, { headers, varied }, ROUND_SECONDS));
    }
    const ratios = ours.map((value, round) => value / (bare[round] ?? Number.NaN));
    return { ours: median(ours), bare: median(bare), ratio: median(ratios) };
  } finally {
    yardstick.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds an answer takes when one address is asked for after the other: the median. */
export async function latency(addresses: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const address of addresses) {
    const started = performance.now();
    await (await fetch(address)).arrayBuffer();
    times.push(performance.now() - started);
  }
  return median(times.slice(addresses.length / 4));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function load(
  address: string,
  { headers = {}, varied }: { headers?: Record<string, string>; varied?: Varied | undefined },
  seconds: number,
): Promise<number> {
  if (!hasWrk) {
    const result = await autocannon({ url: address, connections: CONNECTIONS, duration: seconds, headers });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${address}: ${result.non2xx + result.errors} failures`);
    return result.requests.average;
  }
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  if (varied) flags.push('-s', VARY);
  const args = [`-c${CONNECTIONS}`, `-d${seconds}s`, ...flags, address];
  const environment = varied ? { VARY_TEMPLATE: varied.template, VARY_POSTS: String(varied.posts) } : {};
  const output = await runWrk(args, environment);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** What wrk prints of a load by one thread; throws when anything in it failed. */
export async function runWrk(args: readonly string[], environment: Record<string, string>): Promise<string> {
  const output = await printed(['-t1', '--timeout', '10s', ...args], environment);
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`${args.at(-1)} failed under load:\n${output}`);
  return output;
}

function printed(args: readonly string[], environment: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, {
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

async function rawBody(address: string, headers: Record<string, string>): Promise<Buffer> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(address, { headers }, async (response) => {
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

import { Agent } from 'node:http';
import { PASSWORD } from '@fabrica/test-peers/author.ts';
import { forwardedFor, newIpAddress } from '@fabrica/test-peers/ip-addresses.ts';
import type { AttackClass, Attempt } from '../attack.ts';
import { exchange, type Received } from '../exchange.ts';
import type { Target } from '../target.ts';

/** Connections that guess at a time, each from ever new networks. */
const CONNECTIONS = 150;
/** A sign-in of the owner may take so many times as long beside them. */
const MAX_RATIO = 3;
/** Quiet sign-ins and those beside guesses take turns, so that other work of the machine slows both. */
const TURNS = 5;
const EACH_TURN = 5;

interface Client {
  ipAddress: string;
  /** The cookie of a browser in which the account was used before. */
  cookie?: string | undefined;
}

/** Measures how long owners wait for their sign-in while strangers guess, at a server that has its usual limits. */
export function guessing(target: Target): AttackClass {
  const measured: string[] = [];
  const owners: [who: string, client: () => Promise<Client>][] = [
    ['a known network', async () => ({ ipAddress: await knownNetwork(target) })],
    ['a known browser elsewhere', () => knownBrowser(target)],
  ];
  const attempts = owners.flatMap(([who, client]) =>
    [target.victim.email, undefined].map((email): Attempt => {
      const what = `a sign-in from ${who} beside guesses at ${email ? 'this account' : 'accounts that do not exist'}`;
      const run = async () => {
        const { quiet, beside } = await measureTurns(target, await client(), email);
        const ratio = median(beside) / median(quiet);
        measured.push(`${what}: ${ratio.toFixed(1)} × (${describe(quiet)} → ${describe(beside)})`);
        return ratio > MAX_RATIO ? `takes ${ratio.toFixed(1)} × as long` : undefined;
      };
      return { what, run };
    }),
  );
  return { name: 'guessing', attempts, longestMs: 300_000, measured };
}

/** Returns milliseconds of the owner's sign-ins, quiet and beside guesses at an account; without one, at ever other ones. */
async function measureTurns(target: Target, client: Client, email: string | undefined) {
  const quiet: number[] = [];
  const beside: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    quiet.push(...(await signInTimes(target, client)));
    const end = await startGuesses(target, email);
    beside.push(...(await signInTimes(target, client)));
    await end();
  }
  return { quiet, beside };
}

async function signInTimes(target: Target, client: Client): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < EACH_TURN; index += 1) {
    const { status, text, ms } = await signIn(target, client);
    if (status !== 200) throw new Error(`the owner's sign-in is ${status} ${text}`);
    times.push(ms);
  }
  return times;
}

/** Guesses over all connections until the function that it returns is called. Resolves when the first guess was refused. */
async function startGuesses(target: Target, email: string | undefined): Promise<() => Promise<void>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let isOver = false;
  let refused = () => {};
  const firstRefusal = new Promise<void>((resolve) => {
    refused = resolve;
  });
  const guess = async () => {
    while (!isOver) {
      guesses += 1;
      const network = `10.${(guesses >> 8) & 255}.${guesses & 255}.1`;
      const { status } = await send(
        target,
        { ipAddress: network },
        email ?? `nobody-${guesses}@example.org`,
        {
          password: 'not the password',
          agent,
        },
      );
      if (status === 429) refused();
    }
  };
  const all = Promise.all(Array.from({ length: CONNECTIONS }, guess));
  await Promise.race([firstRefusal, all]);
  return async () => {
    isOver = true;
    await all;
    agent.destroy();
  };
}

let guesses = 0;

function signIn(target: Target, client: Client): Promise<Received> {
  return send(target, client, target.victim.email, { password: PASSWORD });
}

function send(
  { url }: Target,
  { ipAddress, cookie }: Client,
  email: string,
  { password, agent }: { password: string; agent?: Agent },
): Promise<Received> {
  return exchange(url, {
    method: 'POST',
    path: '/api/auth/signin/email',
    headers: { ...forwardedFor(ipAddress), ...(cookie && { cookie }) },
    body: { projectId: 'journal', email, password },
    ...(agent && { agent }),
  });
}

/** Signs in from a network, and returns the address. */
async function knownNetwork(target: Target): Promise<string> {
  const ipAddress = newIpAddress();
  await signIn(target, { ipAddress });
  return ipAddress;
}

/** Signs in, and returns the browser in a network that it was not in before. */
async function knownBrowser(target: Target): Promise<Client> {
  const { headers } = await signIn(target, { ipAddress: newIpAddress() });
  const [cookie] = [headers['set-cookie'] ?? []].flat();
  return { ipAddress: newIpAddress(), cookie: cookie?.split(';')[0] };
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function describe(times: readonly number[]): string {
  return `${Math.round(median(times))} ms, at most ${Math.round(Math.max(...times))}`;
}

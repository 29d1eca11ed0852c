import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { createBackend, parseConfig } from '@fabrica/backend';
import { type Author, PASSWORD, signIn, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { pino } from 'pino';
import { defineJournal } from '../apps/journal/project/project.ts';
import { pages } from '../apps/journal/project/settings.ts';
import { atMost, type Figures } from './figures.ts';
import { median } from './load.ts';

const SIGN_INS_AT_ONCE = 50;
const SIGN_IN_SECONDS = 10;
const REPLAYS = 50;
const PAST_GRACE_MS = 10_500;
const CALLS = 20_000;
const ROUNDS = 5;

const exactly = (value: number) => ({ value, better: 'atLeast', unit: 'of 100 %' }) as const;

/** Measures the check of tokens, sign-ins, and refresh tokens that are used twice. */
export async function benchAuth(figures: Figures): Promise<void> {
  await benchTokenCheck(figures);
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  try {
    await benchSignIns(server, figures);
    await benchRefreshes(server, figures);
    await benchReplays(server, figures);
  } finally {
    await server.close();
  }
}

/**
 * Measures what a token adds to a call without any other work. The calls run within this process, one after the other,
 * so that one core does all of it.
 */
async function benchTokenCheck(figures: Figures): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  const backend = await createBackend({
    pages,
    config: parseConfig({ DATA_DIR: folder, PROJECT_ID: 'journal', RATE_LIMIT: 'off' }),
    projects: [defineJournal({ id: 'journal' })],
    log: pino({ level: 'silent' }),
    renderMail: async ({ kind }) => ({ subject: kind, html: '', text: '' }),
  });
  const url = 'http://localhost/api/db/journal/rest/v1/profiles?id=eq.nobody';
  const call = (authorization?: string) =>
    backend.fetch(new Request(url, authorization ? { headers: { authorization } } : {}));
  const signUpWithin = async (index: number) => {
    const body = { projectId: 'journal', email: `person-${index}@example.org`, password: PASSWORD };
    const response = await backend.fetch(
      new Request('http://localhost/api/auth/signup', { method: 'POST', body: JSON.stringify(body) }),
    );
    return `Bearer ${((await response.json()) as { access_token: string }).access_token}`;
  };
  const time = async (calls: number, act: (index: number) => Promise<unknown>) => {
    const started = performance.now();
    for (let index = 0; index < calls; index += 1) await act(index);
    return ((performance.now() - started) * 1_000) / calls;
  };
  try {
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, index) => signUpWithin(index)));
    await time(CALLS, () => call());
    // The tokens are new to the process, but the code that checks them is warm.
    const unknown = tokens.slice(100);
    for (const token of tokens.slice(0, 100)) await call(token);
    const without = await time(1_000, () => call());
    const first = await time(unknown.length, (index) => call(unknown[index]));
    const added: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await time(CALLS, () => call());
      added.push((await time(CALLS, (index) => call(tokens[index % tokens.length]))) - bare);
    }
    figures.note('token check, added to a request', median(added), atMost(60, 'µs'));
    figures.inform('token check, a token’s very first request', `${(first - without).toFixed(0)} µs`);
  } finally {
    await backend.close();
    await rm(folder, { recursive: true });
  }
}

async function benchSignIns(server: RunningServer, figures: Figures): Promise<void> {
  const { email } = await signUp(server);
  let ended = false;
  let signIns = 0;
  const signInAgain = async () => {
    while (!ended) {
      const response = await signIn(server, email);
      if (!response.ok) throw new Error(`A sign-in returned ${response.status}`);
      await response.arrayBuffer();
      signIns += 1;
    }
  };
  const all = Array.from({ length: SIGN_INS_AT_ONCE }, signInAgain);
  await wait(1_000);
  const times: number[] = [];
  const end = performance.now() + SIGN_IN_SECONDS * 1_000;
  while (performance.now() < end) {
    const started = performance.now();
    await (await fetch(`${server.url}/healthz`)).arrayBuffer();
    times.push(performance.now() - started);
    await wait(5);
  }
  ended = true;
  await Promise.all(all);
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  const extra = ` (${Math.round(signIns / (SIGN_IN_SECONDS + 1))} sign-ins/s)`;
  figures.note(`p99 of /healthz while ${SIGN_INS_AT_ONCE} sign-ins run`, p99, atMost(20, 'ms'), extra);
}

async function benchRefreshes(server: RunningServer, figures: Figures): Promise<void> {
  const author = await signUp(server);
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => refresh(server, author.session.refresh_token)),
  );
  const bodies = (await Promise.all(responses.filter(({ ok }) => ok).map((response) => response.json()))) as {
    refresh_token: string;
  }[];
  figures.note('100 refreshes of one token at once: signed in after it', bodies.length, exactly(100));
  const successors = new Set(bodies.map(({ refresh_token }) => refresh_token));
  const database = new DatabaseSync(join(server.dataDir, 'journal.sqlite'), { readOnly: true });
  const live = database
    .prepare(
      'SELECT count(DISTINCT family_id) AS families FROM refresh_tokens WHERE user_id = ? AND spent_at IS NULL',
    )
    .get(author.id);
  database.close();
  const families = Number(live?.families) + successors.size - 1;
  figures.note('live families and successors after that', families, atMost(1, ''));
}

async function benchReplays(server: RunningServer, figures: Figures): Promise<void> {
  const replays: { author: Author; successor: string }[] = [];
  for (let index = 0; index < REPLAYS; index += 1) {
    const author = await signUp(server);
    const response = await refresh(server, author.session.refresh_token);
    replays.push({ author, successor: ((await response.json()) as { refresh_token: string }).refresh_token });
  }
  await wait(PAST_GRACE_MS);
  let ended = 0;
  for (const { author, successor } of replays) {
    const replay = await refresh(server, author.session.refresh_token);
    const owner = await refresh(server, successor);
    if (replay.status === 401 && owner.status === 401) ended += 1;
  }
  figures.note('families ended by a replay after the grace', (ended / REPLAYS) * 100, exactly(100));
}

function refresh(server: RunningServer, token: string): Promise<Response> {
  return fetch(`${server.url}/api/auth/refresh`, {
    method: 'POST',
    body: JSON.stringify({ refresh_token: token }),
  });
}

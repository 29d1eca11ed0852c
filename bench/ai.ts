import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Figures } from './figures.ts';
import { median } from './load.ts';

const CALLS = 300;
const STREAMS = 200;
const WORDS = 60;
const PROMPT = `Translate the following text to German.\n\n${'The heart is a pump. '.repeat(WORDS / 5)}`;

const atMost = (value: number, unit: string) => ({ value, better: 'atMost', unit }) as const;

/** What we add to a model's own time, and what many streams at once take. */
export async function benchAi(figures: Figures): Promise<void> {
  const model = await startModel();
  const server = await startServer({
    DEMO: 'off',
    AI_BASE_URL: model.url,
    AI_TEXT_MODEL: 'stand-in',
    // So that the quota is looked up, and does not end the measurement.
    AI_DAILY_CALLS: '1000000',
    AI_DAILY_TOKENS: '1000000000',
  });
  try {
    // An account has 600 calls a minute.
    const people = await Promise.all(Array.from({ length: 8 }, () => signUp(server)));
    const tokens = people.map(({ token }) => token);
    const ours = callOf(`${server.url}/api/ai/journal/text`, tokens, (stream) => ({
      prompt: PROMPT,
      stream,
    }));
    const direct = callOf(`${model.url}/chat/completions`, ['none'], (stream) => ({
      model: 'stand-in',
      messages: [{ role: 'user', content: PROMPT }],
      stream,
    }));
    const text = await compare({
      ours: () => wholeAnswer(ours(false)),
      direct: () => wholeAnswer(direct(false)),
    });
    figures.note('added to the model’s own time by a text', text.added, atMost(3, 'ms'), text.extra);
    const stream = await compare({
      ours: () => firstWords(ours(true)),
      direct: () => firstWords(direct(true)),
    });
    figures.note('added to the first words of a stream', stream.added, atMost(10, 'ms'), stream.extra);

    await model.behave([{ kind: 'drip', ms: 100 }]);
    const peak = await peakMemory(server, () =>
      Promise.all(Array.from({ length: STREAMS }, () => wholeAnswer(ours(true)))),
    );
    figures.note(`memory during ${STREAMS} streams at once, at its peak`, peak, atMost(300, 'MB'));
  } finally {
    await server.close();
    model.stop();
  }
}

type Call = (stream: boolean) => Promise<Response>;

/** Calls by each of those who have these tokens in turn. */
function callOf(url: string, tokens: readonly string[], bodyOf: (stream: boolean) => unknown): Call {
  let calls = 0;
  return (stream) => {
    calls += 1;
    return fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens[calls % tokens.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(bodyOf(stream)),
    });
  };
}

/** When it had come in full. */
async function wholeAnswer(asked: Promise<Response>): Promise<number> {
  const answer = await asked;
  const text = await answer.text();
  if (!answer.ok || !text.includes('[de]')) throw new Error(`A text was answered ${answer.status}: ${text}`);
  return performance.now();
}

/** When the first words had come; the rest is read as well. */
async function firstWords(asked: Promise<Response>): Promise<number> {
  const decoder = new TextDecoder();
  let at: number | undefined;
  let come = '';
  for await (const chunk of (await asked).body ?? []) {
    come += decoder.decode(chunk, { stream: true });
    if (at === undefined && come.includes('[de]')) at = performance.now();
  }
  if (at === undefined) throw new Error(`A stream said nothing of the kind: ${come}`);
  return at;
}

/** Medians of calls that take turns, in milliseconds; an act says when it had what it wanted. */
async function compare(acts: Record<'ours' | 'direct', () => Promise<number>>) {
  const times = { ours: [] as number[], direct: [] as number[] };
  for (let call = 0; call < CALLS; call += 1) {
    for (const name of ['ours', 'direct'] as const) {
      const started = performance.now();
      const done = await acts[name]();
      // The first ones are for everything that is loaded and compiled.
      if (call >= CALLS / 4) times[name].push(done - started);
    }
  }
  const [ours, direct] = [median(times.ours), median(times.direct)];
  return {
    added: ours - direct,
    extra: ` (${ours.toFixed(1)} ms, of which the model ${direct.toFixed(1)} ms)`,
  };
}

/** Megabytes of the server's process, at most, while `act` goes on. */
async function peakMemory(server: RunningServer, act: () => Promise<unknown>): Promise<number> {
  let ended = false;
  let peak = 0;
  const acting = act().finally(() => {
    ended = true;
  });
  while (!ended) {
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000);
    await wait(50);
  }
  await acting;
  return peak;
}

/** The stand-in for a model, as a process of its own. */
async function startModel() {
  const script = fileURLToPath(new URL('../tests/peers/openai-stand-in.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const [, found] = /stand-in at (\S+)/.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    });
  });
  return {
    url,
    async behave(rules: readonly unknown[]) {
      const answer = await fetch(new URL('/behaviours', url), { method: 'PUT', body: JSON.stringify(rules) });
      await answer.arrayBuffer();
    },
    stop: () => child.kill(),
  };
}

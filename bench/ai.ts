import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from './figures.ts';
import { median } from './load.ts';
import { residentMemory } from './measures.ts';

const CALLS = 300;
const STREAMS = 200;
const WORDS = 60;
const PROMPT = `Translate the following text to German.\n\n${'The heart is a pump. '.repeat(WORDS / 5)}`;

/** Measures what we add to a model's own time, and the memory of many concurrent streams. */
export async function benchAi(figures: Figures): Promise<void> {
  const model = await startModel();
  const server = await startServer({
    DEMO: 'off',
    AI_BASE_URL: model.url,
    AI_TEXT_MODEL: 'stand-in',
    // The quota is checked with each call and is never reached.
    AI_DAILY_CALLS: '1000000',
    AI_DAILY_TOKENS: '1000000000',
  });
  try {
    // An account is limited to 600 calls a minute.
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
      ours: () => wholeResponse(ours(false)),
      direct: () => wholeResponse(direct(false)),
    });
    figures.note('added to the model’s own time by a text', text.added, atMost(3, 'ms'), text.extra);
    const stream = await compare({
      ours: () => firstWords(ours(true)),
      direct: () => firstWords(direct(true)),
    });
    figures.note('added to the first words of a stream', stream.added, atMost(10, 'ms'), stream.extra);

    await model.behave([{ kind: 'drip', ms: 100 }]);
    const peak = await peakMemory(server, () =>
      Promise.all(Array.from({ length: STREAMS }, () => wholeResponse(ours(true)))),
    );
    figures.note(`memory during ${STREAMS} streams at once, at its peak`, peak, atMost(300, 'MB'));
  } finally {
    await server.close();
    model.stop();
  }
}

type Call = (stream: boolean) => Promise<Response>;

/** Returns calls that use each of these tokens in turn. */
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

/** Returns the time when the response is complete. */
async function wholeResponse(pending: Promise<Response>): Promise<number> {
  const response = await pending;
  const text = await response.text();
  if (!response.ok || !text.includes('[de]')) throw new Error(`A text returned ${response.status}: ${text}`);
  return performance.now();
}

/** Returns the time of the first words. Reads the rest of the stream as well. */
async function firstWords(pending: Promise<Response>): Promise<number> {
  const decoder = new TextDecoder();
  let at: number | undefined;
  let received = '';
  for await (const chunk of (await pending).body ?? []) {
    received += decoder.decode(chunk, { stream: true });
    if (at === undefined && received.includes('[de]')) at = performance.now();
  }
  if (at === undefined) throw new Error(`A stream has no translation: ${received}`);
  return at;
}

/** Compares the medians of alternating calls in milliseconds. Each function returns the time of its end. */
async function compare(calls: Record<'ours' | 'direct', () => Promise<number>>) {
  const times = { ours: [] as number[], direct: [] as number[] };
  for (let call = 0; call < CALLS; call += 1) {
    for (const name of ['ours', 'direct'] as const) {
      const started = performance.now();
      const done = await calls[name]();
      // The first quarter is a warm-up.
      if (call >= CALLS / 4) times[name].push(done - started);
    }
  }
  const [ours, direct] = [median(times.ours), median(times.direct)];
  return {
    added: ours - direct,
    extra: ` (${ours.toFixed(1)} ms, of which the model ${direct.toFixed(1)} ms)`,
  };
}

/** Returns the peak of the server's resident megabytes while `act` runs. */
async function peakMemory(server: RunningServer, act: () => Promise<unknown>): Promise<number> {
  let ended = false;
  let peak = 0;
  const acting = act().finally(() => {
    ended = true;
  });
  while (!ended) {
    peak = Math.max(peak, residentMemory(server.process.pid));
    await wait(50);
  }
  await acting;
  return peak;
}

/** Starts the stand-in for a model as a process of its own. */
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
      const response = await fetch(new URL('/behaviours', url), {
        method: 'PUT',
        body: JSON.stringify(rules),
      });
      await response.arrayBuffer();
    },
    stop: () => child.kill(),
  };
}

import type { ServerResponse } from 'node:http';
import { buildTestText, readEvents, type TestText } from '@fabrica/backend/testing/ai/build-test-text.ts';
import { buildTestData, type TestData } from '@fabrica/backend/testing/data/build-test-data.ts';
import { type SearxngStandIn, startSearxngStandIn } from '@fabrica/test-peers/searxng-stand-in.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const PROMPT = 'Translate to German:\n\nThe heart pumps';
const REPLY = '[de] The heart pumps';

let searxng: SearxngStandIn;
let data: TestData;
let ai: TestText;
let origin: string;

beforeAll(async () => {
  searxng = await startSearxngStandIn();
  data = await buildTestData({ searchUrl: searxng.url, searchTimeout: 1_000 });
  ai = await buildTestText();
  origin = await ai.serve({ search: data.search });
});
afterEach(() => {
  ai.forget();
  searxng.searches.length = 0;
  searxng.respondWith();
});
afterAll(async () => {
  await ai.close();
  await data.close();
  await searxng.close();
});

const ask = (more: object = {}) => ai.ask('text', { prompt: PROMPT, search: true, ...more }, { origin });
const stream = (more: object = {}, options: Parameters<TestText['send']>[2] = {}) =>
  ai.send('text', { prompt: PROMPT, search: true, stream: true, ...more }, { origin, ...options });
const lastEntry = async () => (await ai.ledger()).at(-1);
const looked = () => searxng.searches.map(({ query }) => query.q);
const toolResultsOf = (step: number) =>
  (ai.provider.calls[step]?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? content : []));
const results = (response: ServerResponse, found: object[]) =>
  response.end(JSON.stringify({ results: found }));

/** The text of a stream, put together as clients do. */
async function read(response: Response) {
  const events = (await readEvents(response)) as { type: string; delta?: string }[];
  return {
    text: events.map(({ delta }) => delta ?? '').join(''),
    finish: events.find(({ type }) => type === 'finish'),
    events,
  };
}

describe('texts with searches', () => {
  it('a text is written with search results, and its steps count as one call', async () => {
    ai.provider.behave({ kind: 'call-tool', query: 'how hearts pump' });
    expect(await ask()).toMatchObject({
      status: 200,
      body: {
        text: REPLY,
        finishReason: 'stop',
        usage: { inputTokens: 5, outputTokens: 5, totalTokens: 10 },
      },
    });
    expect(looked()).toEqual(['how hearts pump']);
    expect(ai.provider.calls.map(({ tools }) => tools)).toEqual([['web_search'], ['web_search']]);
    const call = { id: 'call-1-1', type: 'function' };
    expect(ai.provider.calls[1]?.messages).toMatchObject([
      { role: 'user', content: PROMPT },
      { role: 'assistant', toolCalls: [{ ...call, function: { name: 'web_search' } }] },
      { role: 'tool' },
    ]);
    const { results } = JSON.parse(toolResultsOf(1)[0] ?? '');
    expect(results).toHaveLength(6);
    expect(results[0]).toEqual({
      title: 'how hearts pump 1',
      link: 'https://site-1.example/general',
      snippet: 'About how hearts pump, general.',
    });
    expect(await ai.ledger()).toHaveLength(1);
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 5, output_tokens: 5 });
  });

  it('a text with searches is streamed over all steps, each in a paragraph of its own', async () => {
    ai.provider.behave({ kind: 'call-tool', query: 'hearts', rounds: 2, content: 'Let me look.' });
    const { text, finish, events } = await read(await stream());
    expect(text).toBe(`Let me look.\n\nLet me look.\n\n${REPLY}`);
    expect(finish).toEqual({
      type: 'finish',
      finishReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 10, totalTokens: 20 },
    });
    expect(events.at(-1)).toBe('[DONE]');
    expect(looked()).toEqual(['hearts', 'hearts 2']);
    expect(ai.provider.calls[2]?.messages.map(({ role, content }) => [role, content.slice(0, 12)])).toEqual([
      ['user', 'Translate to'],
      ['assistant', 'Let me look.'],
      ['tool', '{"results":['],
      ['assistant', 'Let me look.'],
      ['tool', '{"results":['],
    ]);
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 10, output_tokens: 10 });
  });

  it.each([{ stream: false }, { stream: true }])(
    'is written by a model that is told again what it thought: %j',
    async (how) => {
      ai.provider.behave({ kind: 'call-tool', query: 'hearts', reasoning: 'I had better look.' });
      expect(await (await stream(how)).text()).toContain('[de]');
      expect(ai.provider.calls[1]?.messages[1]).toMatchObject({
        role: 'assistant',
        content: '',
        reasoning: 'I had better look.',
        toolCalls: [{ function: { name: 'web_search', arguments: '{"query":"hearts"}' } }],
      });
    },
  );

  it('a model that may search can write without a search', async () => {
    expect((await ask()).body.text).toBe(REPLY);
    expect((await read(await stream())).text).toBe(REPLY);
    expect([ai.provider.calls.length, looked()]).toEqual([2, []]);
  });

  it.each([
    [{}, 5],
    [{ maxSteps: 1 }, 1],
    [{ maxSteps: 3 }, 3],
    [{ maxSteps: 100 }, 10],
  ])('the last step of a text offers the model no tools: %j', async (more, steps) => {
    ai.provider.behave({ kind: 'call-tool', query: 'hearts', rounds: 50 });
    expect((await ask(more)).body.text).toBe(REPLY);
    expect(ai.provider.calls.map(({ tools }) => tools.length)).toEqual([...Array(steps - 1).fill(1), 0]);
    expect(looked()).toHaveLength(steps - 1);
  });

  it('a step runs three searches at most', async () => {
    ai.provider.behave({ kind: 'call-tool', query: 'hearts', atOnce: 5 });
    expect((await read(await stream())).text).toBe(REPLY);
    expect(looked()).toHaveLength(3);
    expect(toolResultsOf(1)).toHaveLength(5);
    expect(toolResultsOf(1)[4]).toBe('No more than 3 searches at a time.');
  });

  it('a model sees little of each page, and its queries are cut', async () => {
    const long = '🫀'.repeat(5_000);
    searxng.respondWith((_, response) =>
      results(response, [{ url: `https://a.example/${'a'.repeat(900)}`, title: long, content: long }]),
    );
    ai.provider.behave({ kind: 'call-tool', query: `x${long}` });
    expect((await ask()).status).toBe(200);
    expect(looked()[0]).toHaveLength(1_000);
    expect(toolResultsOf(1)[0]?.length).toBeLessThan(1_200);
    expect(toolResultsOf(1)[0]).not.toContain('\\ud');
  });

  it.each(['{"query":', '[]', '{"query":5}', '{"query":" "}', '"hearts"', '{"__proto__":{"query":"x"}}'])(
    'goes on when the model asks for nonsense: %s',
    async (nonsense) => {
      ai.provider.behave({ kind: 'call-tool', query: '', arguments: nonsense });
      expect((await ask()).body.text).toBe(REPLY);
      ai.provider.behave({ kind: 'call-tool', query: '', arguments: nonsense });
      expect((await read(await stream())).text).toBe(REPLY);
      expect(looked()).toEqual([]);
      expect(toolResultsOf(1)[0]).toContain('cannot be used so');
    },
  );

  it('a text is written although a search fails, which the model sees and the log has as a code alone', async () => {
    searxng.respondWith((_, response) => response.writeHead(500).end('my secret illness'));
    ai.provider.behave({ kind: 'call-tool', query: 'my secret illness' });
    expect((await ask({ prompt: `${PROMPT}, my secret illness` })).status).toBe(200);
    expect(toolResultsOf(1)[0]).toContain('This search has failed.');
    expect(ai.logged).toHaveLength(1);
    expect(ai.logged[0]).toContain('SEARCH_FAILED');
    expect(ai.logged[0]).not.toMatch(/secret|illness|heart/);
  });

  it('a text fails when the model fails in a later step, and its error carries neither prompt nor results', async () => {
    for (const more of [{}, { stream: true }]) {
      ai.provider.behave({ kind: 'fail', status: 400 });
      ai.provider.behave({ kind: 'call-tool', query: 'my secret illness', times: 1 });
      const response = await ai.send('text', { prompt: PROMPT, search: true, ...more }, { origin });
      expect(await response.text()).toContain('AI_FAILED');
      // The first step was paid for.
      const failed = { outcome: 'AI_FAILED', input_tokens: 1, output_tokens: 1 };
      await expect.poll(lastEntry).toMatchObject(failed);
    }
    expect(looked()).toHaveLength(2);
    expect(ai.logged).toHaveLength(2);
    expect(ai.logged.join('')).not.toMatch(/secret|illness|heart/);
  });

  it('a text with search fails when the model supports no tools', async () => {
    ai.provider.behave({ kind: 'fail', status: 400 });
    expect(await ask()).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
  });

  it('a text with searches ends after three times the timeout', async () => {
    searxng.respondWith(() => undefined);
    const hasty = await ai.serve({ search: data.search, timeout: 150 });
    ai.provider.behave({ kind: 'call-tool', query: 'hearts' });
    expect(await ai.ask('text', { prompt: PROMPT, search: true }, { origin: hasty })).toMatchObject({
      status: 504,
      body: { code: 'AI_TIMEOUT' },
    });
    expect(ai.provider.calls).toHaveLength(1);
  });

  it.each([{ stream: false }, { stream: true }])(
    'is given up by who leaves in mid-search: %j',
    async (how) => {
      let isLeft = false;
      searxng.respondWith((request) => {
        request.once('close', () => {
          isLeft = true;
        });
      });
      ai.provider.behave({ kind: 'call-tool', query: 'hearts' });
      const leaving = new AbortController();
      const asked = stream(how, { signal: leaving.signal }).then((response) => response.text());
      asked.catch(() => undefined);
      await expect.poll(looked).toHaveLength(1);
      leaving.abort();
      await expect(asked).rejects.toThrow();
      await expect.poll(() => isLeft).toBe(true);
      await expect.poll(lastEntry).toMatchObject({ outcome: 'ABORTED' });
      expect([ai.provider.calls.length, ai.logged]).toEqual([1, []]);
    },
  );

  it('a text with search is refused without a search engine, before the model is called or the call counted', async () => {
    const entries = (await ai.ledger()).length;
    const response = await ai.ask('text', { prompt: PROMPT, search: true });
    expect(response).toMatchObject({ status: 503, body: { code: 'SEARCH_NOT_CONFIGURED' } });
    expect(response.body.error).toContain('SEARCH_URL');
    expect((await ai.ask('text', { prompt: PROMPT, maxSteps: 3 })).body.text).toBe(REPLY);
    expect(ai.provider.calls.map(({ tools }) => tools)).toEqual([[]]);
    expect(await ai.ledger()).toHaveLength(entries + 1);
  });
});

import { buildTestText, readEvents, type TestText } from '@fabrica/backend/testing/ai/build-test-text.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const PROMPT = 'Translate to German:\n\nThe heart pumps';
/** A model that drips them is never silent for long, and takes longer in all than one may be silent. */
const SLOW_WORDS = 'The heart pumps. '.repeat(14).trim();

let ai: TestText;

beforeAll(async () => {
  ai = await buildTestText();
});
afterEach(() => ai.forget());
afterAll(() => ai.close());

const stream = (options?: Parameters<TestText['send']>[2], body: object = { prompt: PROMPT }) =>
  ai.send('text', { stream: true, ...body }, options);
const lastEntry = async () => (await ai.ledger()).at(-1);

describe('streamed texts', () => {
  it('a streamed text is sent as events, piece by piece, closed by [DONE]', async () => {
    const response = await stream();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await readEvents(response)).toEqual([
      { type: 'start' },
      { type: 'text-start', id: 'text-1' },
      ...['[de]', ' The', ' heart', ' pumps'].map((delta) => ({ type: 'text-delta', id: 'text-1', delta })),
      { type: 'text-end', id: 'text-1' },
      {
        type: 'finish',
        finishReason: 'stop',
        usage: { inputTokens: 4, outputTokens: 4, totalTokens: 8 },
      },
      '[DONE]',
    ]);
    expect(ai.provider.calls[0]?.stream).toBe(true);
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 4, output_tokens: 4 });
  });

  it.each([
    ['pings', 'stop'],
    ['empty-events', 'stop'],
    ['no-choices', 'stop'],
    ['whole', 'stop'],
    ['no-finish-reason', 'unknown'],
  ] as const)('a text is complete whose endpoint streams oddly: %s', async (as, finishReason) => {
    ai.provider.behave({ kind: 'stream-oddly', as });
    const events = (await readEvents(await stream())) as { delta?: string }[];
    const text = events.map(({ delta = '' }) => delta).join('');
    expect(text).toBe('[de] The heart pumps');
    expect(events.at(-2)).toEqual({
      type: 'finish',
      finishReason,
      usage: { inputTokens: 4, outputTokens: 4, totalTokens: 8 },
    });
    expect(await (await ai.send('text', { prompt: PROMPT })).json()).toMatchObject({
      text: '[de] The heart pumps',
      finishReason,
    });
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', output_tokens: 4 });
  });

  it('the operator learns once of each kind what an endpoint does oddly', async () => {
    const origin = await ai.serve();
    ai.provider.behave({ kind: 'stream-oddly', as: 'no-finish-reason' });
    for (let calls = 0; calls < 2; calls += 1) await (await stream({ origin })).text();
    expect(ai.logged).toEqual([
      expect.stringContaining('does not say why a response ends: it sends no “finish_reason”'),
    ]);
  });

  it('a text that ends without a reason and without an end has broken off', async () => {
    ai.provider.behave({ kind: 'break-off', after: 3 });
    expect((await readEvents(await stream())).at(-2)).toMatchObject({ type: 'error', code: 'AI_FAILED' });
  });

  it('a streamed text can be read while the model writes', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const reader = (await stream())?.body?.getReader();
    let read = '';
    while (!read.includes('[de]')) read += new TextDecoder().decode((await reader?.read())?.value);
    expect(ai.provider.calls[0]?.aborted).toBe(false);
    await reader?.cancel();
  });

  it('a streamed text has the lines of older clients unless the request accepts events only', async () => {
    const lines = (await readEvents(await stream({ accept: '*/*' }))).filter(
      (line) => typeof line === 'string',
    );
    expect(lines).toEqual([
      ...['[de]', ' The', ' heart', ' pumps'].map((piece) => `0:${JSON.stringify(piece)}`),
      'd:{"finishReason":"stop","usage":{"inputTokens":4,"outputTokens":4,"totalTokens":8}}',
      '[DONE]',
    ]);
  });

  it('a stream begins when the model begins to reason, and does not contain the reasoning', async () => {
    ai.provider.behave({ kind: 'think', text: 'A pump.' });
    const events = await readEvents(await stream());
    expect(events).toHaveLength(7);
    expect(JSON.stringify(events)).not.toContain('Hm');
  });

  it('the tokens of a streamed text are estimated when the provider does not report them', async () => {
    ai.provider.behave({ kind: 'say', text: 'Das Herz', usage: false });
    const events = await readEvents(await stream());
    expect(events.at(-2)).toMatchObject({ type: 'finish', usage: { totalTokens: null } });
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 10, output_tokens: 2 });
  });
});

describe('broken streams', () => {
  const BROKEN = [
    { type: 'start' },
    { type: 'text-start', id: 'text-1' },
    { type: 'text-delta', id: 'text-1', delta: '[de]' },
    { type: 'text-delta', id: 'text-1', delta: ' The' },
    { type: 'finish', finishReason: 'error', usage: expect.anything() },
  ];

  it('a stream that breaks sends what came and ends with an error', async () => {
    ai.provider.behave({ kind: 'break-off', after: 2 });
    const events = await readEvents(await stream());
    expect(events).toEqual([
      ...BROKEN,
      { type: 'error', code: 'AI_FAILED', error: expect.stringContaining('Please try again.') },
      '[DONE]',
    ]);
    expect(await lastEntry()).toMatchObject({ outcome: 'AI_FAILED', input_tokens: 10, output_tokens: 2 });
    expect(ai.logged).toHaveLength(1);
    expect(ai.logged.join('')).not.toMatch(/heart|\[de\]|key-of-the-operator/);
  });

  it('a stream whose model falls silent ends with an error', async () => {
    ai.provider.behave({ kind: 'stall', after: 2 });
    const events = await readEvents(await stream({ origin: await ai.serve({ timeout: 1_000 }) }));
    expect(events).toEqual([
      ...BROKEN,
      { type: 'error', code: 'AI_TIMEOUT', error: expect.any(String) },
      '[DONE]',
    ]);
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    expect(await lastEntry()).toMatchObject({ outcome: 'AI_TIMEOUT' });
  });

  it('a model that writes slowly has as long as it needs, whether its text is streamed or not', async () => {
    ai.provider.behave({ kind: 'drip', ms: 20 });
    const origin = await ai.serve({ timeout: 700 });
    const prompt = `Translate to German:\n\n${SLOW_WORDS}`;
    const events = await readEvents(await stream({ origin }, { prompt }));
    expect(events.at(-2)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect((await ai.ask('text', { prompt }, { origin })).body).toMatchObject({
      text: `[de] ${SLOW_WORDS}`,
      finishReason: 'stop',
    });
  });

  it('calls beyond the concurrency take turns with those of others, and are notified that they wait', async () => {
    ai.provider.behave({ kind: 'drip', ms: 20 });
    // A turn takes longer than a model may be silent in all, so waiting must not count.
    const origin = await ai.serve({ concurrency: 1, timeout: 700, keepAlive: 40 });
    const call = (as: string, number: number) =>
      stream({ origin, as }, { prompt: `Translate to German:\n\n${SLOW_WORDS}\n${as} ${number}` }).then(
        readEvents,
      );
    const ana = [1, 2, 3].map((number) => call('user_ana', number));
    await expect.poll(() => ai.provider.calls).toHaveLength(1);
    const ben = call('user_ben', 1);
    const all = await Promise.all([...ana, ben]);
    for (const events of all) expect(events.at(-2)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(all.map((events) => events.includes(': the model is at work'))).toContain(true);
    const order = ai.provider.calls.map(({ prompt }) => prompt.split('\n').at(-1));
    expect(order.indexOf('user_ben 1'), 'Ben has the second or third turn').toBeLessThanOrEqual(2);
  });

  it('a call that waits for its turn ends when its reader leaves, and one that fails after waiting says why', async () => {
    const origin = await ai.serve({ concurrency: 1, keepAlive: 20 });
    ai.provider.behave({ kind: 'fail', status: 400, when: 'second' });
    const stalled = ai.provider.behave({ kind: 'stall', when: 'first' });
    const [first, third] = [new AbortController(), new AbortController()];
    stream({ origin, signal: first.signal }, { prompt: 'Translate to German:\n\nfirst' }).catch(
      () => undefined,
    );
    await expect.poll(() => ai.provider.calls).toHaveLength(1);
    const second = await stream({ origin }, { prompt: 'Translate to German:\n\nsecond' });
    await stream({ origin, signal: third.signal }, { prompt: 'Translate to German:\n\nthird' });
    third.abort();
    first.abort();
    stalled();
    expect((await readEvents(second)).at(-2)).toMatchObject({ type: 'error', code: 'AI_FAILED' });
    expect(ai.provider.calls.map(({ prompt }) => prompt.split('\n').at(-1))).toEqual(['first', 'second']);
  });
});

describe('disconnected readers', () => {
  it('a reader who disconnects ends the call to the model, whose tokens so far are counted', async () => {
    ai.provider.behave({ kind: 'stall', after: 2 });
    const leaving = new AbortController();
    const response = await stream({ signal: leaving.signal });
    const reader = response.body?.getReader();
    let read = '';
    while (!read.includes('The')) read += new TextDecoder().decode((await reader?.read())?.value);
    leaving.abort();
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect
      .poll(() => lastEntry())
      .toMatchObject({ outcome: 'ABORTED', input_tokens: 10, output_tokens: 2 });
    expect(ai.logged).toEqual([]);
  });

  /** Within the process, where nothing is read that nobody asks for. */
  const streamWithin = (settings: Parameters<TestText['open']>[0] = {}) =>
    ai.open({ models: ai.models, ...settings }).request('/api/ai/journal/text', {
      method: 'POST',
      headers: { 'x-caller': 'user_ana' },
      body: JSON.stringify({ prompt: PROMPT, stream: true }),
    });

  it('a reader who disconnects before reading ends the call to the model', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const response = await streamWithin();
    await response.body?.cancel();
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
  });

  it('a reader who takes nothing for too long counts as disconnected', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const response = await streamWithin({ timeout: 250 });
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
    await expect(response.text()).rejects.toThrow();
  });
});

import { buildTestText, readEvents, type TestText } from '@fabrica/backend/testing/ai/build-test-text.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const PROMPT = 'Translate to German:\n\nThe heart pumps';

let ai: TestText;

beforeAll(async () => {
  ai = await buildTestText();
});
afterEach(() => ai.forget());
afterAll(() => ai.close());

const stream = (options?: Parameters<TestText['send']>[2], body: object = { prompt: PROMPT }) =>
  ai.send('text', { stream: true, ...body }, options);
const lastEntry = async () => (await ai.ledger()).at(-1);

describe('a streamed text', () => {
  it('comes as events, piece by piece, closed by [DONE]', async () => {
    const response = await stream();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
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

  it('is read while it is written', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const reader = (await stream())?.body?.getReader();
    let read = '';
    while (!read.includes('[de]')) read += new TextDecoder().decode((await reader?.read())?.value);
    expect(ai.provider.calls[0]?.aborted).toBe(false);
    await reader?.cancel();
  });

  it('is for clients up to 0.18 of the contract, too, unless events are all that is asked for', async () => {
    const lines = (await readEvents(await stream({ accept: '*/*' }))).filter(
      (line) => typeof line === 'string',
    );
    expect(lines).toEqual([
      ...['[de]', ' The', ' heart', ' pumps'].map((piece) => `0:${JSON.stringify(piece)}`),
      'd:{"finishReason":"stop","usage":{"inputTokens":4,"outputTokens":4,"totalTokens":8}}',
      '[DONE]',
    ]);
  });

  it('begins when the model thinks, and tells nothing of what', async () => {
    ai.provider.behave({ kind: 'think', text: 'A pump.' });
    const events = await readEvents(await stream());
    expect(events).toHaveLength(7);
    expect(JSON.stringify(events)).not.toContain('Hm');
  });

  it('is counted by its letters when the provider does not count', async () => {
    ai.provider.behave({ kind: 'say', text: 'Das Herz', usage: false });
    const events = await readEvents(await stream());
    expect(events.at(-2)).toMatchObject({ type: 'finish', usage: { totalTokens: null } });
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 10, output_tokens: 2 });
  });
});

describe('a stream that breaks', () => {
  const BROKEN = [
    { type: 'start' },
    { type: 'text-start', id: 'text-1' },
    { type: 'text-delta', id: 'text-1', delta: '[de]' },
    { type: 'text-delta', id: 'text-1', delta: ' The' },
    { type: 'finish', finishReason: 'error', usage: expect.anything() },
  ];

  it('keeps what came and ends with an error', async () => {
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

  it('does so when the model says no more', async () => {
    ai.provider.behave({ kind: 'stall', after: 2 });
    const events = await readEvents(await stream({ origin: await ai.serve({ timeout: 300 }) }));
    expect(events).toEqual([
      ...BROKEN,
      { type: 'error', code: 'AI_TIMEOUT', error: expect.any(String) },
      '[DONE]',
    ]);
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    expect(await lastEntry()).toMatchObject({ outcome: 'AI_TIMEOUT' });
  });

  it('is not one that only takes its time', async () => {
    ai.provider.behave({ kind: 'drip', ms: 150 });
    const events = await readEvents(await stream({ origin: await ai.serve({ timeout: 500 }) }));
    expect(events.at(-2)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});

describe('a reader who leaves in mid-stream', () => {
  it('ends the call to the model, which is counted as far as it came', async () => {
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

  it('ends it as well when the answer is not read at all', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const response = await streamWithin();
    await response.body?.cancel();
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
  });

  it('need not say so', async () => {
    ai.provider.behave({ kind: 'stall', after: 1 });
    const response = await streamWithin({ timeout: 250 });
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
    await expect(response.text()).rejects.toThrow();
  });
});

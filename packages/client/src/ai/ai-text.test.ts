import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { AiClient } from './ai-client.ts';
import { parsePartialJson } from './partial-json.ts';

const TEXT = 'POST /api/ai/journal/text';
const OBJECT = 'POST /api/ai/journal/object';
const response = {
  text: 'Das Herz',
  finishReason: 'stop',
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
};

let backend: ScriptedServer;
let ai: AiClient;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  ai = createClient({ projectId: 'journal', origin: backend.origin }).ai;
});

afterEach(async () => {
  vi.useRealTimers();
  await backend.close();
});

describe('generateText', () => {
  it('a text request sends its prompt and options and returns the text', async () => {
    backend.on(TEXT, { body: response });
    const { signal } = new AbortController();
    await expect(
      ai.generateText({ prompt: 'Translate', maxTokens: 2000, temperature: 0, signal }),
    ).resolves.toEqual(response);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'Translate', maxTokens: 2000, temperature: 0 });
  });

  it('a text request sends its messages unchanged', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    backend.on(TEXT, { body: response });
    await ai.generateText({ messages: [{ role: 'user', content: 'Hi' }], system: 'Be brief' });
    expect(backend.requests[0]?.json).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
      system: 'Be brief',
    });
  });

  it.each([{}, { prompt: ' ' }, { messages: [] }])(
    'a text request with the options %j is rejected before it is sent',
    async (options) => {
      await expect(ai.generateText(options)).rejects.toMatchObject({
        name: 'AiError',
        code: 'VALIDATION_FAILED',
        message: 'Prompt or messages required.',
      });
      expect(backend.requests).toEqual([]);
    },
  );

  it('a text request waits for 20 minutes, longer than any server lets a model be silent, and leaves no timer', async () => {
    const requested = new Promise<void>((resolve) => {
      backend.on(TEXT, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const result = ai.generateText({ prompt: 'Translate' });
    result.catch(settled);
    await requested;
    await vi.advanceTimersByTimeAsync(20 * 60_000 - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(result).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a text request ends with the reason of its signal, aborted before or during the call', async () => {
    const reason = new Error('The author left.');
    await expect(ai.generateText({ prompt: 'x', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(backend.requests).toEqual([]);
    const controller = new AbortController();
    backend.on(TEXT, () => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    await expect(ai.generateText({ prompt: 'x', signal: controller.signal })).rejects.toBe(reason);
  });

  it.each([
    [
      scriptedError(503, 'AI_NOT_CONFIGURED', 'No model is set up.'),
      { name: 'AiError', code: 'AI_NOT_CONFIGURED' },
    ],
    [scriptedError(429, 'RATE_LIMITED'), { name: 'NetworkError', code: 'RATE_LIMITED', retryable: true }],
    [{ body: { finishReason: 'stop' } }, { name: 'AiError', code: 'AI_FAILED' }],
  ])('the response %j makes a text request fail with its error', async (script, expected) => {
    backend.on(TEXT, script);
    await expect(ai.generateText({ prompt: 'x' })).rejects.toMatchObject(expected);
  });
});

describe('images in messages', () => {
  it.each(['http://example.org/a.png', 'https://example.org/a.svg', 'a.png'])(
    'an image with the URL %s is rejected before it is sent',
    async (image) => {
      const messages = [{ role: 'user' as const, content: [{ type: 'image' as const, image }] }];
      await expect(ai.generateText({ messages })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: 'The images of message 1 must be HTTPS addresses that end in jpg, jpeg, png, gif or webp.',
      });
      expect(backend.requests).toEqual([]);
    },
  );
});

describe('streamText', () => {
  const events = (...list: object[]) => ({
    headers: { 'content-type': 'text/event-stream' },
    body: `${list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
  });
  const { text, ...finish } = response;
  const started = [
    { type: 'start' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Das ' },
    { type: 'text-delta', id: 't', delta: 'Herz' },
  ];

  it('a streamed text is passed on in pieces and returned as a whole', async () => {
    backend.on(TEXT, events(...started, { type: 'text-end', id: 't' }, { type: 'finish', ...finish }));
    const pieces: string[] = [];
    const streamed = ai.streamText({ prompt: 'Translate' }, (piece) => pieces.push(piece));
    await expect(streamed).resolves.toEqual(response);
    expect(pieces).toEqual(['Das ', 'Herz']);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'Translate', stream: true });
  });

  it('a stream that ends with an error or without an end has passed on its pieces and fails', async () => {
    const broken = { type: 'error', error: 'It broke off.', code: 'AI_FAILED' };
    backend.on(TEXT, events(...started, broken));
    const pieces: string[] = [];
    await expect(ai.streamText({ prompt: 'x' }, (piece) => pieces.push(piece))).rejects.toMatchObject({
      name: 'AiError',
      code: 'AI_FAILED',
      message: 'It broke off.',
    });
    expect(pieces.join('')).toBe(text);
    backend.on(TEXT, events(...started));
    await expect(ai.streamText({ prompt: 'x' })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });

  it('a stream without data times out after 30 s and leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const requested = new Promise<void>((resolve) => {
      backend.on(TEXT, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    const result = ai.streamText({ prompt: 'x' });
    result.catch(() => undefined);
    await requested;
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(result).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a stream that the server or the client rejects fails with that error', async () => {
    backend.on(TEXT, scriptedError(503, 'AI_NOT_CONFIGURED', 'No model is set up.'));
    await expect(ai.streamText({ prompt: 'x' })).rejects.toMatchObject({ code: 'AI_NOT_CONFIGURED' });
    await expect(ai.streamText({ prompt: ' ' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('generateObject and streamObject', () => {
  const options = { prompt: 'Describe the heart', schema: { type: 'object' } };
  const heart = { name: 'a "heart"', parts: [{ name: 'valve' }, 2], beats: 70 };

  it('an object is returned, and a response without one is an error', async () => {
    backend.on(OBJECT, { body: { ...response, text: undefined, object: heart } });
    await expect(ai.generateObject(options)).resolves.toMatchObject({ object: heart, finishReason: 'stop' });
    expect(backend.requests[0]?.json).toEqual(options);
    backend.on(OBJECT, { body: {} });
    await expect(ai.generateObject(options)).rejects.toMatchObject({ code: 'AI_FAILED' });
  });

  it('an object request without a prompt is rejected before it is sent', async () => {
    for (const prompt of ['', ' ', undefined as unknown as string]) {
      await expect(ai.generateObject({ prompt })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: 'A prompt is required.',
      });
      await expect(ai.streamObject({ prompt })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    expect(backend.requests).toEqual([]);
  });

  it('a streamed object is passed on while it grows, and an incomplete one is an error', async () => {
    backend.on(OBJECT, { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(heart) });
    const shown: unknown[] = [];
    await expect(ai.streamObject(options, (partial) => shown.push(partial))).resolves.toEqual({
      object: heart,
    });
    expect(shown).toEqual([heart]);
    backend.on(OBJECT, { headers: { 'content-type': 'text/plain' }, body: '{"name":"a' });
    await expect(ai.streamObject(options)).rejects.toMatchObject({ code: 'AI_FAILED' });
  });

  it.each([
    ['', undefined],
    ['{', {}],
    ['{"name":"a \\"he', {}],
    ['{"name":"a \\"heart\\""', {}],
    ['{"name":"a]","parts":[{"n', { name: 'a]', parts: [{}] }],
    ['{"name":"a","parts":[1,2,3', { name: 'a', parts: [1, 2] }],
    ['{"a":{"b":1},"c":', { a: { b: 1 } }],
    ['[[1],', [[1]]],
  ])('the incomplete JSON %s is parsed as %j', (json, shown) => {
    expect(parsePartialJson(json)).toEqual(shown);
  });
});

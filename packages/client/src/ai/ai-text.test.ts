import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { refuse } from '@fabrica/client/testing/session-script.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../client.ts';
import type { AiClient } from './ai-client.ts';
import { parsePartialJson } from './partial-json.ts';

const TEXT = 'POST /api/ai/journal/text';
const OBJECT = 'POST /api/ai/journal/object';
const answer = {
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

describe('text', () => {
  it('is written from a prompt', async () => {
    backend.on(TEXT, { body: answer });
    const { signal } = new AbortController();
    await expect(
      ai.generateText({ prompt: 'Translate', maxTokens: 2000, temperature: 0, signal }),
    ).resolves.toEqual(answer);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'Translate', maxTokens: 2000, temperature: 0 });
  });

  it('is written from messages, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    backend.on(TEXT, { body: answer });
    await ai.generateText({ messages: [{ role: 'user', content: 'Hi' }], system: 'Be brief' });
    expect(backend.requests[0]?.json).toEqual({
      messages: [{ role: 'user', content: 'Hi' }],
      system: 'Be brief',
    });
  });

  it.each([{}, { prompt: ' ' }, { messages: [] }])(
    'needs a prompt or messages: %j is not sent',
    async (options) => {
      await expect(ai.generateText(options)).rejects.toMatchObject({
        name: 'AiError',
        code: 'VALIDATION_FAILED',
        message: 'Prompt or messages required.',
      });
      expect(backend.requests).toEqual([]);
    },
  );

  it('is given up after 30 s', async () => {
    const asked = new Promise<void>((resolve) => {
      backend.on(TEXT, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    const writing = ai.generateText({ prompt: 'Translate' });
    writing.catch(settled);
    await asked;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(writing).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is given up when the caller says so, before or while it is written', async () => {
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
    [refuse(503, 'AI_NOT_CONFIGURED', 'No model is set up.'), { name: 'AiError', code: 'AI_NOT_CONFIGURED' }],
    [refuse(429, 'RATE_LIMITED'), { name: 'NetworkError', code: 'RATE_LIMITED', retryable: true }],
    [{ body: { finishReason: 'stop' } }, { name: 'AiError', code: 'AI_FAILED' }],
  ])('fails as %j says', async (script, expected) => {
    backend.on(TEXT, script);
    await expect(ai.generateText({ prompt: 'x' })).rejects.toMatchObject(expected);
  });
});

describe('a picture in a conversation', () => {
  it.each(['http://example.org/a.png', 'https://example.org/a.svg', 'a.png'])(
    'is not sent when its address is %s',
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

describe('a streamed text', () => {
  const events = (...list: object[]) => ({
    headers: { 'content-type': 'text/event-stream' },
    body: `${list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
  });
  const { text, ...ending } = answer;
  const begun = [
    { type: 'start' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Das ' },
    { type: 'text-delta', id: 't', delta: 'Herz' },
  ];

  it('is handed over piece by piece, and whole', async () => {
    backend.on(TEXT, events(...begun, { type: 'text-end', id: 't' }, { type: 'finish', ...ending }));
    const pieces: string[] = [];
    const streamed = ai.streamText({ prompt: 'Translate' }, (piece) => pieces.push(piece));
    await expect(streamed).resolves.toEqual(answer);
    expect(pieces).toEqual(['Das ', 'Herz']);
    expect(backend.requests[0]?.json).toEqual({ prompt: 'Translate', stream: true });
  });

  it('that breaks is told after what came', async () => {
    const broken = { type: 'error', error: 'It broke off.', code: 'AI_FAILED' };
    backend.on(TEXT, events(...begun, broken));
    const pieces: string[] = [];
    await expect(ai.streamText({ prompt: 'x' }, (piece) => pieces.push(piece))).rejects.toMatchObject({
      name: 'AiError',
      code: 'AI_FAILED',
      message: 'It broke off.',
    });
    expect(pieces.join('')).toBe(text);
    backend.on(TEXT, events(...begun));
    await expect(ai.streamText({ prompt: 'x' })).rejects.toMatchObject({ code: 'AI_FAILED' });
  });

  it('is given up after 30 s of silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = new Promise<void>((resolve) => {
      backend.on(TEXT, () => {
        resolve();
        return new Promise(() => {});
      });
    });
    const writing = ai.streamText({ prompt: 'x' });
    writing.catch(() => undefined);
    await asked;
    await vi.advanceTimersByTimeAsync(30_000);
    await expect(writing).rejects.toMatchObject({ name: 'AiError', code: 'AI_TIMEOUT' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be refused', async () => {
    backend.on(TEXT, refuse(503, 'AI_NOT_CONFIGURED', 'No model is set up.'));
    await expect(ai.streamText({ prompt: 'x' })).rejects.toMatchObject({ code: 'AI_NOT_CONFIGURED' });
    await expect(ai.streamText({ prompt: ' ' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('an object', () => {
  const asked = { prompt: 'Describe the heart', schema: { type: 'object' } };
  const heart = { name: 'a "heart"', parts: [{ name: 'valve' }, 2], beats: 70 };

  it('is made by its schema', async () => {
    backend.on(OBJECT, { body: { ...answer, text: undefined, object: heart } });
    await expect(ai.generateObject(asked)).resolves.toMatchObject({ object: heart, finishReason: 'stop' });
    expect(backend.requests[0]?.json).toEqual(asked);
    backend.on(OBJECT, { body: {} });
    await expect(ai.generateObject(asked)).rejects.toMatchObject({ code: 'AI_FAILED' });
  });

  it('needs a prompt', async () => {
    for (const prompt of ['', ' ', undefined as unknown as string]) {
      await expect(ai.generateObject({ prompt })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        message: 'A prompt is required.',
      });
      await expect(ai.streamObject({ prompt })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    expect(backend.requests).toEqual([]);
  });

  it('is streamed as it grows', async () => {
    backend.on(OBJECT, { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(heart) });
    const shown: unknown[] = [];
    await expect(ai.streamObject(asked, (partial) => shown.push(partial))).resolves.toEqual({
      object: heart,
    });
    expect(shown).toEqual([heart]);
    backend.on(OBJECT, { headers: { 'content-type': 'text/plain' }, body: '{"name":"a' });
    await expect(ai.streamObject(asked)).rejects.toMatchObject({ code: 'AI_FAILED' });
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
  ])('of which there is %s is shown as %j', (json, shown) => {
    expect(parsePartialJson(json)).toEqual(shown);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ai } from './ai.ts';
import { createClient } from './client.ts';
import { refuse } from './testing/journal-script.ts';
import { ScriptedBackend } from './testing/scripted-backend.ts';

const TEXT = 'POST /api/ai/journal/text';
const answer = {
  text: 'Das Herz',
  finishReason: 'stop',
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
};

let backend: ScriptedBackend;
let ai: Ai;

beforeEach(async () => {
  backend = await ScriptedBackend.start();
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
        message: 'A prompt or messages are required.',
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

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAiStandIn, type Rule, startOpenAiStandIn } from '../../../../tests/openai-stand-in.ts';
import type { Caller } from '../http/caller.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import { presentError } from '../http/errors.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { type AiOptions, aiRoutes } from './index.ts';

const ana: Caller = {
  kind: 'user',
  id: 'user_ana',
  email: 'ana@example.org',
  displayName: null,
  role: 'author',
};
const TEXT = '/api/ai/journal/text';
const GERMAN =
  'Translate the following text to German. Answer with the translation only.\n\nThe heart: a pump.';

let model: OpenAiStandIn;
let logged: string[] = [];

beforeAll(async () => {
  model = await startOpenAiStandIn();
});
afterEach(() => {
  model.reset();
  logged = [];
});
afterAll(() => model.close());

/** The AI service as `createBackend` mounts it; everything that fails is logged as it is there. */
function buildAi(options: Partial<AiOptions> & { caller?: Caller; rateLimit?: boolean } = {}) {
  const { caller = ana, rateLimit = false, ...rest } = options;
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const app = new Hono<AppEnvironment>();
  app.onError((error) => {
    log.error({ err: error });
    return presentError(error);
  });
  app.use('/api/ai/:projectId/*', async (c, next) => {
    c.set('caller', caller);
    c.set('project', { definition: { id: 'journal' } } as Project);
    await next();
  });
  const ai = { baseUrl: model.url, apiKey: 'key-of-the-operator', textModel: 'small-model' };
  app.route(
    '/api/ai/:projectId',
    aiRoutes({ ai, limits: createRateLimits({ enabled: rateLimit }), ...rest }),
  );
  return app;
}

async function ask(body: unknown, app = buildAi()) {
  const response = await app.request(TEXT, { method: 'POST', body: JSON.stringify(body) });
  return {
    status: response.status,
    body: await response.json(),
    retryAfter: response.headers.get('retry-after'),
  };
}

describe('a text', () => {
  it('is what the model answers, with its reason to stop and what it used', async () => {
    expect(await ask({ prompt: GERMAN, maxTokens: 2_000, temperature: 0.2 })).toMatchObject({
      status: 200,
      body: {
        text: '[de] The heart: a pump.',
        finishReason: 'stop',
        usage: { inputTokens: 5, outputTokens: 5, totalTokens: 10 },
      },
    });
    expect(model.calls).toMatchObject([
      {
        model: 'small-model',
        maxTokens: 2_000,
        temperature: 0.2,
        authorization: 'Bearer key-of-the-operator',
        messages: [{ role: 'user', content: GERMAN }],
      },
    ]);
  });

  it('follows instructions, a conversation and a last prompt, in that order', async () => {
    const { status } = await ask({
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'system', content: 'Speak as a physician.' },
        { role: 'user', content: 'What is a heart?' },
        { role: 'assistant', content: 'A pump.' },
      ],
      prompt: 'And a lung?',
      stream: false,
      search: true,
      maxSteps: 3,
    });
    expect(status).toBe(200);
    expect(model.calls[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.\n\nSpeak as a physician.' },
      { role: 'user', content: 'What is a heart?' },
      { role: 'assistant', content: 'A pump.' },
      { role: 'user', content: 'And a lung?' },
    ]);
  });

  it('says so when it was cut at its limit', async () => {
    model.behave({ kind: 'say', text: 'Das Herz', finishReason: 'length' });
    expect((await ask({ prompt: GERMAN })).body).toMatchObject({ text: 'Das Herz', finishReason: 'length' });
  });

  it('comes from the operator’s model, whatever a user asks for', async () => {
    await ask({ prompt: 'Hello', model: 'dear-model' });
    await ask({ prompt: 'Hello', model: 'dear-model' }, buildAi({ caller: { kind: 'service' } }));
    expect(model.calls.map((call) => call.model)).toEqual(['small-model', 'dear-model']);
  });

  it('is written eight times at once for one post', async () => {
    const app = buildAi();
    const languages = ['English', 'Spanish', 'French', 'German'];
    const prompts = languages.flatMap((language) =>
      ['The heart', 'A pump.'].map((text) => `Translate to ${language}:\n\n${text}`),
    );
    const answers = await Promise.all(prompts.map((prompt) => ask({ prompt }, app)));
    expect(answers.map(({ body }) => body.text)).toEqual(
      ['en', 'es', 'fr', 'de'].flatMap((language) => [`[${language}] The heart`, `[${language}] A pump.`]),
    );
  });
});

describe('a request for a text', () => {
  it('is for signed-in callers', async () => {
    const app = buildAi({ caller: { kind: 'anonymous' } });
    expect(await ask({ prompt: 'Hello' }, app)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
  });

  it.each([
    {},
    { prompt: '' },
    { prompt: '  ' },
    { messages: [] },
    { messages: [{ role: 'system', content: 'x' }] },
  ])('needs a prompt or messages: %j', async (body) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.error).toContain('Either a prompt or messages are required.');
  });

  it.each([
    ['a prompt of the wrong type', { prompt: 5 }],
    ['messages of nobody', { messages: [{ content: 'x' }] }],
    ['messages by a tool', { messages: [{ role: 'tool', content: 'x' }] }],
    ['blank messages', { messages: [{ role: 'user', content: ' ' }] }],
    ['no tokens', { prompt: 'x', maxTokens: 0 }],
    ['half a token', { prompt: 'x', maxTokens: 1.5 }],
    ['heat', { prompt: 'x', temperature: 3 }],
    ['a stream', { prompt: 'x', stream: true }],
    ['a prompt without end', { prompt: 'x'.repeat(120_001) }],
    ['too much in all', { prompt: 'x'.repeat(70_000), system: 'x'.repeat(70_000) }],
    ['a list', [1]],
  ])('must not have %s', async (_, body) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(model.calls).toEqual([]);
  });

  it('must be JSON of less than 1 MB', async () => {
    const send = (body: string) => buildAi().request(TEXT, { method: 'POST', body });
    expect((await send('{"prompt":')).status).toBe(400);
    expect((await send(JSON.stringify({ prompt: 'x'.repeat(1_100_000) }))).status).toBe(413);
  });

  it('is counted by user: the 201st of an hour is told when to come again', async () => {
    const app = buildAi({ rateLimit: true });
    const answers = await Promise.all(Array.from({ length: 201 }, () => ask({ prompt: 'Hello' }, app)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.body.code).toBe('AI_QUOTA_EXCEEDED');
    expect(Number(refused[0]?.retryAfter)).toBeGreaterThan(0);
    expect(model.calls).toHaveLength(200);
  });
});

describe('without a model', () => {
  it('nothing is written, and the operator is told which setting is missing', async () => {
    const answer = await ask({ prompt: 'Hello' }, buildAi({ ai: undefined }));
    expect(answer).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
    expect(answer.body.error).toContain('AI_BASE_URL');
  });

  it('that can be reached, the text has failed', async () => {
    const ai = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, textModel: 'x' };
    expect(await ask({ prompt: 'Hello' }, buildAi({ ai }))).toMatchObject({
      status: 502,
      body: { code: 'AI_FAILED' },
    });
  });
});

describe('a model that misbehaves', () => {
  it.each<[string, Rule]>([
    ['refuses the key', { kind: 'fail', status: 401 }],
    ['does not know the model', { kind: 'fail', status: 404 }],
    ['is broken', { kind: 'fail', status: 500 }],
    ['hangs up', { kind: 'hang-up' }],
    ['answers half of a JSON', { kind: 'nonsense', as: 'invalid-json' }],
    ['answers no choice', { kind: 'nonsense', as: 'empty-choices' }],
    ['answers an empty text', { kind: 'nonsense', as: 'empty-text' }],
    ['answers a page', { kind: 'nonsense', as: 'html' }],
    ['answers something else', { kind: 'nonsense', as: 'other-json' }],
  ])('has failed when it %s; the prompt is in no log', async (_, rule) => {
    model.behave(rule);
    const answer = await ask({ prompt: 'Translate to German:\n\nMy secret illness' });
    expect(answer).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    expect(logged.join('')).toContain('AI_FAILED');
    expect(logged.join('') + JSON.stringify(answer)).not.toMatch(/secret illness|Das He|key-of-the-operator/);
  });

  it('is asked once more when it fails for a moment', async () => {
    model.behave({ kind: 'fail', status: 503, times: 1, retryAfter: 0 });
    expect((await ask({ prompt: GERMAN })).status).toBe(200);
    expect(model.calls).toHaveLength(2);
  });

  it('is given up after the time-out', async () => {
    model.behave({ kind: 'stall' });
    expect(await ask({ prompt: GERMAN }, buildAi({ timeout: 50 }))).toMatchObject({
      status: 504,
      body: { code: 'AI_TIMEOUT' },
    });
    await expect.poll(() => model.calls[0]?.aborted).toBe(true);
  });
});

describe('a caller who leaves', () => {
  it('ends the call to the model', async () => {
    model.behave({ kind: 'stall' });
    const server = createAdaptorServer({ fetch: buildAi().fetch });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const leaving = new AbortController();
    const asked = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${TEXT}`, {
      method: 'POST',
      body: JSON.stringify({ prompt: GERMAN }),
      signal: leaving.signal,
    });
    asked.catch(() => undefined);
    await expect.poll(() => model.calls).toHaveLength(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => model.calls[0]?.aborted).toBe(true);
    expect(logged).toEqual([]);
    server.close();
  });
});

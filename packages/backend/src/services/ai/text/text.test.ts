import { buildTestText, type TestText } from '@fabrica/backend/testing/ai/build-test-text.ts';
import { halves } from '@fabrica/backend/testing/storage/build-test-images.ts';
import type { Rule } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const GERMAN =
  'Translate the following text to German. Answer with the translation only.\n\nThe heart: a pump.';

let ai: TestText;

beforeAll(async () => {
  ai = await buildTestText();
});
afterEach(() => ai.forget());
afterAll(() => ai.close());

const ask = (body: unknown, options?: Parameters<TestText['ask']>[2]) => ai.ask('text', body, options);
const lastEntry = async () => (await ai.ledger()).at(-1);

describe('texts', () => {
  it('a text is returned with its finish reason and usage', async () => {
    expect(await ask({ prompt: GERMAN, maxTokens: 2_000, temperature: 0.2 })).toMatchObject({
      status: 200,
      body: {
        text: '[de] The heart: a pump.',
        finishReason: 'stop',
        usage: { inputTokens: 5, outputTokens: 5, totalTokens: 10 },
      },
    });
    expect(ai.provider.calls).toMatchObject([
      {
        model: 'small-model',
        maxTokens: 2_000,
        temperature: 0.2,
        stream: true,
        authorization: 'Bearer key-of-the-operator',
        messages: [{ role: 'user', content: GERMAN }],
      },
    ]);
    expect(await lastEntry()).toMatchObject({
      user_id: 'user_ana',
      capability: 'text',
      model: 'small-model',
      outcome: 'OK',
      input_tokens: 5,
      output_tokens: 5,
    });
  });

  it('a model that refuses temperatures is asked once more without one, and from then on never with one', async () => {
    ai.provider.behave({ kind: 'refuse-temperature' });
    const model = 'a-model-with-its-own-temperature';
    const call = () => ask({ prompt: GERMAN, temperature: 0, model }, { as: 'service' });
    for (let time = 1; time <= 2; time += 1) expect((await call()).status).toBe(200);
    expect((await ask({ prompt: GERMAN, model }, { as: 'service' })).status).toBe(200);
    expect(ai.provider.calls.map(({ temperature }) => temperature)).toEqual([0, ...Array(3).fill(undefined)]);
    ai.provider.reset();
    await ask({ prompt: GERMAN, temperature: 0.7 });
    expect(ai.provider.calls.map(({ temperature }) => temperature)).toEqual([0.7]);
  });

  it('a prompt about temperatures that the model refuses proves nothing, and the next call has its temperature', async () => {
    const prompt = 'What temperature is a fever?';
    ai.provider.behave({ kind: 'fail', status: 400, message: `Not allowed: ${prompt}`, times: 2 });
    expect((await ask({ prompt, temperature: 0.3 })).body).toMatchObject({ code: 'AI_FAILED' });
    await ask({ prompt, temperature: 0.3 });
    expect(ai.provider.calls.map(({ temperature }) => temperature)).toEqual([0.3, undefined, 0.3]);
  });

  it('a model receives the instructions, the conversation and the prompt, in that order', async () => {
    const { status } = await ask({
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'system', content: 'Speak as a physician.' },
        { role: 'user', content: [{ type: 'text', text: 'What is a heart?' }] },
        { role: 'assistant', content: 'A pump.' },
      ],
      prompt: 'And a lung?',
      stream: false,
      search: false,
      maxSteps: 3,
    });
    expect(status).toBe(200);
    expect(ai.provider.calls[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.\n\nSpeak as a physician.' },
      { role: 'user', content: 'What is a heart?' },
      { role: 'assistant', content: 'A pump.' },
      { role: 'user', content: 'And a lung?' },
    ]);
  });

  it('a text that was cut at its limit says so, and its tokens are estimated when the provider does not report them', async () => {
    ai.provider.behave({ kind: 'say', text: 'Das Herz', finishReason: 'length', usage: false });
    expect((await ask({ prompt: 'Translate this' })).body).toEqual({
      text: 'Das Herz',
      finishReason: 'length',
      usage: { inputTokens: null, outputTokens: null, totalTokens: null },
    });
    expect(await lastEntry()).toMatchObject({ outcome: 'OK', input_tokens: 4, output_tokens: 2 });
  });

  it('a text comes from the operator’s model, whichever model a user names', async () => {
    await ask({ prompt: 'Hello', model: 'dear-model' });
    await ask({ prompt: 'Hello', model: 'dear-model' }, { as: 'service' });
    expect(ai.provider.calls.map((call) => call.model)).toEqual(['small-model', 'dear-model']);
  });

  it('eight texts of one post are written at a time', async () => {
    const languages = ['English', 'Spanish', 'French', 'German'];
    const prompts = languages.flatMap((language) =>
      ['The heart', 'A pump.'].map((text) => `Translate to ${language}:\n\n${text}`),
    );
    const responses = await Promise.all(prompts.map((prompt) => ask({ prompt })));
    expect(responses.map(({ body }) => body.text)).toEqual(
      ['en', 'es', 'fr', 'de'].flatMap((language) => [`[${language}] The heart`, `[${language}] A pump.`]),
    );
  });
});

describe('images in a conversation', () => {
  const showing = (...images: string[]) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          ...images.map((image) => ({ type: 'image', image })),
        ],
      },
    ],
  });

  it('an image in a conversation is fetched once and sent to the model for each mention', async () => {
    const png = await halves(8, 8).png().toBuffer();
    ai.site.files.set('/heart.png', png);
    const url = ai.site.at('/heart.png');
    expect((await ask(showing(url, url))).status).toBe(200);
    const shown = `data:image/png;base64,${png.toString('base64')}`;
    expect(ai.provider.calls[0]?.images).toEqual([shown, shown]);
    expect(ai.site.requested).toEqual(['/heart.png']);
  });

  it.each([
    ['not encrypted', 'http://pictures.test/a.png'],
    ['of another kind', 'https://pictures.test/a.svg'],
    ['no URL', 'a.png'],
    ['the picture itself', 'data:image/png;base64,AAAA'],
  ])('an image in a conversation is refused when its URL is %s', async (_, url) => {
    const response = await ask(showing(url));
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(response.body.error).toContain('jpg, jpeg, png, gif or webp');
    expect(ai.provider.calls).toEqual([]);
  });

  it('an image on a private network is not fetched, and what is no image is not sent to the model', async () => {
    ai.site.files.set('/a.png', Buffer.from('<p>none</p>'));
    const inside = `https://127.0.0.1:${ai.canaryPort}/a.png`;
    expect((await ask(showing(inside))).body.code).toBe('ADDRESS_REFUSED');
    expect((await ask(showing(ai.site.at('/a.png')))).status).toBe(400);
    expect([ai.provider.calls, ai.touched]).toEqual([[], []]);
    expect(await lastEntry()).toMatchObject({ outcome: 'VALIDATION_FAILED', input_tokens: null });
  });

  it('a conversation may have 50 images at most', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `https://pictures.test/${index}.png`);
    expect((await ask(showing(...many))).body.error).toContain('Maximum 50 images allowed');
  });
});

describe('requests for texts', () => {
  it('a request for a text needs a signed-in caller', async () => {
    expect(await ask({ prompt: 'Hello' }, { as: '' })).toMatchObject({
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
    { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] },
  ])('a request for a text needs a prompt or messages: %j', async (body) => {
    const response = await ask(body);
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(response.body.error).toContain('Prompt or messages required.');
  });

  it.each([
    ['a prompt of the wrong type', { prompt: 5 }],
    ['messages by a tool', { messages: [{ role: 'tool', content: 'x' }] }],
    ['blank messages', { messages: [{ role: 'user', content: ' ' }] }],
    ['recordings', { messages: [{ role: 'user', content: [{ type: 'audio', audio: 'x' }] }] }],
    [
      'pictures by the model',
      { messages: [{ role: 'assistant', content: [{ type: 'image', image: 'x' }] }] },
    ],
    ['201 messages', { messages: Array(201).fill({ role: 'user', content: 'x' }) }],
    ['no tokens', { prompt: 'x', maxTokens: 0 }],
    ['a prompt without end', { prompt: 'x'.repeat(120_001) }],
    ['too much in all', { prompt: 'x'.repeat(70_000), system: 'x'.repeat(70_000) }],
  ])('a request for a text must not have %s', async (_, body) => {
    expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(ai.provider.calls).toEqual([]);
  });

  it('a request for a text must be JSON of less than 1 MB', async () => {
    expect((await ask('{"prompt":')).status).toBe(400);
    expect((await ask({ prompt: 'x'.repeat(1_100_000) })).status).toBe(413);
  });
});

describe('without a model', () => {
  it('without a language model the response names the missing setting for the operator', async () => {
    const origin = await ai.serve({ baseUrl: undefined });
    const response = await ask({ prompt: 'Hello' }, { origin });
    expect(response).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
    expect(response.body.error).toContain('AI_BASE_URL');
  });

  it.each([{ stream: false }, { stream: true }])(
    'that can be reached, the text has failed: %j',
    async (how) => {
      const origin = await ai.serve({ baseUrl: 'http://127.0.0.1:9/v1' });
      expect(await ask({ prompt: 'Hello', ...how }, { origin })).toMatchObject({
        status: 502,
        body: { code: 'AI_FAILED' },
      });
    },
  );
});

/** Tells how a model fails before there is any response, whole or streamed. */
const FAILURES: [string, Rule][] = [
  ['refuses the key', { kind: 'fail', status: 401 }],
  ['does not know the model', { kind: 'fail', status: 404 }],
  ['is broken', { kind: 'fail', status: 500, retryAfter: 0 }],
  ['hangs up', { kind: 'hang-up' }],
  ['returns half of a JSON', { kind: 'nonsense', as: 'invalid-json' }],
  ['returns no choice', { kind: 'nonsense', as: 'empty-choices' }],
  ['returns an empty text', { kind: 'nonsense', as: 'empty-text' }],
  ['says nothing', { kind: 'say', text: '' }],
  ['returns a page', { kind: 'nonsense', as: 'html' }],
  ['returns something else', { kind: 'nonsense', as: 'other-json' }],
];

describe.each([{ stream: false }, { stream: true }])('a model that misbehaves, asked with %j', (how) => {
  it.each(FAILURES)('a call fails when the model %s, and the prompt is in no log', async (_, rule) => {
    ai.provider.behave(rule);
    const response = await ask({ prompt: 'Translate to German:\n\nMy secret illness', ...how });
    expect(response).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
    expect(ai.logged).toHaveLength(1);
    expect(ai.logged.join('')).toContain('AI_FAILED');
    expect(ai.logged.join('') + JSON.stringify(response)).not.toMatch(
      /secret illness|Das He|key-of-the-operator/,
    );
    expect(await lastEntry()).toMatchObject({ outcome: 'AI_FAILED' });
  });

  it.each([
    ['has too much to do', { kind: 'fail', status: 429, times: 2, retryAfter: 0 }],
    ['is broken for a moment', { kind: 'fail', status: 503, times: 2 }],
  ] as [string, Rule][])('is asked twice more when it %s', async (_, rule) => {
    ai.provider.behave(rule);
    const response = await ai.send('text', { prompt: GERMAN, ...how });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('[de]');
    expect(ai.provider.calls).toHaveLength(3);
    expect(await lastEntry()).toMatchObject({ outcome: 'OK' });
  });

  it('a model is called three times at most, and once when a retry is useless or too far off', async () => {
    ai.provider.behave({ kind: 'fail', status: 500, retryAfter: 0 });
    expect((await ask({ prompt: GERMAN, ...how })).status).toBe(502);
    expect(ai.provider.calls).toHaveLength(3);
    ai.forget();
    ai.provider.behave({ kind: 'fail', status: 400 });
    expect((await ask({ prompt: GERMAN, ...how })).status).toBe(502);
    expect(ai.provider.calls).toHaveLength(1);
    ai.forget();
    ai.provider.behave({ kind: 'fail', status: 429, retryAfter: 60 });
    const response = await ask({ prompt: GERMAN, ...how });
    expect([response.status, response.headers.get('retry-after')]).toEqual([502, '60']);
    expect(ai.provider.calls).toHaveLength(1);
  });

  it('a call of a model ends after the timeout', async () => {
    ai.provider.behave({ kind: 'stall' });
    const origin = await ai.serve({ timeout: 150 });
    expect(await ask({ prompt: GERMAN, ...how }, { origin })).toMatchObject({
      status: 504,
      body: { code: 'AI_TIMEOUT' },
    });
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    expect(await lastEntry()).toMatchObject({ outcome: 'AI_TIMEOUT' });
  });

  it('a call of a model ends when its caller disconnects', async () => {
    ai.provider.behave({ kind: 'stall' });
    const leaving = new AbortController();
    const asked = ai.send('text', { prompt: GERMAN, ...how }, { signal: leaving.signal });
    asked.catch(() => undefined);
    await expect.poll(() => ai.provider.calls).toHaveLength(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
    expect(ai.logged).toEqual([]);
  });
});

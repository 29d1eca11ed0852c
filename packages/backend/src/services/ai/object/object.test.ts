import { buildTestText, type TestText } from '@fabrica/backend/testing/ai/build-test-text.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    beats: { type: 'integer', minimum: 0 },
    parts: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'beats', 'parts'],
  additionalProperties: false,
};
const HEART = { name: 'heart', beats: 70, parts: ['valve', 'the "left" chamber ]}'] };

let ai: TestText;

beforeAll(async () => {
  ai = await buildTestText();
});
afterEach(() => ai.forget());
afterAll(() => ai.close());

const ask = (body: unknown, options?: Parameters<TestText['ask']>[2]) => ai.ask('object', body, options);
const say = (text: unknown, finishReason?: string) =>
  ai.provider.behave({
    kind: 'say',
    text: typeof text === 'string' ? text : JSON.stringify(text),
    ...(finishReason && { finishReason }),
  });
const lastEntry = async () => (await ai.ledger()).at(-1);

describe('objects', () => {
  it('an object of an unusable schema is refused, and counts as a call', async () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } });
    const request = { prompt: 'x', schema: { type: 'object', ...nested(60) } };
    expect((await ask(request)).status).toBe(400);
    expect(await lastEntry()).toMatchObject({ outcome: 'VALIDATION_FAILED', output_tokens: null });
    const unset = await ai.serve({ models: { ...ai.models, text: undefined } });
    expect((await ask(request, { origin: unset })).status).toBe(503);
    expect(ai.provider.calls).toEqual([]);
  });

  it('an object is what the model returns for the schema', async () => {
    say(HEART);
    expect(await ask({ prompt: 'Describe the heart', schema: SCHEMA })).toMatchObject({
      status: 200,
      body: { object: HEART, finishReason: 'stop', usage: { inputTokens: 4, totalTokens: 8 } },
    });
    const [call] = ai.provider.calls;
    expect(call).toMatchObject({ prompt: 'Describe the heart', model: 'small-model', stream: true });
    expect(call?.format).toMatchObject({ type: 'json_schema', json_schema: { schema: SCHEMA } });
    expect(call?.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    expect(await lastEntry()).toMatchObject({ capability: 'text', outcome: 'OK', output_tokens: 4 });
  });

  it('an object is found in the text around it', async () => {
    say(`Of course {:\n\`\`\`json\n${JSON.stringify(HEART)}\n\`\`\`\nAnything else? {}`.replace('{:', ':'));
    expect((await ask({ prompt: 'x', schema: SCHEMA })).body.object).toEqual(HEART);
  });

  it('an array of objects is returned when it is requested', async () => {
    say({ elements: [HEART, HEART] });
    const { $defs, schema } = { $defs: { organ: SCHEMA }, schema: { $ref: '#/$defs/organ' } };
    const asked = await ask({ prompt: 'x', output: 'array', schema: { ...schema, $defs } });
    expect(asked.body.object).toEqual([HEART, HEART]);
    expect(ai.provider.calls[0]?.format?.json_schema?.schema).toMatchObject({ type: 'object', $defs });
  });

  it('one of the given words is returned when it is requested', async () => {
    say({ result: 'sad' });
    const asked = { prompt: 'How is this?', output: 'enum', enum: ['glad', 'sad'] };
    expect((await ask(asked)).body.object).toBe('sad');
    say({ result: 'angry' });
    expect(await ask(asked)).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
  });

  it('a schema may imply types, name formats and patterns, and refer to itself', async () => {
    const schema = {
      properties: {
        id: { type: 'string', pattern: '^[a-z]+$' },
        day: { type: 'string', format: 'date', default: '2026-01-01' },
        inner: { $ref: '#' },
      },
      required: ['id', 'day'],
    };
    const good = { id: 'a', day: '2026-11-21', inner: { id: 'b', day: '2026-11-22' } };
    const fits = async (object: unknown) => {
      say(object);
      return (await ask({ prompt: 'x', schema })).status;
    };
    expect(await fits(good)).toBe(200);
    expect(await fits({ ...good, id: 'A' })).toBe(502);
    expect(await fits({ id: 'a' })).toBe(502);
    expect(await fits({ ...good, inner: { id: 'b', day: 'tomorrow' } })).toBe(502);
  });
});

describe('invalid objects', () => {
  it.each([
    ['lacks something', { name: 'heart', beats: 70 }],
    ['has a wrong type', { ...HEART, beats: '70' }],
    ['has too much', { ...HEART, weight: 300 }],
    ['is a list', [HEART]],
    ['is cut off', JSON.stringify(HEART).slice(0, -10)],
    ['is no JSON', 'The heart is a secret illness.'],
    ['is half JSON', '{"name": The secret illness}'],
  ])('a call for an object fails when the response %s, which is in no log', async (_, text) => {
    for (const stream of [false, true]) {
      say(text);
      const response = await ai.send('object', { prompt: 'My secret illness', schema: SCHEMA, stream });
      if (stream && response.status === 200) await expect(response.text()).rejects.toThrow();
      else expect(response.status).toBe(502);
      expect(ai.logged).toHaveLength(1);
      expect(ai.logged.join('')).toContain('AI_FAILED');
      expect(ai.logged.join('')).not.toMatch(/secret illness|valve|"beats"/);
      expect(await lastEntry()).toMatchObject({ outcome: 'AI_FAILED' });
      expect((await lastEntry())?.output_tokens).toBeGreaterThan(0);
      ai.forget();
    }
  });

  it('the check of an object ends in time, whatever the pattern', async () => {
    say({ name: `${'a'.repeat(40)}!` });
    const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    expect((await ask({ prompt: 'x', schema })).status).toBe(502);
  });
});

describe('requests for objects', () => {
  it.each([{}, { prompt: ' ' }, { prompt: 5 }])(
    'a request for an object needs a prompt: %j',
    async (body) => {
      const response = await ask({ schema: SCHEMA, ...body });
      expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(response.body.error).toContain('A prompt is required.');
    },
  );

  it.each<[string, object, string | RegExp]>([
    ['no schema', {}, 'schema: required'],
    ['no words to choose of', { output: 'enum' }, 'enum: required'],
    ['an empty list of words', { output: 'enum', enum: [] }, 'enum: '],
    ['another output', { output: 'video', schema: {} }, 'output: '],
    ['a text for a schema', { schema: 'object' }, 'schema: must be a JSON Schema'],
    ['a schema of no object', { schema: { type: 'string' } }, 'schema.type: must be object'],
    [
      'an unknown type',
      { schema: { properties: { a: { type: 'date' } } } },
      'schema.properties.a.type: must be',
    ],
    ['a property that is no schema', { schema: { properties: { a: 'string' } } }, 'schema.properties.a: '],
    ['required that is no list', { schema: { required: 'a' } }, 'schema.required: '],
    [
      'a broken pattern',
      { schema: { properties: { a: { pattern: '(' } } } },
      'schema.properties.a.pattern: must be',
    ],
    ['conditions', { schema: { if: {} } }, 'schema.if: is not supported here'],
    ['something from elsewhere', { schema: { $ref: 'http://127.0.0.1/x' } }, 'schema.$ref: must lead to'],
    ['a reference to nothing', { schema: { $ref: '#/$defs/a' } }, 'schema: Reference not found'],
    ['circles', { schema: { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' } }, 'leads in circles'],
    [
      'great size',
      { schema: { description: 'x'.repeat(50_001) } },
      'must not have more than 50000 characters',
    ],
  ])('a request for an object must not have %s', async (_, body, message) => {
    const response = await ask({ prompt: 'x', ...body });
    expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(response.body.error).toMatch(message);
    expect(ai.provider.calls).toEqual([]);
  });

  it.each([30, 20_000])('a request for an object must not have a schema of %i levels', async (levels) => {
    const schema = `${'{"items":'.repeat(2 * levels)}{}${'}'.repeat(2 * levels)}`;
    const response = await ask(`{"prompt":"x","output":"array","schema":${schema}}`);
    expect(response.status).toBe(400);
    expect(response.body.error).toContain('must not be deeper than 50 levels');
  });

  it('a request for an object needs a signed-in caller and a model', async () => {
    const body = { prompt: 'x', schema: SCHEMA };
    expect((await ask(body, { as: '' })).status).toBe(401);
    const origin = await ai.serve({ models: { ...ai.models, text: undefined } });
    const response = await ask(body, { origin });
    expect(response).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
    expect(response.body.error).toContain('AI_TEXT_MODEL');
  });
});

describe('streamed objects', () => {
  const stream = (body: object = { schema: SCHEMA }, options?: Parameters<TestText['send']>[2]) =>
    ai.send('object', { prompt: 'Describe it', stream: true, ...body }, options);

  it('a streamed object is sent as JSON that grows', async () => {
    say(JSON.stringify(HEART, null, 2));
    const response = await stream();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.json()).toEqual(HEART);
    expect(await lastEntry()).toMatchObject({ outcome: 'OK' });
  });

  it('a streamed object can be read while the model writes', async () => {
    ai.provider.behave({ kind: 'stall', after: 2 });
    const reader = (await stream()).body?.getReader();
    let read = '';
    while (!read.includes('example')) read += new TextDecoder().decode((await reader?.read())?.value);
    expect(read).toMatch(/^\{"name":"an example/);
    expect(ai.provider.calls[0]?.aborted).toBe(false);
    await reader?.cancel();
  });

  it('a streamed object is preceded by spaces while its model is silent, and is the same JSON', async () => {
    ai.provider.behave({ kind: 'delay', ms: 200 });
    const origin = await ai.serve({ keepAlive: 20 });
    const text = await (await stream({ schema: SCHEMA }, { origin })).text();
    expect(text).toMatch(/^ +\{"name":"an example/);
    expect(JSON.parse(text)).toMatchObject({ name: expect.any(String) });
  });

  it('a streamed array or word is sent without the object around it', async () => {
    say({ elements: [HEART] });
    expect(await (await stream({ schema: SCHEMA, output: 'array' })).json()).toEqual([HEART]);
    say({ result: 'sad' });
    expect(await (await stream({ output: 'enum', enum: ['glad', 'sad'] })).json()).toBe('sad');
  });

  it.each([
    ['breaks off', { kind: 'break-off', after: 2 }],
    ['says no more', { kind: 'stall', after: 2 }],
  ] as const)('ends visibly when the model %s', async (_, rule) => {
    const origin = await ai.serve({ timeout: 300 });
    ai.provider.behave(rule);
    const response = await stream(
      { schema: { type: 'object', properties: { 'a b c d e f': { type: 'string' } } } },
      { origin },
    );
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(ai.logged).toHaveLength(1);
    expect(await lastEntry()).toMatchObject({ outcome: rule.kind === 'stall' ? 'AI_TIMEOUT' : 'AI_FAILED' });
  });

  it('a streamed object ends the call to the model when its reader disconnects', async () => {
    ai.provider.behave({ kind: 'drip', ms: 20 });
    const leaving = new AbortController();
    const schema = { type: 'object', properties: { [`${'word '.repeat(500)}`]: { type: 'string' } } };
    const response = await stream({ schema }, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await expect.poll(() => ai.provider.calls[0]?.aborted).toBe(true);
    await expect.poll(() => lastEntry()).toMatchObject({ outcome: 'ABORTED' });
    expect(ai.logged).toEqual([]);
  });
});

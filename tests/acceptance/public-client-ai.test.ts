import { BEHIND_PROXY } from '@fabrica/test-peers/ip-addresses.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { type SearxngStandIn, startSearxngStandIn } from '@fabrica/test-peers/searxng-stand-in.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connectPublicClient,
  expectNoLimits,
  type PublicClient,
  signUpWith,
  versions,
} from './connect-public-client.ts';

let provider: OpenAiStandIn;
let searxng: SearxngStandIn;
let server: RunningServer;

beforeAll(async () => {
  provider = await startOpenAiStandIn();
  searxng = await startSearxngStandIn();
  server = await startServer({
    AI_BASE_URL: provider.url,
    AI_TEXT_MODEL: 'stand-in',
    SEARCH_URL: searxng.url,
    DEMO: 'off',
    ...BEHIND_PROXY,
  });
});
afterEach(() => provider.reset());
afterAll(async () => {
  await server.close();
  await provider.close();
  await searxng.close();
});

expectNoLimits(() => server);

const PROMPT = 'Translate to German:\n\nThe heart pumps';
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, beats: { type: 'integer' } },
  required: ['name', 'beats'],
};
const EXAMPLE = { name: 'an example', beats: 1 };

describe.each(versions)('the public client %s', (version, createClient) => {
  let client: PublicClient;

  beforeAll(async () => {
    client = connectPublicClient(createClient, { origin: server.url });
    await signUpWith(client, `writer-${version}@example.org`);
  });

  it('the public client generates text from prompts and from conversations', async () => {
    expect(await client.ai.generateText({ prompt: PROMPT, maxTokens: 2_000, temperature: 0 })).toMatchObject({
      text: '[de] The heart pumps',
      finishReason: 'stop',
      usage: { inputTokens: 4, outputTokens: 4 },
    });
    const messages = [
      { role: 'system' as const, content: 'Answer in Spanish.' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'What is a heart?' }] },
    ];
    expect((await client.ai.generateText({ messages, search: false, maxSteps: 1 })).text).toContain('[es]');
  });

  it('the public client streams text', async () => {
    const pieces: string[] = [];
    const written = await client.ai.streamText({ prompt: PROMPT }, (piece) => void pieces.push(piece));
    expect(pieces).toEqual(['[de]', ' The', ' heart', ' pumps']);
    expect(written).toMatchObject({
      text: '[de] The heart pumps',
      finishReason: 'stop',
      usage: { inputTokens: 4, outputTokens: 4 },
    });
  });

  it('the public client has the web searched for whole and for streamed texts', async () => {
    provider.behave({ kind: 'call-tool', query: 'hearts' });
    const before = searxng.searches.length;
    const request = { prompt: PROMPT, search: true, maxSteps: 3 };
    expect(await client.ai.generateText(request)).toMatchObject({
      text: '[de] The heart pumps',
      finishReason: 'stop',
    });
    const pieces: string[] = [];
    await client.ai.streamText(request, (piece) => void pieces.push(piece));
    expect(pieces).toEqual(['[de]', ' The', ' heart', ' pumps']);
    expect(searxng.searches.slice(before).map(({ query }) => query.q)).toEqual(['hearts', 'hearts']);
  });

  it('the public client keeps the text of a broken stream and marks it as an error', async () => {
    provider.behave({ kind: 'break-off', after: 2 });
    expect(await client.ai.streamText({ prompt: PROMPT }, () => undefined)).toMatchObject({
      text: '[de] The',
      finishReason: 'error',
    });
  });

  it('the public client can abort a stream, which aborts the call of the model', async () => {
    provider.behave({ kind: 'stall', after: 2 });
    const leaving = new AbortController();
    const writing = client.ai.streamText({ prompt: PROMPT, signal: leaving.signal }, (piece) => {
      if (piece.includes('The')) leaving.abort();
    });
    await expect(writing).rejects.toThrow();
    await expect.poll(() => provider.calls[0]?.aborted).toBe(true);
  });

  it('the public client generates objects, lists of objects, and choices', async () => {
    expect(await client.ai.generateObject({ prompt: 'Describe it', schema: SCHEMA })).toMatchObject({
      object: EXAMPLE,
      finishReason: 'stop',
    });
    const list = { prompt: 'Describe them', output: 'array' as const, schema: SCHEMA };
    expect((await client.ai.generateObject(list)).object).toEqual([EXAMPLE, EXAMPLE]);
    const choice = { prompt: 'How is it?', output: 'enum' as const, enum: ['glad', 'sad'] };
    expect((await client.ai.generateObject(choice)).object).toBe('glad');
  });

  it('the public client gets errors for a wrong schema and for a failing model', async () => {
    await expect(client.ai.generateObject({ prompt: 'x', schema: { type: 'text' } })).rejects.toThrow(
      /schema\.type/,
    );
    provider.behave({ kind: 'fail', status: 400 });
    await expect(client.ai.generateText({ prompt: 'x' })).rejects.toThrow(/language model/);
    await expect(client.ai.streamText({ prompt: 'x' }, () => undefined)).rejects.toThrow(/language model/);
  });
});

/** Version 0.18 expects a format of streamed objects that contradicts the contract. */
describe('the public client 2.9.0', () => {
  it('the newest public client streams objects, and gets an error for a broken stream', async () => {
    const client = connectPublicClient(versions[0][1], { origin: server.url });
    await signUpWith(client, 'streamer@example.org');
    const partials: unknown[] = [];
    const made = await client.ai.streamObject({ prompt: 'Describe it', schema: SCHEMA }, (partial) =>
      partials.push(partial),
    );
    expect(made.object).toEqual(EXAMPLE);
    expect(partials.at(-1)).toEqual(EXAMPLE);
    provider.behave({ kind: 'break-off', after: 1 });
    await expect(
      client.ai.streamObject({ prompt: 'Describe it', schema: SCHEMA }, () => undefined),
    ).rejects.toThrow(/streaming/i);
  });
});

import { createClient as createNewest } from '@blinkdotnew/sdk';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { type SearxngStandIn, startSearxngStandIn } from '@fabrica/test-peers/searxng-stand-in.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

/** A client of the wire contract that nobody here wrote, pointed at our origin. */
type PublicClient = ReturnType<typeof createNewest>;

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
    RATE_LIMIT: 'off',
  });
});
afterEach(() => provider.reset());
afterAll(async () => {
  await server.close();
  await provider.close();
  await searxng.close();
});

const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;
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
    client = createClient({
      projectId: 'journal',
      auth: { mode: 'headless', authUrl: server.url, coreUrl: server.url },
    });
    // This client keeps `coreUrl` for its sockets; its calls go to the address in its HTTP client.
    Object.assign((client.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: server.url,
      coreUrl: server.url,
    });
    await client.auth.signUp({
      email: `writer-${version}@example.org`,
      password: 'a long enough passphrase',
    } as Parameters<typeof client.auth.signUp>[0]);
  });

  it('has texts written, of prompts and of conversations', async () => {
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

  it('has texts streamed', async () => {
    const pieces: string[] = [];
    const written = await client.ai.streamText({ prompt: PROMPT }, (piece) => void pieces.push(piece));
    expect(pieces).toEqual(['[de]', ' The', ' heart', ' pumps']);
    expect(written).toMatchObject({
      text: '[de] The heart pumps',
      finishReason: 'stop',
      usage: { inputTokens: 4, outputTokens: 4 },
    });
  });

  it('has the web searched for texts, whole and streamed', async () => {
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

  it('keeps what came of a stream that breaks, and does not take it for whole', async () => {
    provider.behave({ kind: 'break-off', after: 2 });
    expect(await client.ai.streamText({ prompt: PROMPT }, () => undefined)).toMatchObject({
      text: '[de] The',
      finishReason: 'error',
    });
  });

  it('can leave in mid-stream', async () => {
    provider.behave({ kind: 'stall', after: 2 });
    const leaving = new AbortController();
    const writing = client.ai.streamText({ prompt: PROMPT, signal: leaving.signal }, (piece) => {
      if (piece.includes('The')) leaving.abort();
    });
    await expect(writing).rejects.toThrow();
    await expect.poll(() => provider.calls[0]?.aborted).toBe(true);
  });

  it('has objects made, lists of them, and choices', async () => {
    expect(await client.ai.generateObject({ prompt: 'Describe it', schema: SCHEMA })).toMatchObject({
      object: EXAMPLE,
      finishReason: 'stop',
    });
    const list = { prompt: 'Describe them', output: 'array' as const, schema: SCHEMA };
    expect((await client.ai.generateObject(list)).object).toEqual([EXAMPLE, EXAMPLE]);
    const choice = { prompt: 'How is it?', output: 'enum' as const, enum: ['glad', 'sad'] };
    expect((await client.ai.generateObject(choice)).object).toBe('glad');
  });

  it('is told what is wrong', async () => {
    await expect(client.ai.generateObject({ prompt: 'x', schema: { type: 'text' } })).rejects.toThrow(
      /schema\.type/,
    );
    provider.behave({ kind: 'fail', status: 400 });
    await expect(client.ai.generateText({ prompt: 'x' })).rejects.toThrow(/language model/);
    await expect(client.ai.streamText({ prompt: 'x' }, () => undefined)).rejects.toThrow(/language model/);
  });
});

/** 0.18 reads a streamed object in a form of its own, which no text can have that is JSON, as the contract says it is. */
describe('the public client 2.9.0', () => {
  it('has objects streamed, and is told of a stream that breaks', async () => {
    const client = createNewest({
      projectId: 'journal',
      auth: { mode: 'headless', authUrl: server.url, coreUrl: server.url },
    });
    Object.assign((client.storage as unknown as { httpClient: object }).httpClient, {
      authUrl: server.url,
      coreUrl: server.url,
    });
    await client.auth.signUp({
      email: 'streamer@example.org',
      password: 'a long enough passphrase',
    } as Parameters<typeof client.auth.signUp>[0]);
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

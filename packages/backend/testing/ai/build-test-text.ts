import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { readTestResponse } from '../test-response.ts';
import { buildTestMedia, type TestAiOptions } from './build-test-media.ts';

/** Starts the AI service with a language model behind a real socket, which readers can close. */
export async function buildTestText() {
  const ai = await buildTestMedia();
  const models = { ...ai.models, text: 'small-model' };
  const servers: ReturnType<typeof createAdaptorServer>[] = [];

  /** Starts a service with other settings, and returns its origin. */
  async function serve(settings: TestAiOptions = {}): Promise<string> {
    const app = ai.open({ models, ...settings });
    const server = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env) });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const usual = await serve();
  /** Sends a request as `user_ana`, or as `as` says. */
  const send = (call: 'text' | 'object', body: unknown, options: TestSend = {}) => {
    const { origin = usual, as = 'user_ana', accept = 'text/event-stream', signal } = options;
    return fetch(`${origin}/api/ai/journal/${call}`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json', ...(as && { 'x-caller': as }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  };
  return {
    ...ai,
    models,
    serve,
    send,
    async ask(call: 'text' | 'object', body: unknown, options?: TestSend) {
      return readTestResponse(await send(call, body, options));
    },
    async close() {
      for (const server of servers) {
        if ('closeAllConnections' in server) server.closeAllConnections();
        server.close();
      }
      await ai.close();
    },
  };
}

interface TestSend {
  origin?: string;
  as?: string;
  accept?: string;
  signal?: AbortSignal;
}

export type TestText = Awaited<ReturnType<typeof buildTestText>>;

/** Returns the events of a whole stream; its last line, `[DONE]`, stays as it is. */
export async function readEvents(response: Response): Promise<unknown[]> {
  const lines = (await response.text()).split('\n').filter(Boolean);
  return lines.map((line) => {
    if (!line.startsWith('data: ')) return line;
    const data = line.slice('data: '.length);
    return data === '[DONE]' ? data : JSON.parse(data);
  });
}

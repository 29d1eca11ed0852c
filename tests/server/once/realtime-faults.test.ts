import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageId, ServerMessage } from '@fabrica/contract';
import { buildPost, serviceRest } from '@fabrica/test-peers/author.ts';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

const LISTENERS = 500;
const CHANNEL = 'public:ward';
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** A client that continues after the last message that it has received, with a log of all messages. */
class Listener {
  readonly log: unknown[] = [];
  #last: MessageId | undefined;
  #socket: WebSocket | undefined;
  readonly #channel: string;

  constructor(channel = CHANNEL) {
    this.#channel = channel;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Resolves once it is subscribed. */
  async connect({ url }: RunningServer): Promise<void> {
    const socketUrl = `${url.replace('http://localhost', 'ws://127.0.0.1')}/api/realtime?project_id=journal`;
    const socket = new WebSocket(socketUrl).on('error', () => undefined);
    this.#socket = socket;
    await once(socket, 'open');
    await new Promise<void>((resolve) => {
      socket.on('message', (text) => {
        const message: ServerMessage = JSON.parse(String(text));
        if (message.type === 'subscribed') resolve();
        this.#take(message);
      });
      const payload = { channel: this.#channel, ...(this.#last && { after: this.#last }) };
      socket.send(JSON.stringify({ type: 'subscribe', payload }));
    });
  }

  #take({ type, payload }: ServerMessage): void {
    if (type === 'subscribed' || type === 'resync') this.#last = payload.last;
    if (type === 'message') this.#last = payload.id;
    if (type === 'resync' || type === 'error') this.log.push(type);
    if (type === 'message') this.log.push(payload.data);
  }

  close(): void {
    this.#socket?.terminate();
  }
}

function gather(count: number, channel?: string): Listener[] {
  const listeners = Array.from({ length: count }, () => new Listener(channel));
  onTestFinished(() => {
    for (const listener of listeners) listener.close();
  });
  return listeners;
}

const connectAll = (listeners: readonly Listener[], server: RunningServer) =>
  Promise.all(listeners.map((listener) => listener.connect(server)));

/** Returns the different logs of all listeners: one, if all have received the same. */
function distinctLogs(listeners: readonly Listener[]): unknown[] {
  return [...new Set(listeners.map(({ log }) => JSON.stringify(log)))].map((json) => JSON.parse(json));
}

async function publishMessage({ url }: RunningServer, data: unknown): Promise<number> {
  const response = await fetch(`${url}/api/realtime/journal/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: CHANNEL, type: 'note', data }),
  });
  return response.status;
}

async function statusOf({ url }: RunningServer, path: string): Promise<number> {
  const response = await fetch(`${url}${path}`);
  await response.arrayBuffer();
  return response.status;
}

/** Starts a node that runs until the test ends. Several nodes may use the same folder one after the other. */
async function startNode(folder: string, settings: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', ...settings }, folder);
  onTestFinished(() => server.close());
  return server;
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-realtime-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('after a node was killed, each of its 500 listeners gets one resync and all later messages', async () => {
  const folder = await openFolder();
  const listeners = gather(LISTENERS);
  const node = await startNode(folder);
  await connectAll(listeners, node);
  for (const n of upTo(3)) expect(await publishMessage(node, n)).toBe(200);
  await expect.poll(() => distinctLogs(listeners)).toEqual([upTo(3)]);
  await node.stop('SIGKILL');
  await expect.poll(() => listeners.some(({ isOpen }) => isOpen)).toBe(false);
  const again = await startNode(folder);
  await connectAll(listeners, again);
  for (const n of [3, 4]) expect(await publishMessage(again, n)).toBe(200);
  await expect.poll(() => distinctLogs(listeners)).toEqual([[...upTo(3), 'resync', 3, 4]]);
});

it('500 listeners on two nodes with Redis get each message once while a node and Redis are killed', async () => {
  const redis = await startRedisServer({ persist: true });
  onTestFinished(() => redis.close());
  const [oneFolder, otherFolder] = [await openFolder(), await openFolder()];
  const settings = { REDIS_URL: redis.url };
  const [one, other] = await Promise.all([startNode(oneFolder, settings), startNode(otherFolder, settings)]);
  const listeners = gather(LISTENERS);
  await connectAll(listeners, one);
  let published = 0;
  const publishMessages = async (node: RunningServer, count: number) => {
    for (const end = published + count; published < end; published += 1)
      expect(await publishMessage(node, published)).toBe(200);
  };

  await publishMessages(one, 3);
  const publishing = publishMessages(other, 20);
  await one.stop('SIGKILL');
  await publishing;
  await expect.poll(() => listeners.some(({ isOpen }) => isOpen)).toBe(false);
  await connectAll(listeners.slice(LISTENERS / 2), other);
  await publishMessages(other, 2);
  const again = await startNode(oneFolder, settings);
  await connectAll(listeners.slice(0, LISTENERS / 2), again);
  await publishMessages(again, 2);
  await expect.poll(() => distinctLogs(listeners)).toEqual([upTo(published)]);

  const publishPost = async (id: string) => {
    const post = buildPost({ id: 'user_1' }, { id });
    expect((await serviceRest(again)('POST', 'journal_posts', post)).status).toBe(201);
  };
  const [watcher] = gather(1, 'gallery');
  await watcher?.connect(again);
  await publishPost('post_1');
  await expect.poll(() => watcher?.log).toEqual([{ id: 'post_1' }]);
  await redis.kill();
  const nodes = [again, other];
  const readiness = () =>
    Promise.all(nodes.map(async ({ url }) => (await (await fetch(`${url}/readyz`)).json()).status));
  await expect.poll(readiness).toEqual(['degraded', 'degraded']);
  expect(await Promise.all(nodes.map((node) => statusOf(node, '/gallery')))).toEqual([200, 200]);
  expect(await publishMessage(again, 'lost')).toBe(503);
  await publishPost('post_2');
  await redis.start();
  await expect.poll(readiness).toEqual(['ok', 'ok']);
  await publishMessages(other, 2);
  await expect.poll(() => distinctLogs(listeners)).toEqual([upTo(published)]);
  await expect.poll(() => watcher?.log).toEqual([{ id: 'post_1' }, { id: 'post_2' }]);
  expect(listeners.every(({ isOpen }) => isOpen)).toBe(true);
});

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

/** A client that goes on where it left off, and all that it was ever told. */
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
    const address = `${url.replace('http://localhost', 'ws://127.0.0.1')}/api/realtime?project_id=journal`;
    const socket = new WebSocket(address).on('error', () => undefined);
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

/** Different logs among those of all of them: one, when they were told the same. */
function logsOf(listeners: readonly Listener[]): unknown[] {
  return [...new Set(listeners.map(({ log }) => JSON.stringify(log)))].map((json) => JSON.parse(json));
}

async function say({ url }: RunningServer, data: unknown): Promise<number> {
  const answer = await fetch(`${url}/api/realtime/journal/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: CHANNEL, type: 'note', data }),
  });
  return answer.status;
}

async function statusOf({ url }: RunningServer, path: string): Promise<number> {
  const answer = await fetch(`${url}${path}`);
  await answer.arrayBuffer();
  return answer.status;
}

/** A node, until the test ends; as many as one likes in one after the other of the same folder. */
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

it('a node that is killed while 500 listen knows nothing of what was said: each is told so once, and hears on', async () => {
  const folder = await openFolder();
  const listeners = gather(LISTENERS);
  const node = await startNode(folder);
  await connectAll(listeners, node);
  for (const n of upTo(3)) expect(await say(node, n)).toBe(200);
  await expect.poll(() => logsOf(listeners)).toEqual([upTo(3)]);
  await node.stop('SIGKILL');
  await expect.poll(() => listeners.some(({ isOpen }) => isOpen)).toBe(false);
  const again = await startNode(folder);
  await connectAll(listeners, again);
  for (const n of [3, 4]) expect(await say(again, n)).toBe(200);
  await expect.poll(() => logsOf(listeners)).toEqual([[...upTo(3), 'resync', 3, 4]]);
});

it('of two nodes on one Redis one is killed, then Redis: nobody misses or hears twice what was said meanwhile', async () => {
  const redis = await startRedisServer({ persist: true });
  onTestFinished(() => redis.close());
  const [oneFolder, otherFolder] = [await openFolder(), await openFolder()];
  const settings = { REDIS_URL: redis.url };
  const [one, other] = await Promise.all([startNode(oneFolder, settings), startNode(otherFolder, settings)]);
  const listeners = gather(LISTENERS);
  await connectAll(listeners, one);
  let said = 0;
  const speak = async (node: RunningServer, count: number) => {
    for (const end = said + count; said < end; said += 1) expect(await say(node, said)).toBe(200);
  };

  await speak(one, 3);
  const speaking = speak(other, 20);
  await one.stop('SIGKILL');
  await speaking;
  await expect.poll(() => listeners.some(({ isOpen }) => isOpen)).toBe(false);
  await connectAll(listeners.slice(LISTENERS / 2), other);
  await speak(other, 2);
  const again = await startNode(oneFolder, settings);
  await connectAll(listeners.slice(0, LISTENERS / 2), again);
  await speak(again, 2);
  await expect.poll(() => logsOf(listeners)).toEqual([upTo(said)]);

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
  const readiness = () => Promise.all(nodes.map((node) => statusOf(node, '/readyz')));
  await expect.poll(readiness).toEqual([503, 503]);
  expect(await Promise.all(nodes.map((node) => statusOf(node, '/gallery')))).toEqual([200, 200]);
  expect(await say(again, 'lost')).toBe(503);
  await publishPost('post_2');
  await redis.start();
  await expect.poll(readiness).toEqual([200, 200]);
  await speak(other, 2);
  await expect.poll(() => logsOf(listeners)).toEqual([upTo(said)]);
  await expect.poll(() => watcher?.log).toEqual([{ id: 'post_1' }, { id: 'post_2' }]);
  expect(listeners.every(({ isOpen }) => isOpen)).toBe(true);
});

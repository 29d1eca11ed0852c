import { CHANNEL_HISTORY_LENGTH, CHANNEL_HISTORY_MS, type MessageId } from '@fabrica/contract';
import type { Logger } from 'pino';
import {
  type Broker,
  type ChannelListener,
  MAX_ANSWER_BYTES,
  type Missed,
  type Place,
  type StoredMessage,
} from './broker.ts';
import { compareMessageIds } from './message-id.ts';
import { connectRedis } from './redis-connection.ts';
import { createRedisPresence, PRESENCE_CHANGED } from './redis-presence.ts';
import { BEGIN_ERA, HISTORY, PUBLISH, SINCE } from './redis-scripts.ts';

export interface RedisBrokerOptions {
  url: string;
  log: Logger;
  kept?: number;
  keptMs?: number;
  /** Milliseconds between two signs of life of a node; one without three of them in a row is gone. */
  heartbeatMs?: number;
  /** Milliseconds that the server may take for a command. */
  timeoutMs?: number;
}

/** A channel that this node listens to. */
interface Listening {
  listener: ChannelListener;
  /** All up to here was handed to the listener; undefined until it is known where that begins. */
  position: MessageId | undefined;
  /** Reads what was missed; there is one at a time. */
  catchingUp: Promise<void> | undefined;
  /** More was said while it did. */
  behind: boolean;
  hear(text: string): void;
}

const HEARTBEAT_MS = 10_000;
const TIMEOUT_MS = 3_000;
const ERA = 'fabrica:realtime:era';

/** Channels that are read at a time, when all of them are. */
const LANES = 20;

/** The stream of a channel. */
const streamOf = (place: Place) => `fabrica:realtime:messages:${place}`;

/**
 * Messages in a stream a channel; nodes hear of them by pub/sub. Each message comes with the id of the one before it, so
 * that a node sees when one is missing, and reads it from the stream: nothing depends on pub/sub losing nothing.
 */
export async function createRedisBroker({
  url,
  log,
  kept = CHANNEL_HISTORY_LENGTH,
  keptMs = CHANNEL_HISTORY_MS,
  heartbeatMs = HEARTBEAT_MS,
  timeoutMs = TIMEOUT_MS,
}: RedisBrokerOptions): Promise<Broker> {
  const listenings = new Map<Place, Listening>();
  const readyListeners = new Set<() => void>();
  /** What nodes are told of a channel by pub/sub, which all databases of a server share. */
  const topics = `fabrica:realtime:said:${Number(new URL(url).pathname.slice(1))}`;
  const topicOf = (place: Place) => `${topics}:${place}`;
  let ready = false;
  let firstReady: () => void = () => undefined;
  const readiness = new Promise<void>((resolve) => {
    firstReady = resolve;
  });

  const redis = await connectRedis({
    url,
    log,
    timeoutMs,
    whenConnected: () => void arrive(),
    whenLost() {
      ready = false;
    },
  });
  const presence = createRedisPresence({
    redis,
    topicOf,
    heartbeatMs,
    whenAlive: () => !ready && arrive(),
    whenSilent: mistrust,
  });

  /** Until it has answered all that `arrive` asks: with the next sign of life at the latest. */
  function mistrust(error: unknown): void {
    if (ready) log.warn({ err: error }, 'Redis does not answer');
    ready = false;
  }

  /** Whatever was missed meanwhile comes before the node is ready again. */
  async function arrive(): Promise<void> {
    try {
      const info = await redis.run((client) => client.info('server'));
      await redis.script(BEGIN_ERA, [ERA], [/run_id:(\w+)/.exec(info)?.[1] ?? '']);
      await presence.rejoin();
      const waiting = [...listenings];
      const readAll = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) await catchUp(...next);
      };
      await Promise.all(Array.from({ length: LANES }, readAll));
      if (!redis.isConnected() || ready) return;
      ready = true;
      log.info('Redis is there');
      firstReady();
      for (const listener of readyListeners) listener();
    } catch (error) {
      log.warn({ err: error }, 'Redis is there, but does not answer');
    }
  }

  async function readSince(
    place: Place,
    after: MessageId | undefined,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<Missed> {
    const asked = [after ?? '', String(keptMs), String(maxBytes)];
    const answer = await redis.script(SINCE, [streamOf(place), ERA], asked);
    const [complete, last, entries] = answer as [number, MessageId, StreamEntry[]];
    return { complete: complete === 1, last, messages: entries.map(toMessage) };
  }

  function catchUp(place: Place, listening: Listening): Promise<void> {
    listening.behind = true;
    listening.catchingUp ??= readOn(place, listening).finally(() => {
      listening.catchingUp = undefined;
    });
    return listening.catchingUp;
  }

  async function readOn(place: Place, listening: Listening): Promise<void> {
    const { listener } = listening;
    while (listening.behind && listening.position !== undefined) {
      listening.behind = false;
      const { complete, last, messages } = await readSince(
        place,
        listening.position,
        Number.MAX_SAFE_INTEGER,
      );
      if (listenings.get(place) !== listening) return;
      for (const message of messages) {
        listening.position = message.id;
        listener.message(message);
      }
      if (complete) continue;
      listening.position = last;
      listener.lost(last);
    }
  }

  function listen(place: Place, listener: ChannelListener): Listening {
    const listening: Listening = {
      listener,
      position: undefined,
      catchingUp: undefined,
      behind: false,
      hear(text) {
        // The connection listens on after an `unsubscribe` that it was told of while it was away.
        if (listenings.get(place) !== listening) return stopHearing(place, listening);
        if (text === PRESENCE_CHANGED) return listener.presence();
        const { before, message } = parseSaid(text);
        const { position } = listening;
        if (position === undefined || listening.catchingUp) {
          listening.behind = true;
          return;
        }
        if (compareMessageIds(message.id, position) <= 0) return;
        if (before !== '' && compareMessageIds(before, position) > 0) {
          catchUp(place, listening).catch(mistrust);
          return;
        }
        listening.position = message.id;
        listener.message(message);
      },
    };
    listenings.set(place, listening);
    return listening;
  }

  function stopHearing(place: Place, { hear }: Listening): void {
    redis.subscriber.unsubscribe(topicOf(place), hear).catch(() => undefined);
  }

  const broker: Broker = {
    async publish(place, body) {
      const id = await redis.script(
        PUBLISH,
        [streamOf(place)],
        [body, String(kept), String(keptMs), topicOf(place)],
      );
      return String(id);
    },
    async history(place, { start, end = '+', limit }) {
      const oldest = `${Date.now() - keptMs}-0`;
      const from = start !== undefined && compareMessageIds(start, oldest) > 0 ? start : oldest;
      const range = start === undefined ? ['XREVRANGE', end, from] : ['XRANGE', from, end];
      const asked = [...range, String(limit), String(MAX_ANSWER_BYTES)];
      const entries = (await redis.script(HISTORY, [streamOf(place)], asked)) as StreamEntry[];
      const messages = entries.map(toMessage);
      return start === undefined ? messages.reverse() : messages;
    },
    async since(place, after) {
      const listening = listenings.get(place);
      // So that what comes to the listener from now on comes after all that is answered here.
      if (after !== undefined && listening?.position !== undefined) await catchUp(place, listening);
      return readSince(place, after);
    },
    async subscribe(place, listener) {
      const listening = listen(place, listener);
      await redis.run(() => redis.subscriber.subscribe(topicOf(place), listening.hear));
      const { last } = await readSince(place, undefined);
      listening.position = last;
      if (listening.behind) catchUp(place, listening).catch(mistrust);
      return last;
    },
    unsubscribe(place) {
      const listening = listenings.get(place);
      if (!listening) return;
      listenings.delete(place);
      stopHearing(place, listening);
    },
    join: presence.join,
    leave: presence.leave,
    present: presence.present,
    state: () => (ready ? { ready } : { ready, reason: 'Redis is away.' }),
    onReady: (listener) => void readyListeners.add(listener),
    async close() {
      await presence.close();
      await redis.close();
    },
  };
  // A server that is there is waited for; one that is not keeps nothing from starting.
  await Promise.race([readiness, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
  return broker;
}

type StreamEntry = [id: MessageId, fields: string[]];

function toMessage([id, [, body = '{}']]: StreamEntry): StoredMessage {
  return { id, body };
}

/** What the script wrote: `m <id before> <id> <text>`. */
function parseSaid(text: string): { before: string; message: StoredMessage } {
  const beforeEnds = text.indexOf(' ', 2);
  const idEnds = text.indexOf(' ', beforeEnds + 1);
  const id = text.slice(beforeEnds + 1, idEnds);
  return { before: text.slice(2, beforeEnds), message: { id, body: text.slice(idEnds + 1) } };
}

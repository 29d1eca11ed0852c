import { randomUUID } from 'node:crypto';
import type { Broker, ChannelKey } from './broker/broker.ts';
import { RESYNC_BODY } from './broker/frame.ts';

/** Announcements of one channel that wait: more of them are replaced by one `resync`, after which clients fetch anew. */
const MAX_PER_CHANNEL = 100;
/** Announcements of all channels that wait while the broker is away. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;

interface Waiting {
  key: ChannelKey;
  body: string;
  /** Grows with each attempt at another announcement; undefined before the first attempt. */
  number?: number;
}

/**
 * Publishes announcements in their order. While the broker is away, they wait; those that are too many for clients to take
 * one by one become a `resync` of their channel.
 */
export class AnnouncementQueue {
  readonly #broker: Broker;
  /** Has a broker know an announcement that is published again because the reply was lost. */
  readonly #sender: string = randomUUID();
  #numbers = 0;
  #waiting: Waiting[] = [];
  /** The announcements of each channel that wait. */
  readonly #counts = new Map<ChannelKey, number>();
  /** Projects whose clients have to fetch anew, because a change of theirs cannot be announced. */
  readonly #gaps = new Set<string>();
  /** Channels that get a `resync` once the flood is over: until then, each of their changes is in it. */
  readonly #flooded = new Set<ChannelKey>();
  #sending: PromiseWithResolvers<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(broker: Broker) {
    this.#broker = broker;
    broker.onReady(() => this.send());
  }

  add(key: ChannelKey, body: string): void {
    if (this.#flooded.has(key)) return;
    const count = (this.#counts.get(key) ?? 0) + 1;
    if (count > MAX_PER_CHANNEL) {
      this.#flood(key);
      return;
    }
    this.#counts.set(key, count);
    this.#waiting.push({ key, body });
    const [oldest] = this.#waiting;
    if (this.#waiting.length > MAX_WAITING && oldest) this.#flood(oldest.key);
  }

  /** Has all clients of a project fetch anew what they show. */
  addGap(projectId: string): void {
    this.#gaps.add(projectId);
  }

  /** How many messages wait, each `resync` among them. */
  get waiting(): number {
    return this.#waiting.length + this.#flooded.size + this.#gaps.size;
  }

  /** Publishes what waits. With `floods`, also the `resync` of channels whose announcements were too many. */
  async send({ floods = true } = {}): Promise<void> {
    if (floods) {
      for (const key of this.#flooded) this.#waiting.push({ key, body: RESYNC_BODY });
      this.#flooded.clear();
    }
    if (this.#sending) return this.#sending.promise;
    this.#sending = Promise.withResolvers();
    clearTimeout(this.#retry);
    try {
      for (const projectId of this.#gaps) {
        await this.#broker.resync(projectId);
        this.#gaps.delete(projectId);
      }
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        next.number ??= ++this.#numbers;
        await this.#broker.publish(next.key, next.body, { sender: this.#sender, number: next.number });
        if (this.#waiting[0] === next) this.#forgetFirst(next.key);
      }
    } catch {
      // The rest is sent when the broker is ready again, or by this timer if it was only slow.
      if (!this.#stopped) this.#retry = setTimeout(() => this.send(), RETRY_MS).unref();
    } finally {
      this.#sending.resolve();
      this.#sending = undefined;
    }
  }

  /** Attempts once more to publish what waits. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.send();
  }

  #flood(key: ChannelKey): void {
    this.#flooded.add(key);
    this.#waiting = this.#waiting.filter((waiting) => waiting.key !== key);
    this.#counts.delete(key);
  }

  #forgetFirst(key: ChannelKey): void {
    this.#waiting.shift();
    const left = (this.#counts.get(key) ?? 1) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

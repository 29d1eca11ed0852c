import { randomUUID } from 'node:crypto';
import type { Broker, ChannelKey, Member } from './broker.ts';
import type { RedisConnection } from './redis-connection.ts';

interface RedisPresenceOptions {
  redis: RedisConnection;
  /** The beginning of all keys. */
  keyPrefix: string;
  /** Returns the pub/sub topic of a channel. */
  topicOf(key: ChannelKey): string;
  heartbeatMs: number;
  /** Is called after each heartbeat that the server accepted. */
  onHeartbeat(): void;
  /** Is called when a heartbeat failed. */
  onHeartbeatFailed(error: unknown): void;
}

/** The pub/sub message that tells nodes that the members of a channel have changed. */
export const PRESENCE_CHANGED = 'p';
/** Heartbeats that a node may miss before it counts as dead. */
const MISSED_HEARTBEATS = 3;

interface OwnMember {
  member: Member;
  /** The `lastSeen` that the server knows. */
  sentLastSeen: number;
}

/**
 * Stores the members of each channel in a hash. Each member belongs to a node and counts while that node sends
 * heartbeats. Members of a dead node are ignored as soon as its heartbeat expires; any other node removes them.
 */
export class RedisPresence implements Pick<Broker, 'join' | 'leave' | 'present'> {
  readonly #options: RedisPresenceOptions;
  readonly #redis: RedisConnection;
  readonly #node: string = randomUUID();
  /** The members on this node, so that they can be written again after the server was away. */
  readonly #own = new Map<ChannelKey, Map<string, OwnMember>>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: RedisPresenceOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#timer = setInterval(() => void this.#beat(), options.heartbeatMs).unref();
  }

  async join(key: ChannelKey, member: Member): Promise<void> {
    const members = this.#own.get(key) ?? new Map();
    this.#own.set(key, members.set(member.socketId, { member, sentLastSeen: member.lastSeen }));
    await this.#put(key, [member]);
  }

  async leave(key: ChannelKey, socketId: string): Promise<void> {
    const members = this.#own.get(key);
    if (!members?.delete(socketId)) return;
    if (members.size === 0) this.#own.delete(key);
    await this.#redis.run((client) =>
      client
        .multi()
        .hDel(this.#membersOf(key), `${this.#node}/${socketId}`)
        .publish(this.#options.topicOf(key), PRESENCE_CHANGED)
        .exec(),
    );
  }

  async present(key: ChannelKey): Promise<Member[]> {
    const fields = Object.entries(await this.#redis.run((client) => client.hGetAll(this.#membersOf(key))));
    const living = new Set<string>([this.#node]);
    for (const node of new Set(fields.map(([field]) => nodeOf(field)))) {
      if (node !== this.#node && (await this.#isAlive(node))) living.add(node);
    }
    return fields
      .filter(([field]) => living.has(nodeOf(field)))
      .map(([, json]) => JSON.parse(json) as Member)
      .sort((a, b) => a.joinedAt - b.joinedAt);
  }

  /** Replaces everything that the server knows of this node's members. */
  async rejoin(): Promise<void> {
    await this.#remove(this.#node);
    await this.#sendHeartbeat();
    for (const [key, members] of this.#own)
      await this.#put(
        key,
        [...members.values()].map(({ member }) => member),
      );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#redis.isConnected()) await this.#remove(this.#node).catch(() => undefined);
  }

  #membersOf(key: ChannelKey): string {
    return `${this.#options.keyPrefix}:members:${key}`;
  }

  #heartbeatOf(node: string): string {
    return `${this.#options.keyPrefix}:node:${node}`;
  }

  #channelsOf(node: string): string {
    return `${this.#options.keyPrefix}:places:${node}`;
  }

  get #nodes(): string {
    return `${this.#options.keyPrefix}:nodes`;
  }

  async #beat(): Promise<void> {
    try {
      // Another node has removed this one if it was suspended for long.
      if (await this.#isAlive(this.#node)) await this.#sendHeartbeat();
      else await this.rejoin();
      await this.#sendLastSeen();
      await this.#removeDeadNodes();
      this.#options.onHeartbeat();
    } catch (error) {
      this.#options.onHeartbeatFailed(error);
    }
  }

  async #isAlive(node: string): Promise<boolean> {
    return (await this.#redis.run((client) => client.exists(this.#heartbeatOf(node)))) === 1;
  }

  async #sendHeartbeat(): Promise<void> {
    const lifeMs = this.#options.heartbeatMs * MISSED_HEARTBEATS;
    await this.#redis.run((client) =>
      client
        .multi()
        .set(this.#heartbeatOf(this.#node), '1', { PX: lifeMs })
        .sAdd(this.#nodes, this.#node)
        .exec(),
    );
  }

  async #sendLastSeen(): Promise<void> {
    for (const [key, members] of this.#own) {
      const changed = [...members.values()].filter(
        ({ member, sentLastSeen }) => member.lastSeen > sentLastSeen,
      );
      if (changed.length === 0) continue;
      const fields = this.#fieldsOf(changed.map(({ member }) => member));
      await this.#redis.run((client) => client.hSet(this.#membersOf(key), fields));
      for (const own of changed) own.sentLastSeen = own.member.lastSeen;
    }
  }

  async #put(key: ChannelKey, members: readonly Member[]): Promise<void> {
    await this.#redis.run((client) =>
      client
        .multi()
        .hSet(this.#membersOf(key), this.#fieldsOf(members))
        .sAdd(this.#channelsOf(this.#node), key)
        .publish(this.#options.topicOf(key), PRESENCE_CHANGED)
        .exec(),
    );
  }

  #fieldsOf(members: readonly Member[]): Record<string, string> {
    return Object.fromEntries(
      members.map((member) => [`${this.#node}/${member.socketId}`, JSON.stringify(member)]),
    );
  }

  async #removeDeadNodes(): Promise<void> {
    for (const node of await this.#redis.run((client) => client.sMembers(this.#nodes))) {
      if (node !== this.#node && !(await this.#isAlive(node))) await this.#remove(node);
    }
  }

  /** Removes a node and all its members. */
  async #remove(node: string): Promise<void> {
    for (const key of await this.#redis.run((client) => client.sMembers(this.#channelsOf(node)))) {
      const fields = await this.#redis.run((client) => client.hKeys(this.#membersOf(key)));
      const ofNode = fields.filter((field) => nodeOf(field) === node);
      if (ofNode.length === 0) continue;
      await this.#redis.run((client) =>
        client
          .multi()
          .hDel(this.#membersOf(key), ofNode)
          .publish(this.#options.topicOf(key), PRESENCE_CHANGED)
          .exec(),
      );
    }
    await this.#redis.run((client) =>
      client.multi().del(this.#channelsOf(node)).del(this.#heartbeatOf(node)).sRem(this.#nodes, node).exec(),
    );
  }
}

function nodeOf(field: string): string {
  return field.slice(0, field.indexOf('/'));
}

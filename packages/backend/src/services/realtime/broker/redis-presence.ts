import { randomUUID } from 'node:crypto';
import type { Broker, Member, Place } from './broker.ts';
import type { RedisConnection } from './redis-connection.ts';

export interface RedisPresenceOptions {
  redis: RedisConnection;
  /** What nodes that listen to a channel hear by. */
  topicOf(place: Place): string;
  heartbeatMs: number;
  /** Called with each sign of life that came through. */
  whenAlive(): void;
  /** Called when one did not. */
  whenSilent(error: unknown): void;
}

export interface RedisPresence extends Pick<Broker, 'join' | 'leave' | 'present'> {
  /** Brings the server up to date with who is here, whatever it knew. */
  rejoin(): Promise<void>;
  close(): Promise<void>;
}

/** What tells the nodes that somebody came or left. */
export const PRESENCE_CHANGED = 'p';
const NODES = 'fabrica:realtime:nodes';
/** Signs of life that may be missed before a node counts as gone. */
const MISSED_SIGNS = 3;

const membersOf = (place: Place) => `fabrica:realtime:members:${place}`;
const lifeOf = (node: string) => `fabrica:realtime:node:${node}`;
const placesOf = (node: string) => `fabrica:realtime:places:${node}`;

/**
 * Who is in which channel, in a hash a channel. Each member belongs to a node, and counts while that gives signs of life:
 * those of a node that has died are passed over at once when its time is over, and removed by whoever notices.
 */
export function createRedisPresence({
  redis,
  topicOf,
  heartbeatMs,
  whenAlive,
  whenSilent,
}: RedisPresenceOptions): RedisPresence {
  const node: string = randomUUID();
  /** The members of this node: what is to be known of them when the server was away. */
  const own = new Map<Place, Map<string, { member: Member; told: number }>>();
  const lifeMs = heartbeatMs * MISSED_SIGNS;
  const beating = setInterval(() => void beat(), heartbeatMs).unref();

  async function showLife(): Promise<void> {
    await redis.run((client) =>
      client.multi().set(lifeOf(node), '1', { PX: lifeMs }).sAdd(NODES, node).exec(),
    );
  }

  async function beat(): Promise<void> {
    try {
      // Others have given this node up, when it was stopped for long.
      const isKnown = await redis.run((client) => client.exists(lifeOf(node)));
      if (isKnown === 0) await rejoin();
      else await showLife();
      await tellLastSeen();
      await sweep();
      whenAlive();
    } catch (error) {
      whenSilent(error);
    }
  }

  async function tellLastSeen(): Promise<void> {
    for (const [place, members] of own) {
      const seen = [...members.values()].filter(({ member, told }) => member.lastSeen > told);
      if (seen.length === 0) continue;
      await redis.run((client) => client.hSet(membersOf(place), fieldsOf(seen.map(({ member }) => member))));
      for (const one of seen) one.told = one.member.lastSeen;
    }
  }

  function fieldsOf(members: readonly Member[]): Record<string, string> {
    return Object.fromEntries(
      members.map((member) => [`${node}/${member.socketId}`, JSON.stringify(member)]),
    );
  }

  async function put(place: Place, members: readonly Member[]): Promise<void> {
    await redis.run((client) =>
      client
        .multi()
        .hSet(membersOf(place), fieldsOf(members))
        .sAdd(placesOf(node), place)
        .publish(topicOf(place), PRESENCE_CHANGED)
        .exec(),
    );
  }

  /** Removes all that is known of a node. */
  async function forget(gone: string): Promise<void> {
    for (const place of await redis.run((client) => client.sMembers(placesOf(gone)))) {
      const key = membersOf(place);
      const fields = await redis.run((client) => client.hKeys(key));
      const itsOwn = fields.filter((field) => field.startsWith(`${gone}/`));
      if (itsOwn.length > 0) await redis.run((client) => client.hDel(key, itsOwn));
      await redis.run((client) => client.publish(topicOf(place), PRESENCE_CHANGED));
    }
    await redis.run((client) =>
      client.multi().del(placesOf(gone)).del(lifeOf(gone)).sRem(NODES, gone).exec(),
    );
  }

  async function sweep(): Promise<void> {
    for (const other of await redis.run((client) => client.sMembers(NODES))) {
      if (other !== node && (await redis.run((client) => client.exists(lifeOf(other)))) === 0)
        await forget(other);
    }
  }

  async function rejoin(): Promise<void> {
    await forget(node);
    await showLife();
    for (const [place, members] of own)
      await put(
        place,
        [...members.values()].map(({ member }) => member),
      );
  }

  return {
    rejoin,
    async join(place, member) {
      const members = own.get(place) ?? new Map();
      own.set(place, members.set(member.socketId, { member, told: member.lastSeen }));
      await put(place, [member]);
    },
    async leave(place, socketId) {
      const members = own.get(place);
      if (!members?.delete(socketId)) return;
      if (members.size === 0) own.delete(place);
      await redis.run((client) =>
        client
          .multi()
          .hDel(membersOf(place), `${node}/${socketId}`)
          .publish(topicOf(place), PRESENCE_CHANGED)
          .exec(),
      );
    },
    async present(place) {
      const fields = Object.entries(await redis.run((client) => client.hGetAll(membersOf(place))));
      const nodes = new Set(fields.map(([field]) => nodeOf(field)));
      const living = new Set<string>([node]);
      for (const other of nodes) {
        if (other !== node && (await redis.run((client) => client.exists(lifeOf(other)))) === 1)
          living.add(other);
      }
      return fields
        .filter(([field]) => living.has(nodeOf(field)))
        .map(([, json]) => JSON.parse(json) as Member)
        .sort((a, b) => a.joinedAt - b.joinedAt);
    },
    async close() {
      clearInterval(beating);
      if (redis.isConnected()) await forget(node).catch(() => undefined);
    },
  };
}

function nodeOf(field: string): string {
  return field.slice(0, field.indexOf('/'));
}

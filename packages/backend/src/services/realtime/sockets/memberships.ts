import { MAX_PRESENCE_BYTES, type ServerMessage } from '@fabrica/contract';
import type { ParsedClientMessage } from '@fabrica/contract/schemas';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { Member } from '../broker/broker.ts';
import { authorizeChannel, mayAct, type RuleOfChannel } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import type { Subscriber } from '../hub.ts';
import { toJson } from '../message-body.ts';
import { speakerOf } from './identity.ts';

/** The channels that one socket is in, and how it is shown there. */
export interface Memberships {
  /** Throws what keeps the caller out of the channel. */
  join(wish: Wish, caller: Caller): Promise<void>;
  leave(channel: string): void;
  /** For good: what is under way comes to nothing. */
  leaveAll(): void;
  /** Leaves the channels that this caller may not be in, and says so; goes by its name in the others. */
  judgeAnew(caller: Caller): void;
  /** It has been heard of. */
  seen(at: number): void;
}

export type Wish = Extract<ParsedClientMessage, { type: 'subscribe' }>['payload'];

export interface MembershipOptions {
  socketId: string;
  project: Project;
  ruleOf: RuleOfChannel;
  subscriber: Subscriber;
  send(message: ServerMessage): void;
  sendError(error: unknown, channel: string): void;
}

export function createMemberships(
  { broker, hub, limits, now, log }: Pick<RealtimeContext, 'broker' | 'hub' | 'limits' | 'now' | 'log'>,
  { socketId, project, ruleOf, subscriber, send, sendError }: MembershipOptions,
): Memberships {
  const { definition } = project;
  const channels = new Map<string, { member?: Member }>();
  let ended = false;
  const placeOf = (channel: string) => `${definition.id}:${channel}`;

  function leave(channel: string): void {
    hub.unsubscribe(placeOf(channel), subscriber);
    hide(channel);
    channels.delete(channel);
  }

  function hide(channel: string): void {
    const entry = channels.get(channel);
    if (!entry?.member) return;
    delete entry.member;
    broker.leave(placeOf(channel), socketId).catch(logFailure);
  }

  /** A broker that is away brings presence up to date by itself when it is back. */
  function logFailure(error: unknown): void {
    if (broker.state().ready) log.warn({ project: definition.id, err: error }, 'Presence could not be told');
  }

  /** Puts this socket among those who are in the channel, where its rule lets it; answers whether it is. */
  function show(channel: string, said: Pick<Wish, 'userId' | 'metadata'>, caller: Caller): boolean {
    const entry = channels.get(channel);
    if (!entry) return false;
    if (!mayAct(caller, ruleOf(channel).presence, definition)) {
      hide(channel);
      return false;
    }
    const userId = speakerOf(caller, said.userId) ?? `guest:${socketId}`;
    const at = now();
    const joinedAt = entry.member?.userId === userId ? entry.member.joinedAt : at;
    entry.member = { socketId, userId, metadata: said.metadata ?? {}, joinedAt, lastSeen: at };
    broker.join(placeOf(channel), entry.member).catch(logFailure);
    return true;
  }

  return {
    async join({ channel, userId, metadata, after }, caller) {
      if (ended) return;
      const { join, presence } = ruleOf(channel);
      authorizeChannel(caller, join, definition);
      if (!channels.has(channel) && channels.size >= limits.channels) {
        throw new AppError('QUOTA_EXCEEDED', `A socket may be in ${limits.channels} channels at a time.`);
      }
      if (metadata && Buffer.byteLength(toJson(metadata)) > MAX_PRESENCE_BYTES) {
        throw new AppError('PAYLOAD_TOO_LARGE', `metadata may have ${MAX_PRESENCE_BYTES / 1_024} kB here.`);
      }
      const place = placeOf(channel);
      const known = channels.get(channel);
      if (known) hub.unsubscribe(place, subscriber);
      channels.set(channel, known ?? {});
      try {
        await hub.subscribe(place, subscriber, after ?? undefined);
      } catch (error) {
        leave(channel);
        throw error;
      }
      if (ended) return;
      const isShown = (userId || metadata) && show(channel, { userId, metadata }, caller);
      if (!isShown && presence !== 'server') hub.tellPresence(place, subscriber).catch(logFailure);
    },
    leave,
    leaveAll() {
      ended = true;
      for (const channel of channels.keys()) leave(channel);
    },
    judgeAnew(caller) {
      for (const [channel, { member }] of channels) {
        try {
          authorizeChannel(caller, ruleOf(channel).join, definition);
        } catch (error) {
          leave(channel);
          // First that, so that nobody takes the error for the answer to something else that was asked.
          send({ type: 'unsubscribed', payload: { channel } });
          sendError(error, channel);
          continue;
        }
        if (!member) continue;
        // A name that a token stood for is nobody's to keep.
        const userId = caller.kind === 'anonymous' ? undefined : member.userId;
        const isSame = speakerOf(caller, userId) === member.userId;
        if (isSame && mayAct(caller, ruleOf(channel).presence, definition)) continue;
        show(channel, { userId, metadata: member.metadata }, caller);
      }
    },
    seen(at) {
      for (const { member } of channels.values()) if (member) member.lastSeen = at;
    },
  };
}

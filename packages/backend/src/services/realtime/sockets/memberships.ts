import { MAX_PRESENCE_BYTES, type ServerMessage } from '@fabrica/contract';
import type { ParsedClientMessage } from '@fabrica/contract/schemas';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { ProjectDefinition } from '../../../core/project.ts';
import { type ChannelKey, channelKey, type Member } from '../broker/broker.ts';
import { authorizeChannel, type FindChannelRule, mayAct } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import type { Subscriber } from '../hub.ts';
import { serializeJson } from '../message-body.ts';
import { senderId } from './identity.ts';

type SubscribeRequest = Extract<ParsedClientMessage, { type: 'subscribe' }>['payload'];

interface MembershipOptions {
  socketId: string;
  definition: ProjectDefinition;
  ruleOf: FindChannelRule;
  subscriber: Subscriber;
  send(message: ServerMessage): void;
  sendError(error: unknown, channel: string): void;
}

/** Holds the channels of one socket, and its presence in them. */
export class Memberships {
  readonly #context: RealtimeContext;
  readonly #options: MembershipOptions;
  readonly #channels = new Map<string, { member?: Member }>();
  #ended = false;

  constructor(context: RealtimeContext, options: MembershipOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Throws when the caller may not join the channel, or when the socket is in too many. */
  async join({ channel, userId, metadata, after }: SubscribeRequest, caller: Caller): Promise<void> {
    const { hub, limits } = this.#context;
    const { definition, ruleOf, subscriber } = this.#options;
    if (this.#ended) return;
    const { join, presence } = ruleOf(channel);
    authorizeChannel(caller, join, definition);
    if (!this.#channels.has(channel) && this.#channels.size >= limits.channels) {
      throw new AppError('QUOTA_EXCEEDED', `A socket may be in ${limits.channels} channels at a time.`);
    }
    if (metadata && Buffer.byteLength(serializeJson(metadata)) > MAX_PRESENCE_BYTES) {
      throw new AppError('PAYLOAD_TOO_LARGE', `metadata may have ${MAX_PRESENCE_BYTES / 1_024} kB here.`);
    }
    const key = this.#keyOf(channel);
    const known = this.#channels.get(channel);
    if (known) hub.unsubscribe(key, subscriber);
    this.#channels.set(channel, known ?? {});
    try {
      await hub.subscribe(key, subscriber, after ?? undefined);
    } catch (error) {
      this.leave(channel);
      throw error;
    }
    if (this.#ended) return;
    const isShown = (userId || metadata) && this.#show(channel, { userId, metadata }, caller);
    if (isShown || presence === 'server') return;
    hub.sendPresence(key, subscriber).catch((error) => this.#logFailure(error));
  }

  leave(channel: string): void {
    this.#context.hub.unsubscribe(this.#keyOf(channel), this.#options.subscriber);
    this.#hide(channel);
    this.#channels.delete(channel);
  }

  /** Leaves all channels for good: a `join` that is running has no effect any more. */
  leaveAll(): void {
    this.#ended = true;
    for (const channel of this.#channels.keys()) this.leave(channel);
  }

  /** Leaves the channels that this caller may not be in, with an error each, and updates its presence in the others. */
  reauthorize(caller: Caller): void {
    const { definition, ruleOf, send, sendError } = this.#options;
    for (const [channel, { member }] of this.#channels) {
      try {
        authorizeChannel(caller, ruleOf(channel).join, definition);
      } catch (error) {
        this.leave(channel);
        // This comes first, so that the client does not take the error for the response to another message.
        send({ type: 'unsubscribed', payload: { channel } });
        sendError(error, channel);
        continue;
      }
      if (!member) continue;
      // A caller whose token has ended must not keep the user id that the token stood for.
      const userId = caller.kind === 'anonymous' ? undefined : member.userId;
      const isSame = senderId(caller, userId) === member.userId;
      if (isSame && mayAct(caller, ruleOf(channel).presence, definition)) continue;
      this.#show(channel, { userId, metadata: member.metadata }, caller);
    }
  }

  /** Updates `lastSeen` in all channels. */
  seen(at: number): void {
    for (const { member } of this.#channels.values()) if (member) member.lastSeen = at;
  }

  #keyOf(channel: string): ChannelKey {
    return channelKey(this.#options.definition.id, channel);
  }

  /** Adds this socket to the presence of the channel if the rule allows it; returns whether it does. */
  #show(
    channel: string,
    { userId: claimed, metadata }: Pick<SubscribeRequest, 'userId' | 'metadata'>,
    caller: Caller,
  ): boolean {
    const { definition, ruleOf, socketId } = this.#options;
    const entry = this.#channels.get(channel);
    if (!entry) return false;
    if (!mayAct(caller, ruleOf(channel).presence, definition)) {
      this.#hide(channel);
      return false;
    }
    const userId = senderId(caller, claimed) ?? `guest:${socketId}`;
    const now = this.#context.now();
    const joinedAt = entry.member?.userId === userId ? entry.member.joinedAt : now;
    entry.member = { socketId, userId, metadata: metadata ?? {}, joinedAt, lastSeen: now };
    this.#context.broker.join(this.#keyOf(channel), entry.member).catch((error) => this.#logFailure(error));
    return true;
  }

  #hide(channel: string): void {
    const entry = this.#channels.get(channel);
    if (!entry?.member) return;
    delete entry.member;
    this.#context.broker
      .leave(this.#keyOf(channel), this.#options.socketId)
      .catch((error) => this.#logFailure(error));
  }

  /** Ignores failures while the broker is away: it brings presence up to date when it is ready again. */
  #logFailure(error: unknown): void {
    const { broker, log } = this.#context;
    if (broker.state().ready)
      log.warn({ project: this.#options.definition.id, err: error }, 'Presence could not be sent');
  }
}

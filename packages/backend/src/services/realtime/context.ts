import type { Logger } from 'pino';
import type { Caller } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import type { Broker } from './broker/broker.ts';
import type { Hub } from './hub.ts';

export interface SocketLimits {
  /** Sockets of this node. */
  sockets: number;
  /** Of one address, where addresses are limited at all. */
  socketsPerIp: number;
  messagesPerSecond: number;
  /** Of one socket. */
  channels: number;
  /** Bytes that wait for one socket before it is let go. */
  bufferedBytes: number;
  /** Milliseconds without a word after which a socket is closed. */
  silenceMs: number;
  /** Milliseconds after which it is asked again whether a socket still speaks for the account that it did. */
  askAgainMs: number;
}

/** What sockets and calls of this service work with. */
export interface RealtimeContext {
  broker: Broker;
  hub: Hub;
  authenticate(authorization: string | undefined, project: Project): Promise<Caller>;
  limits: SocketLimits;
  now: () => number;
  log: Logger;
}

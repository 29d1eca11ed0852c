import type { Logger } from 'pino';
import type { Caller } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import type { Broker } from './broker/broker.ts';
import type { Hub } from './hub.ts';

export interface SocketLimits {
  /** Open sockets on this node. */
  sockets: number;
  /** Open sockets of one IP address; infinite when IP addresses are not limited. */
  socketsPerIp: number;
  messagesPerSecond: number;
  /** Channels that one socket may be in. */
  channels: number;
  /** Bytes that may wait to be read by one socket before it is terminated. */
  bufferedBytes: number;
  /** Milliseconds without a message or ping after which a socket is closed. */
  silenceMs: number;
  /** Milliseconds between two checks whether a socket's token is still valid. */
  reauthenticateMs: number;
}

/** The dependencies that all sockets share. */
export interface RealtimeContext {
  broker: Broker;
  hub: Hub;
  authenticate(authorization: string | undefined, project: Project): Promise<Caller>;
  limits: SocketLimits;
  now: () => number;
  log: Logger;
}

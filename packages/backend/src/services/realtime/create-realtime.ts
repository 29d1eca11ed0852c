import { MAX_SOCKET_CHANNELS, SOCKET_IDLE_TIMEOUT_MS, SOCKET_MESSAGES_PER_SECOND } from '@fabrica/contract';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Bus } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { maxFileHandles } from '../../runtime/file-handles.ts';
import type { Meter } from '../../runtime/meter.ts';
import { announceChanges } from './announce-changes.ts';
import type { Broker, BrokerState } from './broker/broker.ts';
import { createInProcessBroker } from './broker/in-process-broker.ts';
import { createRedisBroker } from './broker/redis-broker.ts';
import type { RealtimeContext, SocketLimits } from './context.ts';
import { Hub } from './hub.ts';
import { realtimeRoutes } from './routes.ts';
import type { RealtimeSettings } from './settings.ts';
import { type AcceptSockets, createAcceptSockets } from './sockets/accept-sockets.ts';

interface RealtimeOptions extends Pick<RealtimeContext, 'broker' | 'authenticate' | 'log'> {
  projects: ReadonlyMap<string, Project>;
  /** Names this process among those that share its databases. */
  nodeId: string;
  origins: OriginLists;
  bus: Pick<Bus, 'subscribe' | 'subscribeTables'>;
  /** Rate limits of HTTP requests; sockets have limits of their own. */
  limits: RateLimits;
  trustedProxies: number;
  /** Limits the sockets of one IP address too. */
  limitsPerIp?: boolean;
  meter?: Meter | undefined;
  socketLimits?: Partial<SocketLimits>;
  now?: () => number;
  tickMs?: number;
  presenceMs?: number;
  /** Milliseconds between two beats of a node, and without one after which others count it as dead. */
  beatMs?: number;
  deadMs?: number;
}

export interface Realtime {
  /** For `/api/realtime/:projectId`. */
  routes: Hono<AppEnvironment>;
  handleUpgrade: AcceptSockets['handleUpgrade'];
  state(): BrokerState;
  /** Closes all sockets; clients may reconnect to another node at once. */
  closeSockets(): void;
  close(): Promise<void>;
}

const LIMITS: SocketLimits = {
  // Idle sockets leave half of the file handles to everything else.
  sockets: Math.min(10_000, maxFileHandles() / 2),
  socketsPerIp: Number.POSITIVE_INFINITY,
  messagesPerSecond: SOCKET_MESSAGES_PER_SECOND,
  channels: MAX_SOCKET_CHANNELS,
  bufferedBytes: 1024 * 1024,
  silenceMs: SOCKET_IDLE_TIMEOUT_MS,
  reauthenticateMs: 60_000,
};
/** This is high because a whole school or company may share an IP address. */
const SOCKETS_PER_IP = 1_000;
const TICK_MS = 1_000;

/** Returns a broker on Redis if the settings name one, or else in this process alone. */
export async function openBroker({ redisUrl: url }: RealtimeSettings, log: Logger): Promise<Broker> {
  return url ? createRedisBroker({ url, log }) : createInProcessBroker();
}

/** Creates the service for channels, messages and presence of all projects. */
export function createRealtime({
  broker,
  authenticate,
  log,
  projects,
  nodeId,
  origins,
  bus,
  limits,
  trustedProxies,
  limitsPerIp = false,
  meter,
  socketLimits,
  now = Date.now,
  tickMs = TICK_MS,
  presenceMs,
  beatMs,
  deadMs,
}: RealtimeOptions): Realtime {
  const hub = new Hub({
    broker,
    ...(presenceMs !== undefined && { presenceMs }),
    onError: (error) => log.warn({ err: error }, 'Presence could not be sent'),
  });
  const perIp = limitsPerIp ? { socketsPerIp: SOCKETS_PER_IP } : {};
  const context = { broker, hub, authenticate, log, now, limits: { ...LIMITS, ...perIp, ...socketLimits } };
  const sockets = createAcceptSockets(context, { projects, origins, trustedProxies, tickMs });
  meter?.sockets.add(() => [{ labels: {}, value: sockets.open }]);
  const stopAnnouncing = announceChanges({ nodeId, broker, bus, projects, log, meter, beatMs, deadMs });
  return {
    routes: realtimeRoutes({ broker, limits }),
    handleUpgrade: sockets.handleUpgrade,
    state: () => broker.state(),
    closeSockets: () => sockets.closeAll(),
    async close() {
      sockets.closeAll();
      await stopAnnouncing();
      hub.close();
      await broker.close();
    },
  };
}

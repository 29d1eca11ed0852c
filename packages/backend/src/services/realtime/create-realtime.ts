import { MAX_SOCKET_CHANNELS, SOCKET_IDLE_TIMEOUT_MS, SOCKET_MESSAGES_PER_SECOND } from '@fabrica/contract';
import type { Hono } from 'hono';
import type { Bus } from '../../core/bus.ts';
import type { OriginLists } from '../../http/cors.ts';
import type { AppEnvironment, Project } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { announceChanges } from './announce-changes.ts';
import type { BrokerState } from './broker/broker.ts';
import type { RealtimeContext, SocketLimits } from './context.ts';
import { createHub } from './hub.ts';
import { realtimeRoutes } from './routes.ts';
import { type AcceptSockets, createAcceptSockets } from './sockets/accept-sockets.ts';

export interface RealtimeOptions extends Pick<RealtimeContext, 'broker' | 'authenticate' | 'log'> {
  projects: ReadonlyMap<string, Project>;
  origins: OriginLists;
  bus: Pick<Bus, 'subscribe'>;
  /** Of calls; sockets have their own. */
  rateLimits: RateLimits;
  trustedProxies: number;
  limits?: Partial<SocketLimits>;
  now?: () => number;
  tickMs?: number;
  presenceMs?: number;
}

export interface Realtime {
  /** For `/api/realtime/:projectId`. */
  routes: Hono<AppEnvironment>;
  handleUpgrade: AcceptSockets['handleUpgrade'];
  state(): BrokerState;
  /** Sends everybody away, who may come back to another node at once. */
  endSockets(): void;
  close(): Promise<void>;
}

const LIMITS: SocketLimits = {
  sockets: 10_000,
  socketsPerAddress: Number.POSITIVE_INFINITY,
  messagesPerSecond: SOCKET_MESSAGES_PER_SECOND,
  channels: MAX_SOCKET_CHANNELS,
  bufferedBytes: 1024 * 1024,
  silenceMs: SOCKET_IDLE_TIMEOUT_MS,
  askAgainMs: 60_000,
};
const TICK_MS = 1_000;

/** Channels, messages and presence of all projects. */
export function createRealtime({
  broker,
  authenticate,
  log,
  projects,
  origins,
  bus,
  rateLimits,
  trustedProxies,
  limits,
  now = Date.now,
  tickMs = TICK_MS,
  presenceMs,
}: RealtimeOptions): Realtime {
  const hub = createHub({
    broker,
    ...(presenceMs !== undefined && { presenceMs }),
    onError: (error) => log.warn({ err: error }, 'Presence could not be told'),
  });
  const context = { broker, hub, authenticate, log, now, limits: { ...LIMITS, ...limits } };
  const sockets = createAcceptSockets(context, { projects, origins, trustedProxies, tickMs });
  const stopAnnouncing = announceChanges({ broker, bus, projects, log });
  return {
    routes: realtimeRoutes({ broker, limits: rateLimits }),
    handleUpgrade: sockets.handleUpgrade,
    state: () => broker.state(),
    endSockets: () => sockets.endAll(),
    async close() {
      sockets.endAll();
      await stopAnnouncing();
      hub.close();
      await broker.close();
    },
  };
}

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_REALTIME_BYTES, SOCKET_CLOSE } from '@fabrica/contract';
import type { WebSocketServer } from 'ws';
import type { Project } from '../../../database/project.ts';
import type { OriginLists } from '../../../http/cors.ts';
import { OpenByNetwork } from '../../../http/open-by-network.ts';
import { clientIp } from '../../../http/request-context.ts';
import { createChannelRules, type FindChannelRule } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import {
  type HandshakeError,
  NODE_FULL,
  ORIGIN_NOT_ALLOWED,
  PROJECT_NOT_FOUND,
  refuseHandshake,
  TOO_MANY_SOCKETS,
} from './refuse-handshake.ts';
import { SocketSession } from './socket-session.ts';

interface AcceptOptions {
  projects: ReadonlyMap<string, Project>;
  origins: OriginLists;
  trustedProxies: number;
  /** Milliseconds between two checks for silent sockets and expired tokens. */
  tickMs: number;
}

export interface AcceptSockets {
  /** Accepts or refuses a websocket handshake at any path. Must be called within the server's `upgrade` event. */
  handleUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Asks all clients to reconnect later, and terminates those that do not close in time. */
  closeAll(): void;
  /** The number of open sockets. */
  readonly open: number;
}

/** Milliseconds that a client may take to complete the closing handshake. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Fragments of one message. A whole message may have 64 KiB. */
const MAX_FRAGMENTS = 512;

export function createAcceptSockets(
  context: RealtimeContext,
  { projects, origins, trustedProxies, tickMs }: AcceptOptions,
): AcceptSockets {
  const { limits, now } = context;
  const sessions = new Set<SocketSession>();
  const counts = new OpenByNetwork(limits.socketsPerIp);
  const rules = new Map<string, FindChannelRule>();
  let server: Promise<WebSocketServer> | undefined;
  let closing = false;

  const ticking = setInterval(() => {
    const at = now();
    for (const session of sessions) session.tick(at);
  }, tickMs).unref();

  function ruleOf({ definition }: Project): FindChannelRule {
    const known = rules.get(definition.id) ?? createChannelRules(definition);
    rules.set(definition.id, known);
    return known;
  }

  function findError(
    project: Project,
    { ipAddress, origin }: { ipAddress: string; origin: string | undefined },
  ): HandshakeError | undefined {
    const allowed = origins.of(project.definition.id);
    if (origin !== undefined && !allowed.has(origin) && !allowed.has('*')) return ORIGIN_NOT_ALLOWED;
    if (closing || sessions.size >= limits.sockets) return NODE_FULL;
    return counts.isFull(ipAddress) ? TOO_MANY_SOCKETS : undefined;
  }

  async function accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    server ??= openServer();
    const opened = await server;
    const query = URL.parse(incoming.url ?? '', 'http://localhost')?.searchParams;
    const project = projects.get(query?.get('project_id') ?? '');
    const refusing = { incoming, socket, log: context.log };
    if (!project) return refuseHandshake(PROJECT_NOT_FOUND, refusing);
    const { origin, 'x-forwarded-for': forwarded } = incoming.headers;
    const ipAddress = clientIp(incoming.socket.remoteAddress, forwarded?.toString(), trustedProxies);
    const error = findError(project, { ipAddress, origin });
    if (error) return refuseHandshake(error, refusing);
    opened.handleUpgrade(incoming, socket, head, (ws) => {
      counts.count(ipAddress, 1);
      const session = new SocketSession(context, {
        project,
        ruleOf: ruleOf(project),
        ws,
        socket,
        token: query?.get('token') ?? undefined,
        mayAuthenticate: origin === undefined || origins.of(project.definition.id).has(origin),
        onClosed() {
          sessions.delete(session);
          counts.count(ipAddress, -1);
        },
      });
      sessions.add(session);
    });
  }

  return {
    handleUpgrade(incoming, socket, head) {
      socket.on('error', () => socket.destroy());
      accept(incoming, socket, head).catch((error) => {
        context.log.error({ err: error }, 'A websocket could not be opened');
        socket.destroy();
      });
    },
    get open() {
      return sessions.size;
    },
    closeAll() {
      closing = true;
      clearInterval(ticking);
      for (const session of sessions) session.close(SOCKET_CLOSE.goingAway, 'The server stops');
    },
  };
}

/** Loads the package with the first socket: a server without sockets does not need it. */
async function openServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // A message in many small fragments takes many times its length in memory.
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_FRAGMENTS,
    maxPayload: MAX_REALTIME_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
}

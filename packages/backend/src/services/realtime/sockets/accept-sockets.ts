import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorBody, MAX_REALTIME_BYTES, SOCKET_CLOSE } from '@fabrica/contract';
import type { WebSocketServer } from 'ws';
import type { Project } from '../../../database/project.ts';
import type { OriginLists } from '../../../http/cors.ts';
import { ipKey } from '../../../http/rate-limit.ts';
import { clientIp, requestLine } from '../../../http/request-context.ts';
import { createChannelRules, type RuleOfChannel } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import { openSession, type SocketSession } from './socket-session.ts';

export interface AcceptOptions {
  projects: ReadonlyMap<string, Project>;
  origins: OriginLists;
  trustedProxies: number;
  /** Milliseconds between two looks at who has been silent and whose token has ended. */
  tickMs: number;
}

export interface AcceptSockets {
  /** Takes the socket of a websocket handshake, at whatever path, or answers why not. Must be called as it arrives. */
  handleUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Tells all of them to come back later, and cuts off those that do not go. */
  endAll(): void;
  count(): number;
}

/** Milliseconds that the other side may take to say goodbye as well. */
const GOODBYE_MS = 2_000;
/** Parts that a message may come in; whole, it has 64 KiB. */
const MAX_PARTS = 512;

export function createAcceptSockets(
  context: RealtimeContext,
  { projects, origins, trustedProxies, tickMs }: AcceptOptions,
): AcceptSockets {
  const { limits, now } = context;
  const sessions = new Set<SocketSession>();
  const ofAddress = new Map<string, number>();
  const rules = new Map<string, RuleOfChannel>();
  let server: Promise<WebSocketServer> | undefined;
  let ending = false;

  const ticking = setInterval(() => {
    const at = now();
    for (const session of sessions) session.tick(at);
  }, tickMs).unref();

  function ruleOf({ definition }: Project): RuleOfChannel {
    const known = rules.get(definition.id) ?? createChannelRules(definition);
    rules.set(definition.id, known);
    return known;
  }

  function count(address: string, change: 1 | -1): void {
    const sockets = (ofAddress.get(address) ?? 0) + change;
    if (sockets > 0) ofAddress.set(address, sockets);
    else ofAddress.delete(address);
  }

  function refusal(
    project: Project | undefined,
    address: string,
    origin: string | undefined,
  ): Refusal | undefined {
    if (!project) return NO_PROJECT;
    const ofProject = origins.of(project.definition.id);
    if (origin !== undefined && !ofProject.has(origin) && !ofProject.has('*')) return OTHER_ORIGIN;
    if (ending || sessions.size >= limits.sockets) return FULL;
    return (ofAddress.get(address) ?? 0) >= limits.socketsPerIp ? TOO_MANY : undefined;
  }

  function refuse({ method = '', url = '' }: IncomingMessage, socket: Duplex, refusal: Refusal): void {
    const requestId = randomUUID();
    // The other side may never end its own.
    socket.end(presentRefusal(refusal, requestId), () => socket.destroy());
    const path = url.replace(/\?.*$/s, '');
    const started = performance.now();
    context.log.info(requestLine({ requestId, method, path, status: refusal.status, started }));
  }

  async function accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    server ??= openServer();
    const opened = await server;
    const query = URL.parse(incoming.url ?? '', 'http://localhost')?.searchParams;
    const project = projects.get(query?.get('project_id') ?? '');
    const { origin, 'x-forwarded-for': forwarded } = incoming.headers;
    const address = ipKey(clientIp(incoming.socket.remoteAddress, forwarded?.toString(), trustedProxies));
    const refused = refusal(project, address, origin);
    if (refused || !project) return refuse(incoming, socket, refused ?? NO_PROJECT);
    opened.handleUpgrade(incoming, socket, head, (ws) => {
      count(address, 1);
      const session = openSession(context, {
        project,
        ruleOf: ruleOf(project),
        ws,
        socket,
        token: query?.get('token') ?? undefined,
        mayAuthenticate: origin === undefined || origins.of(project.definition.id).has(origin),
        whenClosed() {
          sessions.delete(session);
          count(address, -1);
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
    endAll() {
      ending = true;
      clearInterval(ticking);
      for (const session of sessions) session.end(SOCKET_CLOSE.goingAway, 'The server stops');
    },
    count: () => sessions.size,
  };
}

/** Loaded with the first socket: a server without any does not need it. */
async function openServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // What has no end yet, or comes byte by byte, takes many times its length.
    maxFragments: MAX_PARTS,
    maxBufferedChunks: MAX_PARTS,
    maxPayload: MAX_REALTIME_BYTES,
    closeTimeout: GOODBYE_MS,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
}

interface Refusal extends ErrorBody {
  status: number;
}

const NO_PROJECT: Refusal = {
  status: 404,
  error: 'There is no project of this id here.',
  code: 'PROJECT_NOT_FOUND',
};
const OTHER_ORIGIN: Refusal = {
  status: 403,
  error: 'Pages of this origin may not call this project.',
  code: 'FORBIDDEN',
};
const FULL: Refusal = {
  status: 503,
  error: 'There is no room for another connection at the moment. Please try again later.',
  code: 'REALTIME_UNAVAILABLE',
};
const TOO_MANY: Refusal = {
  status: 429,
  error: 'There are too many connections from your address.',
  code: 'RATE_LIMITED',
};
const RETRY_SECONDS = 30;

function presentRefusal({ status, ...body }: Refusal, requestId: string): string {
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    `X-Request-Id: ${requestId}`,
    ...(status === 503 || status === 429 ? [`Retry-After: ${RETRY_SECONDS}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n${json}`;
}

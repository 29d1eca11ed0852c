import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { AppError } from '../../../core/errors.ts';
import type { Gate, ResolvedHost } from '../../../fetcher/index.ts';
import {
  createCredentialStore,
  type ProxyClient,
  type ProxyCredentials,
  ProxyError,
} from './proxy-credentials.ts';

const MAX_HEADER_BYTES = 64 * 1024;
/** Connections of all pages together, unauthenticated ones included. */
const MAX_CONNECTIONS = 512;
const CONNECT_MS = 10_000;
/** Milliseconds after which an idle connection is closed. */
const IDLE_MS = 30_000;

/** Headers of one connection only (RFC 9110, section 7.6.1), of this proxy, or that only it may send. */
const HOP_BY_HOP_HEADERS: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'proxy-status',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Marks responses of the proxy itself (RFC 9209). */
export const PROXY_STATUS = 'proxy-status';

const AUTHORITY = /^(\[[\da-f:.]+\]|[^\s:/@?#[\]]+):(\d{1,5})$/i;

export interface FilteringProxyOptions {
  gate: Gate;
  /** Bytes in both directions for one client; 50 MB. */
  maxBytes?: number;
  /** Concurrent connections to the proxy and from it for one client; 128. */
  maxConnections?: number;
  /** Milliseconds for the headers of a request; 10 s. */
  headTimeoutMs?: number;
}

/** An HTTP proxy on loopback that connects only where the gate allows. */
export interface FilteringProxy {
  /** `http://127.0.0.1:port`. */
  url: string;
  /** Issues credentials with which one page uses the proxy until they are revoked. */
  issueCredentials(account?: string): ProxyCredentials;
  close(): Promise<void>;
}

/**
 * Starts a proxy. It resolves and judges the host of each request, and connects to exactly the IP addresses that were
 * judged. Requests without valid credentials receive 407, so other users of this machine cannot use it. proxy-chain could
 * be given these addresses, but not the limits of a page: it hands out no socket to the host, parses leniently, and brings
 * SOCKS in eight packages.
 */
export async function startFilteringProxy({
  gate,
  maxBytes = 50 * 1024 * 1024,
  maxConnections = 128,
  headTimeoutMs = 10_000,
}: FilteringProxyOptions): Promise<FilteringProxy> {
  const credentialStore = createCredentialStore({ maxBytes, maxConnections });
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headTimeoutMs,
    connectionsCheckingInterval: headTimeoutMs / 2,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_MS;
  server.on('request', (request, response) => {
    forward(request, response).catch((error) => sendError(response, error));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    tunnel(request, socket, head).catch((error) => sendTunnelError(socket, error));
  });

  /** Forwards `GET http://host/path`, which is not encrypted. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const client = credentialStore.authenticate(request);
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') throw new ProxyError(400);
    const port = Number(url.port || 80);
    const socket = await connectClient(client, { host: url.hostname, port }, request.socket);
    const upstream = send({
      // An agent would open the connection itself.
      createConnection: () => socket,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      method: request.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...forwardedHeaders(request), host: url.host, connection: 'close' },
    });
    response.on('close', () => upstream.destroy());
    request.on('data', (chunk) => client.countBytes(chunk.length));
    request.pipe(upstream);
    const upstreamResponse = await new Promise<IncomingMessage>((resolve, reject) => {
      upstream.on('response', resolve);
      upstream.on('error', reject);
      upstream.on('close', () => reject(new Error('It closed the connection.')));
    }).catch((cause) => {
      throw client.recordFailure(`${url.hostname}:${port}`, unreachable(cause));
    });
    response.writeHead(upstreamResponse.statusCode ?? 502, forwardedHeaders(upstreamResponse));
    upstreamResponse.on('data', (chunk) => client.countBytes(chunk.length));
    upstreamResponse.on('error', () => response.destroy());
    upstreamResponse.pipe(response);
  }

  /** Tunnels `CONNECT host:port`, which TLS and websockets use. */
  async function tunnel(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const client = credentialStore.authenticate(request);
    const [, host, port] = AUTHORITY.exec(request.url ?? '') ?? [];
    if (!host) throw new ProxyError(400);
    const upstream = await connectClient(client, { host, port: Number(port) }, socket);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    joinSockets(socket, upstream, (bytes) => client.countBytes(bytes));
  }

  /** Connects to the host if the gate allows it. Both connections end when the credentials are revoked. */
  async function connectClient(
    client: ProxyClient,
    { host, port }: { host: string; port: number },
    socket: Socket,
  ): Promise<Socket> {
    client.addSocket(socket);
    const left = new AbortController();
    const leave = () => left.abort(new Error('The client has disconnected.'));
    socket.once('close', leave);
    if (socket.destroyed) leave();
    try {
      const { account } = client;
      const resolved = await gate.resolve(host, port, { account, signal: left.signal });
      left.signal.throwIfAborted();
      return await connectTo(resolved, (upstream) => client.addSocket(upstream));
    } catch (error) {
      throw client.recordFailure(`${host}:${port}`, error instanceof AppError ? error : unreachable(error));
    } finally {
      socket.off('close', leave);
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // The proxy does not keep the process running.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issueCredentials: credentialStore.issue,
    async close() {
      credentialStore.revokeAll();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends what comes from each socket to the other, until either closes or both are idle. */
function joinSockets(one: Socket, other: Socket, onBytes: (count: number) => void): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.setTimeout(IDLE_MS, () => from.destroy());
    from.on('data', (chunk) => onBytes(chunk.length));
    from.on('error', () => from.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}

/** Connects to one of these IP addresses; the name is not resolved again. */
function connectTo({ addresses, port }: ResolvedHost, onSocket: (socket: Socket) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: 'judged',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, found) => found(null, [...addresses]),
    });
    onSocket(socket);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('It took too long to connect.')));
    socket.once('connect', () => {
      socket.setTimeout(IDLE_MS, () => socket.destroy());
      resolve(socket);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('It closed the connection.')));
  });
}

function forwardedHeaders({ headersDistinct }: IncomingMessage): Record<string, string[]> {
  const connectionHeaders = (headersDistinct.connection ?? []).flatMap((value) =>
    value.toLowerCase().split(/\s*,\s*/),
  );
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name) && !connectionHeaders.includes(name))
      .map(([name, values = []]) => [name, values]),
  );
}

function headersOf(error: unknown): { status: number; headers: Record<string, string> } {
  const status = error instanceof ProxyError || error instanceof AppError ? error.status : 502;
  return {
    status,
    headers: {
      [PROXY_STATUS]: 'fabrica; error=http_request_denied',
      'content-length': '0',
      connection: 'close',
      ...(status === 407 && { 'proxy-authenticate': 'Basic realm="fabrica"' }),
    },
  };
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else {
    const { status, headers } = headersOf(error);
    response.writeHead(status, headers).end();
  }
}

function sendTunnelError(socket: Socket, error: unknown): void {
  if (socket.destroyed) return;
  const { status, headers } = headersOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n`);
  // A socket must not stay half-open for as long as the other end likes.
  socket.destroySoon();
}

function unreachable(cause: unknown): AppError {
  return new AppError('FETCH_FAILED', 'The address cannot be reached.', { cause });
}

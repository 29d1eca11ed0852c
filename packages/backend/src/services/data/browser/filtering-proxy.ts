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
/** Of all pages together, those that nobody has signed in on included. */
const MAX_CONNECTIONS = 512;
const CONNECT_MS = 10_000;
/** A connection over which nothing comes or goes for so long is closed. */
const SILENCE_MS = 30_000;

/** Only for the connection on which they came (RFC 9110, section 7.6.1), or for this proxy, or said by it alone. */
const NOT_PASSED_ON: readonly string[] = [
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

/** RFC 9209: marks the proxy's own answers, which are no page's. */
export const PROXY_STATUS = 'proxy-status';

const AUTHORITY = /^(\[[\da-f:.]+\]|[^\s:/@?#[\]]+):(\d{1,5})$/i;

export interface FilteringProxyOptions {
  gate: Gate;
  /** Bytes, both ways, for one pass; 50 MB. */
  maxBytes?: number;
  /** Connections at once for one pass, to the proxy and from it; 128. */
  maxConnections?: number;
  /** Milliseconds for the head of a request, whoever sends it; 10 s. */
  headMs?: number;
}

/** An HTTP proxy on loopback that connects only to where the gate lets it. */
export interface FilteringProxy {
  /** `http://127.0.0.1:port`. */
  address: string;
  /** Lets one page use the proxy, until it is ended. */
  open(): ProxyCredentials;
  close(): Promise<void>;
}

/**
 * Each host is looked up and judged here, request for request, and connected to at exactly the addresses that were
 * judged. Who comes without the credentials of an open pass is 407: other users of this machine get nothing.
 */
export async function startFilteringProxy({
  gate,
  maxBytes = 50 * 1024 * 1024,
  maxConnections = 128,
  headMs = 10_000,
}: FilteringProxyOptions): Promise<FilteringProxy> {
  const passes = createCredentialStore({ maxBytes, maxConnections });
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: headMs,
    connectionsCheckingInterval: headMs / 2,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENCE_MS;
  server.on('request', (request, response) => {
    forward(request, response).catch((error) => refuse(response, error));
  });
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => client.destroy());
    tunnel(request, client, head).catch((error) => refuseTunnel(client, error));
  });

  /** `GET http://host/path`: what is not encrypted. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pass = passes.require(request);
    const url = URL.parse(request.url ?? '');
    if (url?.protocol !== 'http:') throw new ProxyError(400);
    const port = Number(url.port || 80);
    const socket = await reach(pass, { host: url.hostname, port }, request.socket);
    const upstream = send({
      // With an agent this would not be asked, and the agent would connect by itself.
      createConnection: () => socket,
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      method: request.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { ...passedOn(request), host: url.host, connection: 'close' },
    });
    response.on('close', () => upstream.destroy());
    request.on('data', (chunk) => pass.spend(chunk.length));
    request.pipe(upstream);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      upstream.on('response', resolve);
      upstream.on('error', reject);
      upstream.on('close', () => reject(new Error('It closed the connection.')));
    }).catch((cause) => {
      throw pass.fail(`${url.hostname}:${port}`, unreachable(cause));
    });
    response.writeHead(answer.statusCode ?? 502, passedOn(answer));
    answer.on('data', (chunk) => pass.spend(chunk.length));
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  }

  /** `CONNECT host:port`: TLS, and websockets of either kind. */
  async function tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const pass = passes.require(request);
    const [, host, port] = AUTHORITY.exec(request.url ?? '') ?? [];
    if (!host) throw new ProxyError(400);
    const upstream = await reach(pass, { host, port: Number(port) }, client);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setTimeout(SILENCE_MS, () => from.destroy());
      from.on('data', (chunk) => pass.spend(chunk.length));
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  }

  /** Where the page wants to go, if it may; both connections end with the pass. */
  async function reach(
    pass: ProxyClient,
    { host, port }: { host: string; port: number },
    client: Socket,
  ): Promise<Socket> {
    pass.hold(client);
    try {
      const place = await gate.resolve(host, port);
      if (client.destroyed) throw new Error('Nobody waits for it any more.');
      return await connectTo(place, (socket) => pass.hold(socket));
    } catch (error) {
      throw pass.fail(`${host}:${port}`, error instanceof AppError ? error : unreachable(error));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It serves a browser, and keeps nothing else from ending.
  server.unref();
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: passes.open,
    async close() {
      passes.endAll();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Opens no other connection than to one of these addresses; no name is looked up again. */
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
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
      resolve(socket);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('It closed the connection.')));
  });
}

function passedOn({ headersDistinct }: IncomingMessage): Record<string, string[]> {
  const named = (headersDistinct.connection ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !NOT_PASSED_ON.includes(name) && !named.includes(name))
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

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else {
    const { status, headers } = headersOf(error);
    response.writeHead(status, headers).end();
  }
}

function refuseTunnel(client: Socket, error: unknown): void {
  if (client.destroyed) return;
  const { status, headers } = headersOf(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  client.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n`);
  // It does not stay half-open for as long as the other end likes.
  client.destroySoon();
}

function unreachable(cause: unknown): AppError {
  return new AppError('FETCH_FAILED', 'The address cannot be reached.', { cause });
}

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { OpenByNetwork } from '@fabrica/backend';
import type { ErrorBody } from '@fabrica/contract';
import { refuse } from './handle-client-errors.ts';

export interface ConnectionLimits {
  /** Connections of one IP address that are no websockets, which have a limit of their own; 0: any number. */
  perIp: number;
  /** A body must bring `bytes` in every so many milliseconds, or its connection is closed. */
  slowest?: { bytes: number; ms: number };
  /** A body that is no upload may take this many milliseconds. */
  longestBodyMs?: number;
}

/** 500 bytes a second: less than the slowest mobile networks bring. */
const SLOWEST = { bytes: 10_000, ms: 20_000 };
const LONGEST_BODY_MS = 10 * 60 * 1000;
/** The path of uploads, which may take as long as any request. */
const UPLOAD = /^\/api\/storage\/[^/]+\/upload(?:$|\?)/;

const TOO_MANY: ErrorBody = {
  error: 'There are too many connections from your address. Please wait a moment and try again.',
  code: 'RATE_LIMITED',
};
const RETRY_SECONDS = 10;

/** Bounds what slow or many connections can hold of the server: the connections of an IP address, and slow bodies. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  if (limits.perIp > 0) limitPerIp(server, limits.perIp);
  limitBodies(server, limits);
}

function limitPerIp(server: Server, perIp: number): void {
  const open = new OpenByNetwork(perIp);
  const counted = new WeakMap<object, string>();
  const release = (socket: object) => {
    const ipAddress = counted.get(socket);
    counted.delete(socket);
    if (ipAddress !== undefined) open.count(ipAddress, -1);
  };
  server.on('connection', (socket: Socket) => {
    const ipAddress = socket.remoteAddress ?? '';
    if (open.isFull(ipAddress)) {
      refuse(socket, { status: 429, body: TOO_MANY, headers: [`Retry-After: ${RETRY_SECONDS}`] });
      return;
    }
    counted.set(socket, ipAddress);
    open.count(ipAddress, 1);
    socket.once('close', () => release(socket));
  });
  server.on('upgrade', (_, socket) => release(socket));
}

/** Most requests have no body, and nothing is noted of them. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

interface Receiving {
  startedAt: number;
  windowAt: number;
  /** Bytes that the connection had brought when the window began. */
  bytes: number;
}

function limitBodies(
  server: Server,
  { slowest = SLOWEST, longestBodyMs = LONGEST_BODY_MS }: ConnectionLimits,
): void {
  const receiving = new Map<IncomingMessage, Receiving>();
  server.on('request', (incoming: IncomingMessage) => {
    if (!hasBody(incoming)) return;
    const now = performance.now();
    receiving.set(incoming, { startedAt: now, windowAt: now, bytes: incoming.socket.bytesRead });
    incoming.once('close', () => receiving.delete(incoming));
  });
  const check = () => {
    const now = performance.now();
    for (const [incoming, state] of receiving) {
      if (incoming.complete) receiving.delete(incoming);
      else if (isTooSlow(incoming, state, now)) {
        receiving.delete(incoming);
        const error = Object.assign(new Error('The body is too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        server.emit('clientError', error, incoming.socket);
      }
    }
  };
  const timer = setInterval(check, slowest.ms / 4).unref();
  server.once('close', () => clearInterval(timer));

  function isTooSlow(incoming: IncomingMessage, state: Receiving, now: number): boolean {
    if (now - state.startedAt > longestBodyMs && !UPLOAD.test(incoming.url ?? '')) return true;
    if (now - state.windowAt < slowest.ms) return false;
    const { bytesRead } = incoming.socket;
    const brought = bytesRead - state.bytes;
    state.windowAt = now;
    state.bytes = bytesRead;
    // What waits to be read is held up by this server.
    return brought < slowest.bytes && incoming.readableLength === 0;
  }
}

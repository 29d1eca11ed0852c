import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@fabrica/contract';
import type { Logger } from 'pino';
import { createRequestLog } from '../../../http/request-log.ts';

/** The HTTP response to a websocket handshake that is not accepted. */
export interface HandshakeError extends ErrorBody {
  status: number;
}

export const PROJECT_NOT_FOUND: HandshakeError = {
  status: 404,
  error: 'There is no project of this id here.',
  code: 'PROJECT_NOT_FOUND',
};
export const ORIGIN_NOT_ALLOWED: HandshakeError = {
  status: 403,
  error: 'Pages of this origin may not call this project.',
  code: 'FORBIDDEN',
};
export const NODE_FULL: HandshakeError = {
  status: 503,
  error: 'There is no room for another connection at the moment. Please try again later.',
  code: 'REALTIME_UNAVAILABLE',
};
export const TOO_MANY_SOCKETS: HandshakeError = {
  status: 429,
  error: 'There are too many connections from your address.',
  code: 'RATE_LIMITED',
};

const RETRY_SECONDS = 30;

/** Responds with the error, closes the connection and logs the request. */
export function refuseHandshake(
  error: HandshakeError,
  { incoming, socket, log }: { incoming: IncomingMessage; socket: Duplex; log: Logger },
): void {
  const { method = '', url = '' } = incoming;
  const requestId = randomUUID();
  // The client may never close its half of the connection.
  socket.end(presentHandshakeError(error, requestId), () => socket.destroy());
  const path = url.replace(/\?.*$/s, '');
  const started = performance.now();
  createRequestLog(log)({ requestId, method, path, status: error.status, started });
}

function presentHandshakeError({ status, ...body }: HandshakeError, requestId: string): string {
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

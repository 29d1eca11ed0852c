import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@fabrica/contract';

/** The URL and the headers together have at most this many bytes, for the longest accepted query and usual headers. */
export const MAX_HEADER_BYTES = 128 * 1024;

/** The rest of a rejected request is read for this many milliseconds. */
const LINGER_MS = 2_000;

const TOO_LARGE: ErrorBody = {
  error: `The address and the headers of a request may have ${MAX_HEADER_BYTES / 1024} kB together.`,
  code: 'PAYLOAD_TOO_LARGE',
};
const TOO_SLOW: ErrorBody = { error: 'The request took too long to arrive.', code: 'VALIDATION_FAILED' };
const UNREADABLE: ErrorBody = { error: 'This is no request that can be read.', code: 'VALIDATION_FAILED' };

/** Responds to requests that Node cannot parse, which never reach a route. Node itself would send no explanation. */
export function handleClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    const [status, body] = responseTo(error.code);
    return refuse(socket, { status, body });
  });
}

/** Sends a response over a connection whose request is not read, and closes it. */
export function refuse(
  socket: Socket,
  { status, body, headers = [] }: { status: number; body: ErrorBody; headers?: readonly string[] },
): void {
  const json = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'X-Content-Type-Options: nosniff',
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  // The rest of the request is read for a moment, because a reset connection would lose the response.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function responseTo(code: string | undefined): [number, ErrorBody] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, TOO_LARGE];
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? [408, TOO_SLOW] : [400, UNREADABLE];
}

import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export interface Sent {
  method?: string;
  /** Path and query as they stand on the wire: nothing is normalised. */
  path: string;
  headers?: Record<string, string | string[]>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** Default: one of 64 connections that all requests share. */
  agent?: Agent;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  ms: number;
}

const sharedAgent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request as it is, and returns the response. */
export function exchange(
  origin: string,
  { method = 'GET', path, headers = {}, body, agent = sharedAgent }: Sent,
): Promise<Received> {
  const { hostname, port } = new URL(origin);
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent,
        headers: {
          ...(bytes === undefined ? {} : { 'content-length': Buffer.byteLength(bytes) }),
          ...(isRaw || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
            ms: performance.now() - startedAt,
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(bytes);
  });
}

/** Sends bytes over a connection of their own, and returns what comes back until it is closed or silent. */
export function exchangeBytes(
  origin: string,
  bytes: string | Uint8Array,
  silenceMs = 1_000,
): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const end = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.setTimeout(silenceMs, end);
    socket.once('close', end);
    socket.on('error', end);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** Matches lines of a stack, of a database and of the machine, which no response may have. */
export const INNARDS =
  /\n\s+at [^\n]+:\d+:\d+|node:internal|SQLITE_|SqliteError|syntax error at or near|no such (?:column|table): |\/packages\/backend\/src|ECONNREFUSED|getaddrinfo|Cannot read properties of/;
/** Codes of errors that say which part, other than this server, did not do its work. */
const OTHERS_FAULTS =
  /"code":"(?:AI_|FETCH_|SEARCH_|BROWSER_|STATEMENT_TIMEOUT|FILE_NOT_READY|REALTIME_UNAVAILABLE)/;

/** Returns what no response may be, whatever was sent: a failure of ours, a look inside, a long wait. */
export function faultOf({ status, text, ms }: Received, slowMs = 12_000): string | undefined {
  if (status >= 500 && !(status !== 500 && OTHERS_FAULTS.test(text)))
    return `${status} ${text.slice(0, 120)}`;
  const innards = INNARDS.exec(text)?.[0];
  if (innards !== undefined) return `the response shows ${JSON.stringify(innards.slice(0, 80))}`;
  return ms > slowMs ? `the response took ${Math.round(ms / 1_000)} s` : undefined;
}

/** Returns a fault, or that a request which had to be refused was not. */
export function notRefused(received: Received, statuses: readonly number[]): string | undefined {
  if (statuses.includes(received.status)) return faultOf(received);
  return `${received.status} ${received.text.slice(0, 120)}`;
}

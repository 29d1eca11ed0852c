import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../../core/errors.ts';

/** Failures that are remembered of one page; the oldest give way. */
const MAX_FAILURES = 200;

/** An answer of the proxy's own that is no fault of where the page wanted to go. */
export class ProxyError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answers ${status}.`);
    this.status = status;
  }
}

/** What lets one page use the proxy. */
export interface ProxyCredentials {
  username: string;
  password: string;
  /** Why the page did not get to this place, if it did not. */
  failureAt(url: URL): AppError | undefined;
  /** Closes the page's connections; there are no others afterwards. */
  end(): void;
}

/** The same, as the proxy sees it. */
export interface ProxyClient {
  /** Ends the connection with the pass. Throws a ProxyError when the page has too many. */
  hold(socket: Duplex): void;
  /** Counts bytes, and closes the page's connections when there were too many. */
  spend(bytes: number): void;
  /** Remembers and answers the error. */
  fail(place: string, error: AppError): AppError;
}

export interface CredentialStore {
  open(): ProxyCredentials;
  /** The pass whose credentials the request carries; throws a ProxyError. */
  require(request: IncomingMessage): ProxyClient;
  endAll(): void;
}

export function createCredentialStore({
  maxBytes,
  maxConnections,
}: {
  maxBytes: number;
  maxConnections: number;
}): CredentialStore {
  const passes = new Map<string, { password: Buffer; pass: ProxyClient; end(): void }>();

  return {
    open() {
      const username = randomBytes(12).toString('hex');
      const password = randomBytes(24).toString('hex');
      const sockets = new Set<Duplex>();
      const failures = new Map<string, AppError>();
      let left = maxBytes;
      const closeAll = () => {
        for (const socket of sockets) socket.destroy();
      };
      const pass: ProxyClient = {
        hold(socket) {
          if (sockets.has(socket)) return;
          if (left < 0 || sockets.size >= maxConnections || !passes.has(username)) {
            socket.destroy();
            throw new ProxyError(503);
          }
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
        },
        spend(bytes) {
          left -= bytes;
          if (left < 0) closeAll();
        },
        fail(place, error) {
          if (failures.size >= MAX_FAILURES) failures.delete(failures.keys().next().value ?? '');
          failures.set(place.toLowerCase(), error);
          return error;
        },
      };
      const end = () => {
        passes.delete(username);
        closeAll();
      };
      passes.set(username, { password: digest(password), pass, end });
      return {
        username,
        password,
        failureAt: ({ hostname, port, protocol }) =>
          failures.get(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`),
        end,
      };
    },
    require(request) {
      const [, credentials = ''] = /^basic +(\S+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':', 2);
      const known = passes.get(username);
      if (!known || !timingSafeEqual(known.password, digest(password))) throw new ProxyError(407);
      return known.pass;
    },
    endAll() {
      for (const { end } of passes.values()) end();
    },
  };
}

function digest(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

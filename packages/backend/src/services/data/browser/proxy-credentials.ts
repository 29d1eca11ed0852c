import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../../core/errors.ts';

/** Failures that are stored for one page; the oldest are dropped. */
const MAX_FAILURES = 200;

/** Tells of a response of the proxy itself that is no failure of the host. */
export class ProxyError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The proxy answers ${status}.`);
    this.status = status;
  }
}

/** Credentials with which one page uses the proxy. */
export interface ProxyCredentials {
  username: string;
  password: string;
  /** Returns why the page could not reach this URL, if it could not. */
  failureAt(url: URL): AppError | undefined;
  /** Closes the page’s connections and accepts no further ones. */
  revoke(): void;
}

/** An authenticated page, as the proxy sees it. */
export interface ProxyClient {
  /** The account whose look-ups the page's are counted among. */
  readonly account: string | undefined;
  /**
   * Ties a connection to the credentials, so that it is closed with them. Throws a ProxyError when the page has too
   * many.
   */
  addSocket(socket: Duplex): void;
  /** Counts bytes, and closes the page’s connections when there were too many. */
  countBytes(bytes: number): void;
  /** Stores the error and returns it. */
  recordFailure(hostPort: string, error: AppError): AppError;
}

interface CredentialStore {
  issue(account?: string): ProxyCredentials;
  /** Returns the client whose credentials the request carries. Throws a ProxyError. */
  authenticate(request: IncomingMessage): ProxyClient;
  revokeAll(): void;
}

export function createCredentialStore({
  maxBytes,
  maxConnections,
}: {
  maxBytes: number;
  maxConnections: number;
}): CredentialStore {
  const issued = new Map<string, { password: Buffer; client: ProxyClient; revoke(): void }>();

  return {
    issue(account) {
      const username = randomBytes(12).toString('hex');
      const password = randomBytes(24).toString('hex');
      const sockets = new Set<Duplex>();
      const failures = new Map<string, AppError>();
      let bytesLeft = maxBytes;
      const closeAll = () => {
        for (const socket of sockets) socket.destroy();
      };
      const client: ProxyClient = {
        account,
        addSocket(socket) {
          if (sockets.has(socket)) return;
          if (bytesLeft < 0 || sockets.size >= maxConnections || !issued.has(username)) {
            socket.destroy();
            throw new ProxyError(503);
          }
          sockets.add(socket);
          socket.once('close', () => sockets.delete(socket));
        },
        countBytes(bytes) {
          bytesLeft -= bytes;
          if (bytesLeft < 0) closeAll();
        },
        recordFailure(hostPort, error) {
          if (failures.size >= MAX_FAILURES) failures.delete(failures.keys().next().value ?? '');
          failures.set(hostPort.toLowerCase(), error);
          return error;
        },
      };
      const revoke = () => {
        issued.delete(username);
        closeAll();
      };
      issued.set(username, { password: digest(password), client, revoke });
      return {
        username,
        password,
        failureAt: ({ hostname, port, protocol }) =>
          failures.get(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`),
        revoke,
      };
    },
    authenticate(request) {
      const [, credentials = ''] = /^basic +(\S+)$/i.exec(request.headers['proxy-authorization'] ?? '') ?? [];
      const [username = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':', 2);
      const found = issued.get(username);
      if (!found || !timingSafeEqual(found.password, digest(password))) throw new ProxyError(407);
      return found.client;
    },
    revokeAll() {
      for (const { revoke } of issued.values()) revoke();
    },
  };
}

function digest(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

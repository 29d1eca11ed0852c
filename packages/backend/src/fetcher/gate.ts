import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '../core/errors.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { isPublicIpAddress } from './is-public-ip-address.ts';

/** A host that may be connected to. */
export interface ResolvedHost {
  /** The IP addresses that were judged; no other may be connected to. */
  addresses: readonly { address: string; family: 4 | 6 }[];
  port: number;
}

/** Decides which hosts may be connected to on a caller’s behalf. */
export interface Gate {
  /**
   * Resolves a host whose IP addresses are all public, or that is allowed. Throws ADDRESS_REFUSED, or FETCH_FAILED when
   * there is no such host.
   */
  resolve(host: string, port: number): Promise<ResolvedHost>;
  /** Returns whether the operator has allowed this host and port. */
  isListed(url: URL): boolean;
  /** Returns whether an open connection to this IP address may be used. */
  isAllowed(place: { host: string; port: number; address: string }): boolean;
}

export interface GateOptions {
  /** `host:port` pairs that may be reached although they are private. */
  allowHosts: readonly string[];
  /** Resolves names; by default the system does. */
  resolver?: (host: string) => Promise<readonly { address: string; family: number }[]>;
}

/**
 * Creates a resolver that looks up one name at a time. The system looks up two names at a time for the whole process,
 * and a slow name must not delay the server’s own.
 */
function createSystemResolver(): NonNullable<GateOptions['resolver']> {
  const limit = new Semaphore({ concurrency: 1 });
  return (host) => limit.run(() => lookup(host, { all: true }));
}

/** First port that may be used. Other services than the web listen below, and a request could talk to them. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: readonly number[] = [80, 443];

export function createGate({ allowHosts, resolver = createSystemResolver() }: GateOptions): Gate {
  const allowed = new Set(
    allowHosts.map((pair) => {
      const colon = pair.lastIndexOf(':');
      const host = pair.slice(0, colon);
      // Hosts are written as URLs have them: IDN in ASCII, IPv6 shortened.
      return `${bareHost(URL.parse(`http://${host}`)?.hostname ?? host)}:${Number(pair.slice(colon + 1))}`;
    }),
  );
  const isListed = (host: string, port: number) => allowed.has(`${bareHost(host)}:${port}`);
  return {
    async resolve(host, port) {
      const name = bareHost(host);
      const listed = isListed(host, port);
      if (!listed && port < FIRST_FREE_PORT && !WEB_PORTS.includes(port)) throw refused();
      const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await resolveName(name, resolver);
      if (found.length === 0) throw unknownHost();
      // A private IP address among public ones is an attack as well, because any of them may be used.
      if (!listed && !found.every(({ address }) => isPublicIpAddress(address))) throw refused();
      return {
        addresses: found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
        port,
      };
    },
    isListed: ({ hostname, port, protocol }) =>
      isListed(hostname, Number(port || (protocol === 'https:' ? 443 : 80))),
    isAllowed: ({ host, port, address }) => isListed(host, port) || isPublicIpAddress(address),
  };
}

/** Returns a host without the brackets of IPv6 and the final dot. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

async function resolveName(name: string, resolver: NonNullable<GateOptions['resolver']>) {
  try {
    return await resolver(name);
  } catch (cause) {
    throw unknownHost(cause);
  }
}

function refused(): AppError {
  return new AppError(
    'ADDRESS_REFUSED',
    'This address is not one of the public internet, and is not fetched from here.',
  );
}

function unknownHost(cause?: unknown): AppError {
  return new AppError('FETCH_FAILED', 'There is no host of this name.', { cause });
}

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '../core/errors.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { isPublicAddress } from './is-public-address.ts';

/** A place on the network that may be connected to. */
export interface Place {
  /** Of the host, as they were looked at: nothing else may be connected to in its name. */
  addresses: readonly { address: string; family: 4 | 6 }[];
  port: number;
}

/** Decides where we connect to on somebody else's behalf. */
export interface Gate {
  /**
   * Where the host is, all of its addresses being public ones or the pair being allowed. Throws ADDRESS_REFUSED, or
   * FETCH_FAILED when there is no such host.
   */
  resolve(host: string, port: number): Promise<Place>;
  /** Has the operator named this place as one that may be reached? */
  isListed(url: URL): boolean;
  /** May a connection that stands be used, which is at this address? */
  isAllowed(place: { host: string; port: number; address: string }): boolean;
}

export interface GateOptions {
  /** `host:port` pairs that may be reached although they are private. */
  allowHosts: readonly string[];
  /** The name service; the system's, if left out. */
  resolver?: (host: string) => Promise<readonly { address: string; family: number }[]>;
}

/**
 * One at a time: the system looks up two names at once for all of the process, and one that is made to take long must
 * not keep those waiting that we look up on our own behalf.
 */
function createSystemResolver(): NonNullable<GateOptions['resolver']> {
  const limit = new Semaphore({ concurrency: 1 });
  return (host) => limit.run(() => lookup(host, { all: true }));
}

/** Below these, other services than the web listen, which could be talked to by means of a request. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: readonly number[] = [80, 443];

export function createGate({ allowHosts, resolver = createSystemResolver() }: GateOptions): Gate {
  const allowed = new Set(
    allowHosts.map((pair) => {
      const colon = pair.lastIndexOf(':');
      const host = pair.slice(0, colon);
      // As addresses are written in which it will stand: IDN in ASCII, IPv6 in short.
      return `${bare(URL.parse(`http://${host}`)?.hostname ?? host)}:${Number(pair.slice(colon + 1))}`;
    }),
  );
  const isListed = (host: string, port: number) => allowed.has(`${bare(host)}:${port}`);
  return {
    async resolve(host, port) {
      const name = bare(host);
      const listed = isListed(host, port);
      if (!listed && port < FIRST_FREE_PORT && !WEB_PORTS.includes(port)) throw refused();
      const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await resolveName(name, resolver);
      if (found.length === 0) throw unknownHost();
      // One private address among public ones is a trick as well: which of them is connected to is chance.
      if (!listed && !found.every(({ address }) => isPublicAddress(address))) throw refused();
      return {
        addresses: found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
        port,
      };
    },
    isListed: ({ hostname, port, protocol }) =>
      isListed(hostname, Number(port || (protocol === 'https:' ? 443 : 80))),
    isAllowed: ({ host, port, address }) => isListed(host, port) || isPublicAddress(address),
  };
}

/** Without the brackets of IPv6 addresses, and the dot that ends a full name. */
function bare(host: string): string {
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

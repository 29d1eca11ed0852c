import { isIP } from 'node:net';
import { AppError } from '../core/errors.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import { isPublicIpAddress } from './is-public-ip-address.ts';
import { createNameResolver, createSystemResolver, type NameResolver } from './name-resolver.ts';
import { createOwnAddresses, type ListInterfaces } from './own-addresses.ts';
import type { FetcherSettings } from './settings.ts';

/** A host that may be connected to. */
export interface ResolvedHost {
  /** The IP addresses that were judged; no other may be connected to. */
  addresses: readonly { address: string; family: 4 | 6 }[];
  port: number;
}

/** Says who a host is resolved for. */
export interface ResolveFor {
  /** The account whose look-ups it is counted among; without it, it waits for the bounds of all together alone. */
  account?: string | undefined;
  /** Cancels the look-up. */
  signal?: AbortSignal | undefined;
}

/** Decides which hosts may be connected to on a caller’s behalf. */
export interface Gate {
  /**
   * Resolves a host whose IP addresses are all public and none of this machine, or that is allowed. Throws
   * ADDRESS_REFUSED, FETCH_FAILED when there is no such host, FETCH_TIMEOUT when DNS does not answer in time,
   * RATE_LIMITED when too many of the account's look-ups wait, or the signal's reason.
   */
  resolve(host: string, port: number, resolveFor?: ResolveFor): Promise<ResolvedHost>;
  /** Returns whether the operator has allowed this host and port. */
  isListed(url: URL): boolean;
  /** Returns whether an open connection to this IP address may be used. */
  isAllowed(connection: { host: string; port: number; address: string }): boolean;
}

/** Bounds of the look-ups of names. */
interface LookupLimits {
  /** Milliseconds for one look-up. */
  timeoutMs: number;
  /** Look-ups at a time, of all accounts and of one. */
  concurrency: number;
  perAccount: number;
}

const LOOKUP_LIMITS: LookupLimits = { timeoutMs: 3_000, concurrency: 128, perAccount: 8 };

export interface GateOptions extends Partial<FetcherSettings> {
  /** Host of the URL that readers type: its IP addresses are this machine's, too. */
  publicHost?: string | undefined;
  lookups?: LookupLimits;
  /** Lists the network interfaces; by default the system does. */
  interfaces?: ListInterfaces;
  /** Resolves names; by default DNS does, and the system for the hosts that the operator has listed. */
  resolver?: NameResolver;
}

/** First port that may be used. Other services than the web listen below, and a request could talk to them. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS: readonly number[] = [80, 443];

/** Names of clouds' metadata services, which DNS may answer with any address. */
const METADATA_NAME =
  /^(?:metadata|instance-data|.*\.metadata|metadata\.goog|(?:.*\.)?metadata\.[\w.-]*internal|instance-data\.[\w.-]*internal|metadata\.azure\.com|metadata\.tencentyun\.com|rancher-metadata)$/;

export function createGate({
  allowHosts = [],
  lookups = LOOKUP_LIMITS,
  publicHost,
  interfaces,
  resolver,
}: GateOptions): Gate {
  const allowed = new Set(
    allowHosts.map((pair) => {
      const colon = pair.lastIndexOf(':');
      const host = pair.slice(0, colon);
      // Hosts are written as URLs have them: IDN in ASCII, IPv6 shortened.
      return `${bareHost(URL.parse(`http://${host}`)?.hostname ?? host)}:${Number(pair.slice(colon + 1))}`;
    }),
  );
  const isListed = (host: string, port: number) => allowed.has(`${bareHost(host)}:${port}`);
  const { concurrency, perAccount, timeoutMs } = lookups;
  const limit = new Semaphore({
    concurrency,
    // A page that is shown may name many hosts, which wait for each other.
    perKey: { concurrency: perAccount, maxWaiting: MAX_WAITING },
    fair: true,
  });
  const resolveByDns = resolver ?? createNameResolver({ queryMs: timeoutMs });
  const resolveBySystem = resolver ?? createSystemResolver();
  const own = createOwnAddresses({
    interfaces,
    lookUpPublicHost:
      publicHost === undefined ? undefined : () => addressesOf(bareHost(publicHost), resolveByDns),
  });

  /** Returns the addresses of an IP address, which is one, or of a name. */
  async function addressesOf(name: string, by: NameResolver, { account, signal }: ResolveFor = {}) {
    if (isIP(name)) return [{ address: name, family: isIP(name) }];
    return limit.run(() => resolveInTime(name, { by, signal, timeoutMs }), {
      key: account,
      ...(signal && { signal }),
    });
  }

  return {
    async resolve(host, port, resolveFor) {
      const name = bareHost(host);
      const listed = isListed(host, port);
      if (!listed && port < FIRST_FREE_PORT && !WEB_PORTS.includes(port)) throw refused();
      if (!listed && METADATA_NAME.test(name)) throw refused();
      const [found] = await Promise.all([
        addressesOf(name, listed ? resolveBySystem : resolveByDns, resolveFor),
        listed ? undefined : own.ready(),
      ]);
      if (found.length === 0) throw unknownHost();
      // A private IP address among public ones is an attack as well, because any of them may be used.
      if (!listed && !found.every(({ address }) => isForeign(address))) throw refused();
      return {
        addresses: found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
        port,
      };
    },
    isListed: ({ hostname, port, protocol }) =>
      isListed(hostname, Number(port || (protocol === 'https:' ? 443 : 80))),
    isAllowed: ({ host, port, address }) => isListed(host, port) || isForeign(address),
  };

  /** Returns whether this is an address of the public internet that does not lead back to this machine. */
  function isForeign(address: string): boolean {
    return isPublicIpAddress(address) && !own.includes(address);
  }
}

/** Look-ups of one account that may wait. */
const MAX_WAITING = 128;

/** Returns a host without the brackets of IPv6 and the final dot. */
function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

interface Resolving {
  by: NameResolver;
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

/** Resolves a name until the time is over or the signal is aborted, whatever the resolver does. */
async function resolveInTime(name: string, { by, signal, timeoutMs }: Resolving) {
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(ended.reason);
  ended.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([by(name, ended), aborted.promise]);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.aborted) throw tooSlow();
    throw unknownHost(cause);
  } finally {
    ended.removeEventListener('abort', abort);
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

function tooSlow(): AppError {
  return new AppError('FETCH_TIMEOUT', 'The name of this host could not be looked up in time.');
}

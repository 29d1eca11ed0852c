import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { createHostsFile, type HostsFile } from './hosts-file.ts';

/** An IP address of a host. */
interface HostAddress {
  address: string;
  family: number;
}

/** Returns the IP addresses of a name. Throws when there are none. It gives up when the signal is aborted. */
export type NameResolver = (name: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;

/** Milliseconds that one family of IP addresses is awaited when the other one is there (RFC 8305, section 3). */
const OTHER_FAMILY_MS = 200;
const TRIES = 2;

interface NameResolverOptions {
  /** Milliseconds for a query to a DNS server. */
  queryMs: number;
  /** DNS servers, as `ip` or `ip:port`; those of the system by default. */
  servers?: readonly string[];
  hostsFile?: HostsFile;
}

/**
 * Creates a resolver that asks the hosts file and then DNS. Each look-up has a channel of its own, so that it waits for
 * no other, takes none of the threads that the system's look-ups share with files, and ends when it is cancelled.
 */
export function createNameResolver({
  queryMs,
  servers,
  hostsFile = createHostsFile(),
}: NameResolverOptions): NameResolver {
  return async (name, signal) => {
    const known = await hostsFile(name);
    if (known.length > 0) return known.map((address) => ({ address, family: isIP(address) }));
    // These names mean this machine, whatever DNS says (RFC 6761, section 6.3).
    if (/(^|\.)localhost$/.test(name)) return [{ address: '127.0.0.1', family: 4 }];
    signal.throwIfAborted();
    const resolver = new dns.Resolver({ timeout: Math.ceil(queryMs / TRIES), tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let timer: NodeJS.Timeout | undefined;
    const found: HostAddress[] = [];
    const ask = async (query: Promise<string[]>, family: 4 | 6) => {
      for (const address of await query) found.push({ address, family });
      timer ??= setTimeout(cancel, OTHER_FAMILY_MS);
    };
    const asked = await Promise.allSettled([
      ask(resolver.resolve4(name), 4),
      ask(resolver.resolve6(name), 6),
    ]);
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    if (found.length > 0) return found;
    signal.throwIfAborted();
    throw asked.find((one) => one.status === 'rejected')?.reason ?? new Error(`${name} has no IP address.`);
  };
}

/**
 * Creates the system's resolver, which knows more kinds of names (search domains, mDNS): for names that the operator
 * has listed. It looks up each name once at a time, because the system's look-ups cannot be cancelled.
 */
export function createSystemResolver(): NameResolver {
  const underWay = new Map<string, Promise<readonly HostAddress[]>>();
  return (name) => {
    const found = underWay.get(name) ?? dns.lookup(name, { all: true }).finally(() => underWay.delete(name));
    underWay.set(name, found);
    return found;
  };
}

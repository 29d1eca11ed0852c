/**
 * Runs before each test file. It fails a test that prints an error or a warning to the console, and one that connects to
 * another machine or looks up a name other than `localhost`: what such a test says would depend on the network.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { BlockList, isIP, Socket } from 'node:net';
import { afterAll, afterEach } from 'vitest';

const faults: string[] = [];

function failIfAny(): void {
  if (faults.length > 0) throw new Error(faults.splice(0).join('\n'));
}

const restore: (() => void)[] = [];

for (const level of ['error', 'warn'] as const) {
  // biome-ignore lint/suspicious/noConsole: what is printed still reaches the console
  const print = console[level];
  console[level] = (...printed: unknown[]) => {
    faults.push(`console.${level} was called: ${printed.map(String).join(' ')}`);
    print(...printed);
  };
  restore.push(() => {
    console[level] = print;
  });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function refuse(target: string): Error {
  faults.push(`A test must not reach ${target}: only this machine may be connected to.`);
  return new Error(`${target} is not this machine.`);
}

const isLocal = (host: string) =>
  isIP(host) ? loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4') : host === 'localhost';

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  const { host = 'localhost', path } = targetOf(given);
  if (!path && isIP(host) && !isLocal(host)) return this.destroy(refuse(host));
  // A name has its addresses from the resolver that the caller brought, or from the one below.
  this.on('lookup', (_error, address) => {
    if (address && !isLocal(address)) this.destroy(refuse(`${host} at ${address}`));
  });
  return (connect as (...args: unknown[]) => Socket).apply(this, given);
} as typeof connect;
restore.push(() => {
  Socket.prototype.connect = connect;
});

/** Returns where one of the signatures of `connect` leads to: options, a path, or a port and a host. */
function targetOf([first, second]: unknown[]): { host?: string; path?: string } {
  if (Array.isArray(first)) return targetOf(first);
  if (typeof first === 'object' && first !== null) return first;
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { path: first };
  return typeof second === 'string' ? { host: second } : {};
}

const { lookup } = dns;
const lookupPromise = dns.promises.lookup;
dns.lookup = ((host: string, ...rest: unknown[]) => {
  if (isLocal(host) || isIP(host)) return (lookup as (...args: unknown[]) => void)(host, ...rest);
  const done = rest.at(-1) as (error: Error) => void;
  process.nextTick(done, refuse(host));
}) as typeof lookup;
dns.promises.lookup = (async (host: string, options: dns.LookupAllOptions) => {
  if (isLocal(host) || isIP(host)) return lookupPromise(host, options);
  throw refuse(host);
}) as typeof lookupPromise;
type AskByName = (this: dns.promises.Resolver, host: string) => Promise<string[]>;
const { resolve4, resolve6 } = dns.promises.Resolver.prototype;
for (const [name, query] of Object.entries({ resolve4, resolve6 }) as [string, AskByName][]) {
  dns.promises.Resolver.prototype[name as 'resolve4'] = async function (
    this: dns.promises.Resolver,
    host: string,
  ) {
    // A stand-in has a port of its own; the system's server may be on this machine and ask others.
    if (this.getServers().every((server) => /^127\.0\.0\.1:\d+$/.test(server))) return query.call(this, host);
    throw refuse(host);
  } as typeof resolve4;
}
syncBuiltinESMExports();
restore.push(() => {
  Object.assign(dns.promises.Resolver.prototype, { resolve4, resolve6 });
  dns.lookup = lookup;
  dns.promises.lookup = lookupPromise;
  syncBuiltinESMExports();
});

afterEach(failIfAny);
afterAll(() => {
  for (const undo of restore) undo();
  failIfAny();
});

import type { ClientConfig } from 'pg';
import { types } from 'pg';

/** Who logs in to a server, and where. */
export interface Login {
  /** `postgres://…`; the role that it names may be another one than that of `role`. */
  url: string;
  role?: { name: string; password: string };
  /** Settings of the session. */
  settings?: Readonly<Record<string, string | number>>;
}

/** Milliseconds that a connection may take to come about. */
const CONNECT_MS = 5_000;

const INT8 = 20;
const NUMERIC = 1700;

/** Whole numbers are numbers, as they are on SQLite; beyond 2^53, the nearest one. */
const parsers: ClientConfig['types'] = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** What every connection of ours has in common. */
export function clientConfig({ url, role, settings = {} }: Login): ClientConfig {
  const address = new URL(url);
  // Parameters count before what stands in front of the host, which an address of a socket cannot have.
  if (role) {
    address.searchParams.set('user', role.name);
    address.searchParams.set('password', role.password);
  }
  // Settings of the session's very start, so that RESET ALL and DISCARD ALL lead back to them.
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${escaped(String(value))}`);
  address.searchParams.set(
    'options',
    [address.searchParams.get('options') ?? '', ...options].join(' ').trim(),
  );
  return {
    connectionString: address.href,
    application_name: 'fabrica',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
  };
}

/** As a word of `options`, where white space and backslashes are escaped. */
function escaped(value: string): string {
  return value.replace(/[\s\\]/g, '\\$&');
}

/** The database that an address names, for messages: never its password. */
export function shownAddress(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'this machine'}${port && `:${port}`}${pathname}`;
}

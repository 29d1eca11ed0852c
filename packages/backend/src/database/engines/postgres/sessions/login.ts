import type { ClientConfig } from 'pg';
import { types } from 'pg';
import { VERSION } from '../../../../core/version.ts';

/** A role, and the server that it logs in to. */
export interface Login {
  /** `postgres://…`; `role` takes precedence over the role in it. */
  url: string;
  role?: { name: string; password: string };
  /** Settings of the session. */
  settings?: Readonly<Record<string, string | number>>;
}

/** Milliseconds that connecting may take, and waiting for a connection. */
export const CONNECT_MS = 5_000;

/** The part before the hosts, the hosts with their ports, and the rest of `postgres://…`. */
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?@]*@)?)([^/?]*)(.*)$/;

/** Returns a URL for each host of a URL that names several, as libpq takes them: `postgres://a:5432,b:5432/database`. */
export function hostUrls(url: string): [string, ...string[]] {
  const [, login = '', hosts = '', rest = ''] = HOSTS.exec(url) ?? [];
  const [first = '', ...more] = hosts.split(',');
  if (more.length === 0) return [url];
  const urlOf = (host: string) => {
    const found = new URL(`${login}${host}${rest}`);
    // That server is looked for here.
    found.searchParams.delete('target_session_attrs');
    return found.href;
  };
  return [first, ...more].every((host) => URL.canParse(`${login}${host}${rest}`))
    ? [urlOf(first), ...more.map(urlOf)]
    : [url];
}

const INT8 = 20;
const NUMERIC = 1700;

/** Integers are numbers, as on SQLite; beyond 2^53, the nearest one. */
const parsers: ClientConfig['types'] = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? Number
      : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** Returns the configuration of a connection. */
export function clientConfig({ url, role, settings = {} }: Login): ClientConfig {
  const login = new URL(url);
  // Parameters take precedence over the part before the host, which the URL of a socket cannot have.
  if (role) {
    login.searchParams.set('user', role.name);
    login.searchParams.set('password', role.password);
  }
  // As options of the connection, the settings are the ones that RESET ALL and DISCARD ALL restore.
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${escaped(String(value))}`);
  login.searchParams.set('options', [login.searchParams.get('options') ?? '', ...options].join(' ').trim());
  return {
    connectionString: login.href,
    application_name: `fabrica ${VERSION}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: parsers,
  };
}

/** Escapes white space and backslashes, as `options` requires. */
function escaped(value: string): string {
  return value.replace(/[\s\\]/g, '\\$&');
}

/** Returns the host, port and database of a URL for messages, without the password. */
export function describeUrl(url: string): string {
  const hosts = hostUrls(url).map((one) => new URL(one));
  const names = hosts.map(({ hostname, port }) => `${hostname || 'this machine'}${port && `:${port}`}`);
  return `${names.join(' or ')}${hosts[0]?.pathname}`;
}

/** Says where a Redis is, as its URL says it. */
export interface RedisLocation {
  /** `sentinel`: the hosts are sentinels, which name the server. `cluster`: they are some of its servers. */
  kind: 'server' | 'sentinel' | 'cluster';
  hosts: readonly RedisHost[];
  /** The name of the server among those that the sentinels watch. */
  name: string;
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** The password of the sentinels themselves, where they have one. */
  sentinelPassword: string | undefined;
  /** The number of the database. A cluster has one. */
  database: number;
}

export interface RedisHost {
  host: string;
  port: number;
}

const ADDRESS =
  /^redis(?<tls>s?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?:\/(?<path>[^?#]*))?(?:\?sentinel_password=(?<sentinel>[^&#]+))?$/;
/** A name or an address of version 4, or one of version 6 in brackets. */
const HOST = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<host>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;
const PATHS = {
  server: /^(?<database>\d*)$/,
  sentinel: /^(?<name>[\w.-]+)(?:\/(?<database>\d+))?$/,
  cluster: /^$/,
};
const PORTS = { server: 6379, sentinel: 26379, cluster: 6379 };

/**
 * Parses `redis://host:6379/0`, `redis+sentinel://host1,host2/name/0` or `redis+cluster://host1,host2`, each with
 * `user:password@` before the hosts and `rediss` for TLS; `?sentinel_password=` is for the sentinels. Returns undefined when it is none of these.
 */
export function parseRedisUrl(url: string): RedisLocation | undefined {
  const { tls, kind: typed, login, hosts: list = '', path = '', sentinel } = ADDRESS.exec(url)?.groups ?? {};
  if (list === '') return undefined;
  const kind = (typed ?? 'server') as RedisLocation['kind'];
  const hosts = list.split(',').map((host) => parseHost(host, PORTS[kind]));
  const named = PATHS[kind].exec(path)?.groups ?? (kind === 'cluster' && path === '' ? {} : undefined);
  const credentials = parseLogin(login);
  const { password: sentinelPassword } = parseLogin(`:${sentinel ?? ''}`) ?? {};
  if (!named || !credentials || (kind === 'server' && hosts.length > 1)) return undefined;
  if (sentinel !== undefined && (kind !== 'sentinel' || sentinelPassword === undefined)) return undefined;
  if (!hosts.every((host) => host !== undefined)) return undefined;
  return {
    kind,
    hosts,
    name: named.name ?? '',
    tls: tls === 's',
    ...credentials,
    sentinelPassword,
    database: Number(named.database ?? 0),
  };
}

function parseHost(text: string, defaultPort: number): RedisHost | undefined {
  const { six, host = six, port } = HOST.exec(text)?.groups ?? {};
  const number = Number(port ?? defaultPort);
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number };
}

function parseLogin(login = ''): Pick<RedisLocation, 'username' | 'password'> | undefined {
  const [username = '', ...rest] = login.split(':');
  try {
    return {
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(rest.join(':')) || undefined,
    };
  } catch {
    return undefined;
  }
}

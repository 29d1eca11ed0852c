import { Client } from 'pg';
import { backOffMs, retry } from '../../../../runtime/retry.ts';
import { sqlState } from '../postgres-error.ts';
import { clientConfig, describeUrl, hostUrls } from './login.ts';

/** Milliseconds that a caller waits for a server that is starting. */
const STARTUP_TIMEOUT_MS = 30_000;

/**
 * Milliseconds that a command waits for a host of an unknown name, which is most often a slip. The start of a server goes on
 * waiting, as containers get their names late.
 */
const UNKNOWN_NAME_TIMEOUT_MS = 3_000;

/** System error codes of a name that nobody knows. */
const UNKNOWN_NAME: readonly string[] = ['ENOTFOUND', 'EAI_AGAIN'];

/** System error codes of a server that is not running, or not yet. */
const UNREACHABLE: readonly string[] = [
  ...UNKNOWN_NAME,
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** Milliseconds that one of several hosts may take to connect. */
const CONNECT_TO_ONE_MS = 2_000;

/** The connection of a role to the server of several that takes writes. */
export interface PrimaryConnection {
  client: Client;
  /** The URL of that server alone. */
  url: string;
}

export interface ConnectOptions {
  /** Milliseconds for which a server may be starting. */
  timeout?: number | undefined;
  /** Is called once, with a sentence, when the server does not let us in at once and is tried again. */
  onWait?: ((reason: string) => void) | undefined;
}

/** Connects as `connectPrimary` does. */
export async function connectAdmin(url: string, options?: ConnectOptions): Promise<Client> {
  return (await connectPrimary(url, options)).client;
}

/**
 * Connects as the role that the settings name, to the host that takes writes when the URL names several. Retries for
 * `timeout` milliseconds while the server may be starting, and throws an error with a message for the operator.
 */
export async function connectPrimary(
  url: string,
  { timeout = STARTUP_TIMEOUT_MS, onWait }: ConnectOptions = {},
): Promise<PrimaryConnection> {
  const began = Date.now();
  const pauseAfter = (error: unknown, attempt: number) => {
    const pause = backOffMs(attempt, { firstMs: 50, longestMs: 1_000 });
    const longest = isUnknownName(error) && !onWait ? Math.min(timeout, UNKNOWN_NAME_TIMEOUT_MS) : timeout;
    if (!mayBeStarting(error) || Date.now() + pause > began + longest) return undefined;
    if (attempt === 1) onWait?.(cannotConnect(url, error).message);
    return pause;
  };
  try {
    return await retry(() => connectToAny(hostUrls(url)), { pauseAfter });
  } catch (error) {
    throw cannotConnect(url, error);
  }
}

/** Asks all hosts at once: one that is away may take its time. Throws the error of the first one. */
async function connectToAny(urls: [string, ...string[]]): Promise<PrimaryConnection> {
  const [url, ...others] = urls;
  if (others.length === 0) return { url, client: await connect(url) };
  const attempts = urls.map(async (one) => ({ url: one, client: await connectIfPrimary(one) }));
  const found = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors[0];
  });
  for (const attempt of attempts) {
    // A second server that takes writes would be another's.
    attempt.then(({ client }) => (client === found.client ? undefined : client.end())).catch(() => undefined);
  }
  return found;
}

async function connectIfPrimary(url: string): Promise<Client> {
  const client = await connect(url, CONNECT_TO_ONE_MS);
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS is_standby');
  if (!rows[0].is_standby) return client;
  await client.end();
  throw new NoPrimary(`${describeUrl(url)} is a standby`);
}

/** Is thrown for a server that takes no writes, and may be promoted. */
class NoPrimary extends Error {}

async function connect(url: string, connectMs?: number): Promise<Client> {
  const config = clientConfig({ url, settings: { search_path: 'pg_catalog' } });
  const client = new Client({ ...config, ...(connectMs && { connectionTimeoutMillis: connectMs }) });
  // The next query fails with the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function isUnknownName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNKNOWN_NAME.includes(String(error.code));
}

function mayBeStarting(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined) return code === '57P03' || code === '57P01' || code.startsWith('53');
  if (!(error instanceof Error)) return false;
  if (error instanceof NoPrimary) return true;
  if ('code' in error && UNREACHABLE.includes(String(error.code))) return true;
  return /terminated unexpectedly|timeout/.test(error.message);
}

function cannotConnect(url: string, cause: unknown): Error {
  const { message, code } = cause as Error & { code?: string };
  return new Error(
    `PostgreSQL at ${describeUrl(url)} (DATABASE_URL) cannot be connected to: ${message || code}.`,
    { cause },
  );
}

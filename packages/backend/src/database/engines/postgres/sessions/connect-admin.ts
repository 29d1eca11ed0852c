import { Client } from 'pg';
import { backOffMs, retry } from '../../../../runtime/retry.ts';
import { sqlState } from '../postgres-error.ts';
import { clientConfig, describeUrl } from './login.ts';

/** Milliseconds that a caller waits for a server that is starting. */
const STARTUP_TIMEOUT_MS = 30_000;

/** System error codes of a server that is not running, or not yet. */
const UNREACHABLE: readonly string[] = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ENOENT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/**
 * Connects as the role that the settings name. Retries for `timeout` milliseconds while the server may be starting, and
 * throws an error with a message for the operator.
 */
export async function connectAdmin(url: string, timeout = STARTUP_TIMEOUT_MS): Promise<Client> {
  const deadline = Date.now() + timeout;
  const pauseAfter = (error: unknown, attempt: number) => {
    const pause = backOffMs(attempt, { firstMs: 50, longestMs: 1_000 });
    return mayBeStarting(error) && Date.now() + pause <= deadline ? pause : undefined;
  };
  try {
    return await retry(() => connect(url), { pauseAfter });
  } catch (error) {
    throw cannotConnect(url, error);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(clientConfig({ url, settings: { search_path: 'pg_catalog' } }));
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

function mayBeStarting(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined) return code === '57P03' || code === '57P01' || code.startsWith('53');
  if (!(error instanceof Error)) return false;
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

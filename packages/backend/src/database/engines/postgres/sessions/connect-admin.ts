import { Client } from 'pg';
import { backOffMs, retry } from '../../../../runtime/retry.ts';
import { codeOf } from '../postgres-error.ts';
import { clientConfig, shownAddress } from './login.ts';

/** Milliseconds that a server which is starting is waited for. */
const WAIT_MS = 30_000;

/** What the operating system says of a server that is not there (yet). */
const NOT_THERE: readonly string[] = [
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

/** A connection as the role that the settings name. Waits for a server that is starting; throws a sentence. */
export async function connectAdmin(url: string, patience = WAIT_MS): Promise<Client> {
  const deadline = Date.now() + patience;
  const pauseAfter = (error: unknown, attempt: number) => {
    const pause = backOffMs(attempt, { firstMs: 50, longestMs: 1_000 });
    return mayComeUp(error) && Date.now() + pause <= deadline ? pause : undefined;
  };
  try {
    return await retry(() => connect(url), { pauseAfter });
  } catch (error) {
    throw cannotConnect(url, error);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(clientConfig({ url, settings: { search_path: 'pg_catalog' } }));
  // The next query throws it as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

function mayComeUp(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return code === '57P03' || code === '57P01' || code.startsWith('53');
  if (!(error instanceof Error)) return false;
  if ('code' in error && NOT_THERE.includes(String(error.code))) return true;
  return /terminated unexpectedly|timeout/.test(error.message);
}

function cannotConnect(url: string, cause: unknown): Error {
  const { message, code } = cause as Error & { code?: string };
  return new Error(
    `PostgreSQL at ${shownAddress(url)} (DATABASE_URL) cannot be connected to: ${message || code}.`,
    { cause },
  );
}

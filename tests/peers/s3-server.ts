import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface S3Server {
  /** The settings of a Fabrica that stores its files here. */
  environment: Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>;
  /** `http://127.0.0.1:<port>`. */
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

const BUCKET = 'artworks';
/** The only credentials that s3rver accepts. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/**
 * Starts s3rver, an S3-compatible server, on loopback with one empty bucket in a temporary folder. It does not check
 * signatures.
 */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-s3-'));
  const script = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');
  const child = spawn(
    process.execPath,
    // Its continuation tokens are made with a cipher that OpenSSL counts as legacy.
    [
      '--openssl-legacy-provider',
      script,
      ...['--directory', folder, '--address', '127.0.0.1', '--port', '0', '--silent'],
      ...['--configure-bucket', BUCKET],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const endpoint = `http://127.0.0.1:${await portOf(child.stdout)}`;
  return {
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    endpoint,
    bucket: BUCKET,
    credentials: CREDENTIALS,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  let printed = '';
  for await (const chunk of output) {
    printed += chunk;
    const [, port] = /listening on \S+:(\d+)/.exec(printed) ?? [];
    if (port) return port;
  }
  throw new Error(`The S3-compatible server did not start:\n${printed}`);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

export const SIGNING_ALGORITHM = 'EdDSA';

export interface Keys {
  /** Names the signing key in token headers and in `jwks`. */
  kid: string;
  signingKey: CryptoKey;
  verificationKey: CryptoKey;
  /** The public half, as `/.well-known/jwks.json` shows it. */
  jwks: { keys: JWK[] };
  /** What successors of refresh tokens are derived with. */
  refreshKey: Buffer;
  /** The project's `sk_…`; made when it is first asked for. */
  projectSecret(projectId: string): Promise<string>;
}

/**
 * Reads the keys kept in `folder`, and makes those that are missing: files that only their owner may read.
 * Throws an Error that names the file when one cannot be read, written or understood.
 */
export async function loadKeys(folder: string): Promise<Keys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const signing = join(folder, 'signing.json');
  const { privateJwk, publicJwk } = parseSigningKey(signing, await readOrMake(signing, makeSigningKey));
  const kid = await calculateJwkThumbprint(publicJwk);
  const refresh = join(folder, 'refresh.key');
  const refreshKey = Buffer.from(await readOrMake(refresh, async () => randomText()), 'base64url');
  if (refreshKey.byteLength !== 32) throw damaged(refresh);
  return {
    kid,
    signingKey: await importKey(signing, privateJwk),
    verificationKey: await importKey(signing, publicJwk),
    jwks: { keys: [{ ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }] },
    refreshKey,
    async projectSecret(projectId) {
      const path = join(folder, `project-${projectId}.secret`);
      const secret = await readOrMake(path, async () => `sk_${randomText()}`);
      if (!/^sk_[\w-]{32,}$/.test(secret)) throw damaged(path);
      return secret;
    },
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

async function makeSigningKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

function parseSigningKey(path: string, text: string): { privateJwk: JWK; publicJwk: JWK } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, cause);
  }
  const { kty, crv, x, d } = (parsed ?? {}) as JWK;
  if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d) throw damaged(path);
  return { privateJwk: { kty, crv, x, d }, publicJwk: { kty, crv, x } };
}

async function importKey(path: string, jwk: JWK): Promise<CryptoKey> {
  try {
    const key = await importJWK(jwk, SIGNING_ALGORITHM);
    if (!(key instanceof Uint8Array)) return key;
  } catch (cause) {
    throw damaged(path, cause);
  }
  throw damaged(path);
}

function damaged(path: string, cause?: unknown): Error {
  return new Error(
    `The key file ${path} is damaged. Put it back from a backup, or remove it to have a new one made.`,
    {
      cause,
    },
  );
}

/** A key is never half written, and when two processes start at once they agree on the first one's. */
async function readOrMake(path: string, make: () => Promise<string>): Promise<string> {
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept;
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${await make()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

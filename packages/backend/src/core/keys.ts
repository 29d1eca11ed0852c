import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_ACCESS_TOKEN_SECONDS } from '@fabrica/contract';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';

export const SIGNING_ALGORITHM = 'EdDSA';

/** Milliseconds within which a rotation by another process is noticed. */
const ROTATION_NOTICED_MS = 2_000;
/** Seconds that a retired key stays valid: a little longer than any access token lives. */
const RETIRED_VALID_SECONDS = MAX_ACCESS_TOKEN_SECONDS + 60;

export interface Keys {
  /** Returns the newest key, which signs, with its name in token headers and `jwks`. */
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  /** Returns the key of this name, a retired one too; undefined when there is none. */
  verifier(kid: string | undefined): Promise<CryptoKey | undefined>;
  /** Returns the public keys, as `/.well-known/jwks.json` shows them. */
  jwks(): Promise<{ keys: JWK[] }>;
  /** Derives successors of refresh tokens. */
  refreshKey: Buffer;
  /** Encrypts secrets of projects. */
  secretsKey: Buffer;
  /** Returns the project's `sk_…`, which is made at the first call. */
  projectSecret(projectId: string): Promise<string>;
}

/** A key as it is stored: a private JWK, and when another one replaced it (seconds since the epoch). */
type StoredKey = JWK & { retired_at?: number };

interface SigningKeys {
  /** Modification time of the file that they were read from, in milliseconds. */
  modifiedMs: number;
  kid: string;
  key: CryptoKey;
  verifiers: ReadonlyMap<string, { key: CryptoKey; retiredAt: number | undefined }>;
  jwks: { keys: JWK[] };
}

/**
 * Reads the keys kept in `folder`, and makes those that are missing: files that only their owner may read.
 * Throws an Error that names the file when one cannot be read, written or understood.
 */
export async function loadKeys(folder: string): Promise<Keys> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const signing = join(folder, 'signing.json');
  await readOrMake(signing, makeKeyFile);
  let current = await readSigningKeys(signing);
  let checkedAt = performance.now();

  /** Reads the keys again if another process has rotated them (`fabrica key rotate`): the file's time tells. */
  async function reload(): Promise<void> {
    checkedAt = performance.now();
    const { mtimeMs } = await stat(signing);
    if (mtimeMs !== current.modifiedMs) current = await readSigningKeys(signing);
  }

  async function reloadIfDue(): Promise<void> {
    if (performance.now() - checkedAt > ROTATION_NOTICED_MS) await reload();
  }

  const refreshKey = await readSymmetricKey(join(folder, 'refresh.key'));
  const secretsKey = await readSymmetricKey(join(folder, 'secrets.key'));
  return {
    async signer() {
      await reloadIfDue();
      return current;
    },
    async verifier(kid) {
      if (kid === undefined) return undefined;
      if (current.verifiers.has(kid)) await reloadIfDue();
      else await reload();
      const known = current.verifiers.get(kid);
      return known && isValid(known.retiredAt) ? known.key : undefined;
    },
    async jwks() {
      await reload();
      return current.jwks;
    },
    refreshKey,
    secretsKey,
    async projectSecret(projectId) {
      const path = join(folder, `project-${projectId}.secret`);
      const secret = await readOrMake(path, async () => `sk_${randomText()}`);
      if (!/^sk_[\w-]{32,}$/.test(secret)) throw damaged(path);
      return secret;
    },
  };
}

/** Returns a key of 32 random bytes, which is made at the first call. */
async function readSymmetricKey(path: string): Promise<Buffer> {
  const key = Buffer.from(await readOrMake(path, async () => randomText()), 'base64url');
  if (key.byteLength !== 32) throw damaged(path);
  return key;
}

/** A retired key is of no use to a thief once the tokens that it signed have expired. */
function isValid(retiredAt: number | undefined): boolean {
  return retiredAt === undefined || retiredAt + RETIRED_VALID_SECONDS > Date.now() / 1_000;
}

/**
 * Replaces the signing key and returns the new key's name. The old key stays valid for the tokens that it has signed;
 * with `revoke` it does not, and everybody's client has to refresh. Running servers notice by themselves.
 */
export async function rotateSigningKey(folder: string, { revoke = false } = {}): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'signing.json');
  await readOrMake(path, makeKeyFile);
  const now = Math.floor(Date.now() / 1_000);
  const retired = parseKeyFile(path, (await readFile(path, 'utf8')).trim())
    .map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
    .filter(({ retired_at }) => !revoke && isValid(retired_at));
  const fresh = await makeSigningKey();
  await rename(await writeAside(path, JSON.stringify({ keys: [fresh, ...retired] })), path);
  return nameOf(fresh);
}

async function readSigningKeys(path: string): Promise<SigningKeys> {
  const { mtimeMs } = await stat(path);
  const stored = parseKeyFile(path, (await readFile(path, 'utf8')).trim());
  const verifiers = new Map<string, { key: CryptoKey; retiredAt: number | undefined }>();
  const jwks: JWK[] = [];
  for (const { kty, crv, x, retired_at } of stored as (StoredKey & {
    kty: string;
    crv: string;
    x: string;
  })[]) {
    const kid = await nameOf({ kty, crv, x });
    verifiers.set(kid, { key: await importKey(path, { kty, crv, x }), retiredAt: retired_at });
    jwks.push({ kty, crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' });
  }
  const [newest] = stored;
  if (!newest) throw damaged(path);
  const { retired_at: _, ...privateKey } = newest;
  const key = await importKey(path, privateKey);
  return { modifiedMs: mtimeMs, kid: await nameOf(newest), key, verifiers, jwks: { keys: jwks } };
}

function nameOf({ kty, crv, x }: JWK): Promise<string> {
  return calculateJwkThumbprint({ kty, crv, x } as JWK);
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return exportJWK(privateKey);
}

async function makeKeyFile(): Promise<string> {
  return JSON.stringify({ keys: [await makeSigningKey()] });
}

/** Returns the keys of a file, the newest first. A file of a single key was never rotated. */
function parseKeyFile(path: string, text: string): StoredKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, cause);
  }
  const { keys } = (parsed ?? {}) as { keys?: StoredKey[] };
  const list = Array.isArray(keys) ? keys : [parsed as StoredKey];
  return list.map((key) => {
    const { kty, crv, x, d, retired_at } = (key ?? {}) as StoredKey;
    if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d) throw damaged(path);
    return { kty, crv, x, d, ...(typeof retired_at === 'number' && { retired_at }) };
  });
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

/**
 * Returns the content of a file, which is made if it is missing. It is never half written, and when two processes start at
 * once they agree on the first one's.
 */
async function readOrMake(path: string, make: () => Promise<string>): Promise<string> {
  const stored = await readIfPresent(path);
  if (stored !== undefined) return stored;
  const draft = await writeAside(path, await make());
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}

/** Writes a file that only its owner may read beside `path`, and returns its path. */
async function writeAside(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

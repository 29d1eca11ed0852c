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

/** How late a rotation by another process may be noticed, in milliseconds. */
const ROTATION_NOTICED_MS = 2_000;
/** A retired key is good for this long, in seconds: a little more than any access token lives. */
const RETIRED_GOOD_SECONDS = MAX_ACCESS_TOKEN_SECONDS + 60;

export interface Keys {
  /** The newest key, which signs, with the name that token headers and `jwks` know it by. */
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  /** The key of this name, the retired ones among them; undefined when there is none. */
  verifier(kid: string | undefined): Promise<CryptoKey | undefined>;
  /** The public halves, as `/.well-known/jwks.json` shows them. */
  jwks(): Promise<{ keys: JWK[] }>;
  /** What successors of refresh tokens are derived with. */
  refreshKey: Buffer;
  /** What secrets of projects are encrypted with. */
  secretsKey: Buffer;
  /** The project's `sk_…`; made when it is first asked for. */
  projectSecret(projectId: string): Promise<string>;
}

/** A key as the file has it: a private JWK, and when another took its place (seconds since the epoch). */
type KeptKey = JWK & { retired_at?: number };

interface SigningKeys {
  /** Of the file that they were read from. */
  changed: number;
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
  let lookedAt = performance.now();

  /** Another process may have rotated them (`fabrica key rotate`); the file's time tells. */
  async function reload(): Promise<void> {
    lookedAt = performance.now();
    const { mtimeMs } = await stat(signing);
    if (mtimeMs !== current.changed) current = await readSigningKeys(signing);
  }

  async function reloadNowAndThen(): Promise<void> {
    if (performance.now() - lookedAt > ROTATION_NOTICED_MS) await reload();
  }

  const refreshKey = await readSymmetricKey(join(folder, 'refresh.key'));
  const secretsKey = await readSymmetricKey(join(folder, 'secrets.key'));
  return {
    async signer() {
      await reloadNowAndThen();
      return current;
    },
    async verifier(kid) {
      if (kid === undefined) return undefined;
      if (current.verifiers.has(kid)) await reloadNowAndThen();
      else await reload();
      const known = current.verifiers.get(kid);
      return known && isGood(known.retiredAt) ? known.key : undefined;
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

/** 32 random bytes, made at the first time. */
async function readSymmetricKey(path: string): Promise<Buffer> {
  const key = Buffer.from(await readOrMake(path, async () => randomText()), 'base64url');
  if (key.byteLength !== 32) throw damaged(path);
  return key;
}

/** Whoever has got hold of a retired key can do nothing with it once the tokens that it signed have expired. */
function isGood(retiredAt: number | undefined): boolean {
  return retiredAt === undefined || retiredAt + RETIRED_GOOD_SECONDS > Date.now() / 1_000;
}

/**
 * Puts a new signing key in the place of the present one, which stays good for the tokens that it has signed, or
 * with `revoke` is good for none: everybody's next call is refused, and refreshes. Running servers notice by
 * themselves. Answers the new key's name.
 */
export async function rotateSigningKey(folder: string, { revoke = false } = {}): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'signing.json');
  await readOrMake(path, makeKeyFile);
  const now = Math.floor(Date.now() / 1_000);
  const retired = parseKeyFile(path, (await readFile(path, 'utf8')).trim())
    .map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
    .filter(({ retired_at }) => !revoke && isGood(retired_at));
  const fresh = await makeSigningKey();
  await rename(await writeAside(path, JSON.stringify({ keys: [fresh, ...retired] })), path);
  return nameOf(fresh);
}

async function readSigningKeys(path: string): Promise<SigningKeys> {
  const { mtimeMs } = await stat(path);
  const kept = parseKeyFile(path, (await readFile(path, 'utf8')).trim());
  const verifiers = new Map<string, { key: CryptoKey; retiredAt: number | undefined }>();
  const jwks: JWK[] = [];
  for (const { kty, crv, x, retired_at } of kept as (KeptKey & { kty: string; crv: string; x: string })[]) {
    const kid = await nameOf({ kty, crv, x });
    verifiers.set(kid, { key: await importKey(path, { kty, crv, x }), retiredAt: retired_at });
    jwks.push({ kty, crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' });
  }
  const [newest] = kept;
  if (!newest) throw damaged(path);
  const { retired_at: _, ...privateKey } = newest;
  const key = await importKey(path, privateKey);
  return { changed: mtimeMs, kid: await nameOf(newest), key, verifiers, jwks: { keys: jwks } };
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

/** The newest first. A file of a single key is one that was never rotated. */
function parseKeyFile(path: string, text: string): KeptKey[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw damaged(path, cause);
  }
  const { keys } = (parsed ?? {}) as { keys?: KeptKey[] };
  const list = Array.isArray(keys) ? keys : [parsed as KeptKey];
  return list.map((key) => {
    const { kty, crv, x, d, retired_at } = (key ?? {}) as KeptKey;
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

/** A key is never half written, and when two processes start at once they agree on the first one's. */
async function readOrMake(path: string, make: () => Promise<string>): Promise<string> {
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept;
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

/** Writes a file that only its owner may read beside `path`, and answers where. */
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

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import { MAX_ACCESS_TOKEN_SECONDS } from '@fabrica/contract';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { createKeyRing, type KeyRing, parseKeyRing } from './key-ring.ts';

export const SIGNING_ALGORITHM = 'EdDSA';

/** Milliseconds within which a rotation by another process is noticed. */
const ROTATION_NOTICED_MS = 2_000;
/** Milliseconds before a new refresh key signs, within which each node has read it. */
const SIGNS_AFTER_MS = 60_000;
/** Milliseconds after which a node reads the keys again, whatever it does. */
export const KEYS_READ_MS = 15_000;
/** Seconds that a retired key stays valid: a little longer than any access token lives. */
const RETIRED_VALID_SECONDS = MAX_ACCESS_TOKEN_SECONDS + 60;

export interface Keys {
  /** Returns the newest key, which signs, with its name in token headers and `jwks`. */
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  /** Returns the key of this name, a retired one too; undefined when there is none. */
  verifier(kid: string | undefined): Promise<CryptoKey | undefined>;
  /** Returns the public keys, as `/.well-known/jwks.json` shows them. */
  jwks(): Promise<{ keys: JWK[] }>;
  /** Derives successors of refresh tokens, and whatever else is a secret of the whole installation. */
  refreshKeys: KeyRing;
  /** Encrypts secrets of projects and of authenticator apps. */
  secretsKeys: KeyRing;
  /** Returns the project's `sk_…`, which is made at the first call. */
  projectSecret(projectId: string): Promise<string>;
}

/** Keeps keys as texts by their names, the same for all nodes. */
export interface KeyStore {
  /** Returns the text of this name; the first caller of all nodes makes it. */
  readOrMake(name: string, make: () => Promise<string>): Promise<string>;
  /** Replaces the text of this name, by one caller of all nodes at a time. */
  replace(name: string, change: (text: string) => Promise<string>): Promise<void>;
  /** Returns the text that an older version has kept in a file of this name. */
  readFile?(file: string): Promise<string | undefined>;
}

/** A key as it is stored: a private JWK, and when another one replaced it (seconds since the epoch). */
type StoredKey = JWK & { retired_at?: number };

interface SigningKeys {
  /** The source that they were read from. */
  text: string;
  kid: string;
  key: CryptoKey;
  verifiers: ReadonlyMap<string, { key: CryptoKey; retiredAt: number | undefined }>;
  jwks: { keys: JWK[] };
}

/** A key that is kept: its name, its name as a file of older versions, and how it is checked and made. */
interface KeyKind {
  name: string;
  file: string;
  parse(text: string): unknown;
  make(): Promise<string>;
}

const SIGNING = { name: 'signing', file: 'signing.json', parse: parseSigningKeys, make: makeSigningKeys };
const REFRESH = { name: 'refresh', file: 'refresh.key', parse: parseKeyRing, make: randomText };
const SECRETS = { name: 'secrets', file: 'secrets.key', parse: parseKeyRing, make: randomText };
const secretOf = (projectId: string): KeyKind => ({
  name: `project-${projectId}`,
  file: `project-${projectId}.secret`,
  parse: parseProjectSecret,
  make: async () => `sk_${await randomText()}`,
});

/** Reads the keys, and makes those that are missing. Throws an Error that names the key when one cannot be understood. */
export async function loadKeys(store: KeyStore): Promise<Keys> {
  let current = await importSigningKeys(await read(store, SIGNING));
  let rings = await readRings(store);
  let checkedAt = performance.now();

  /** Reads the keys again, which another process may have rotated (`fabrica key rotate`). */
  async function reload(): Promise<void> {
    checkedAt = performance.now();
    const text = await read(store, SIGNING);
    if (text !== current.text) current = await importSigningKeys(text);
    rings = await readRings(store);
  }

  /** The known keys stay in use while the database cannot be reached. */
  async function reloadIfDue(): Promise<void> {
    if (performance.now() - checkedAt > ROTATION_NOTICED_MS) await reload().catch(() => undefined);
  }

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
    refreshKeys: createKeyRing(() => rings.refresh, reload),
    secretsKeys: createKeyRing(() => rings.secrets, reload),
    projectSecret: (projectId) => read(store, secretOf(projectId)),
  };
}

async function readRings(store: KeyStore) {
  return {
    refresh: parseKeyRing(await read(store, REFRESH)),
    secrets: parseKeyRing(await read(store, SECRETS)),
  };
}

/** A retired key is of no use to a thief once the tokens that it signed have expired. */
function isValid(retiredAt: number | undefined): boolean {
  return retiredAt === undefined || retiredAt + RETIRED_VALID_SECONDS > Date.now() / 1_000;
}

/**
 * Replaces the signing key and returns the new key's name. The old key stays valid for the tokens that it has signed;
 * with `revoke` it does not, and everybody's client has to refresh. Running servers notice by themselves.
 */
export async function rotateSigningKey(store: KeyStore, { revoke = false } = {}): Promise<string> {
  await read(store, SIGNING);
  const fresh = await makeSigningKey();
  await store.replace(SIGNING.name, async (text) => {
    const now = Math.floor(Date.now() / 1_000);
    const retired = parseSigningKeys(text)
      .map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
      .filter(({ retired_at }) => !revoke && isValid(retired_at));
    return JSON.stringify({ keys: [fresh, ...retired] });
  });
  return nameOf(fresh);
}

/**
 * Puts a new refresh key in front of the former ones. It begins to sign in a minute: what a node signs before another one has
 * read the key would be refused there. With `revoke` it signs at once, and what the former ones have signed is void.
 */
export async function rotateRefreshKey(store: KeyStore, { revoke = false } = {}): Promise<void> {
  await addKey(store, REFRESH, { delayMs: revoke ? 0 : SIGNS_AFTER_MS });
  if (revoke) await keepNewest(store, REFRESH, 1);
}

/**
 * Puts a new key of secrets in front of the former ones, has `sealAnew` seal all secrets with it, and forgets those that
 * nothing is sealed with any more. The key before stays, for what a node seals that has not read the new one; with `revoke` it
 * does not. A rotation that was interrupted is completed by the next one.
 */
export async function rotateSecretsKey(
  store: KeyStore,
  { revoke = false, sealAnew }: { revoke?: boolean; sealAnew(keys: KeyRing): Promise<void> },
): Promise<void> {
  await addKey(store, SECRETS, { delayMs: 0 });
  await sealAnew((await loadKeys(store)).secretsKeys);
  await keepNewest(store, SECRETS, revoke ? 1 : 2);
}

async function addKey(store: KeyStore, kind: KeyKind, { delayMs }: { delayMs: number }): Promise<void> {
  await read(store, kind);
  const fresh = { key: await randomText(), from: Date.now() + delayMs };
  await store.replace(kind.name, async (text) => JSON.stringify({ keys: [fresh, ...parseKeyRing(text)] }));
}

function keepNewest(store: KeyStore, { name }: KeyKind, count: number): Promise<void> {
  return store.replace(name, async (text) => JSON.stringify({ keys: parseKeyRing(text).slice(0, count) }));
}

/** Replaces a project's secret key and returns it. Servers use it from their next start on. */
export async function replaceProjectSecret(store: KeyStore, projectId: string): Promise<string> {
  const kind = secretOf(projectId);
  await read(store, kind);
  const secret = await kind.make();
  await store.replace(kind.name, async () => secret);
  return secret;
}

/** Returns a key that is kept. The first time, it is taken over from an older version's file, or made. */
async function read(store: KeyStore, { name, file, parse, make }: KeyKind): Promise<string> {
  const text = await store.readOrMake(name, async () => {
    const older = await store.readFile?.(file);
    if (older !== undefined) check(older, parse, `The key file ${file}`);
    return older ?? make();
  });
  check(text, parse, `The key "${name}" in the database`);
  return text;
}

function check(text: string, parse: KeyKind['parse'], which: string): void {
  try {
    parse(text);
  } catch (cause) {
    throw new Error(`${which} is damaged. Put it back from a backup.`, { cause });
  }
}

async function importSigningKeys(text: string): Promise<SigningKeys> {
  const stored = parseSigningKeys(text);
  const verifiers = new Map<string, { key: CryptoKey; retiredAt: number | undefined }>();
  const jwks: JWK[] = [];
  for (const { kty, crv, x, retired_at } of stored as (StoredKey & {
    kty: string;
    crv: string;
    x: string;
  })[]) {
    const kid = await nameOf({ kty, crv, x });
    verifiers.set(kid, { key: await importKey({ kty, crv, x }), retiredAt: retired_at });
    jwks.push({ kty, crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' });
  }
  const [newest] = stored as [StoredKey];
  const { retired_at: _, ...privateKey } = newest;
  return {
    text,
    kid: await nameOf(newest),
    key: await importKey(privateKey),
    verifiers,
    jwks: { keys: jwks },
  };
}

function nameOf({ kty, crv, x }: JWK): Promise<string> {
  return calculateJwkThumbprint({ kty, crv, x } as JWK);
}

async function randomText(): Promise<string> {
  return randomBytes(32).toString('base64url');
}

async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  return exportJWK(privateKey);
}

async function makeSigningKeys(): Promise<string> {
  return JSON.stringify({ keys: [await makeSigningKey()] });
}

/** Returns the signing keys, the newest first. A single key as the whole text was never rotated. */
function parseSigningKeys(text: string): StoredKey[] {
  const parsed: unknown = JSON.parse(text);
  const { keys } = (parsed ?? {}) as { keys?: StoredKey[] };
  const list = Array.isArray(keys) ? keys : [parsed as StoredKey];
  if (list.length === 0) throw new Error('There is no key.');
  return list.map((key) => {
    const { kty, crv, x, d, retired_at } = (key ?? {}) as StoredKey;
    if (kty !== 'OKP' || crv !== 'Ed25519' || !x || !d) throw new Error('This is no Ed25519 key.');
    return { kty, crv, x, d, ...(typeof retired_at === 'number' && { retired_at }) };
  });
}

function parseProjectSecret(text: string): string {
  if (!/^sk_[\w-]{32,}$/.test(text)) throw new Error('This is no secret key.');
  return text;
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('This is no Ed25519 key.');
  return key;
}

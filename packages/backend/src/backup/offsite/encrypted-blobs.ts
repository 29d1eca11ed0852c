import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { BlobStore, TemporaryFiles } from '../../services/storage/index.ts';

/** The parts that encrypted files are put into a store with. */
export interface EncryptedStore {
  blobs: BlobStore;
  temporaryFiles: TemporaryFiles;
}

/** Throws a sentence when this is no public key of age: a slip in one shows in its check sum. */
export async function requireRecipient(recipient: string): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  try {
    new Encrypter().addRecipient(recipient);
  } catch (cause) {
    throw new Error(`BACKUP_RECIPIENT is no public key of age: ${recipient}.`, { cause });
  }
}

/** Encrypts bytes for the holder of a key (`age1…`, https://age-encryption.org/v1) as they are read, and puts them into a store. */
export async function putEncrypted(
  key: string,
  content: Readable,
  { store: { blobs, temporaryFiles }, recipient }: { store: EncryptedStore; recipient: string },
): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const plain = Readable.toWeb(content) as ReadableStream<Uint8Array>;
  const encrypted = await encrypter.encrypt(plain as never);
  const file = await temporaryFiles.receive(Readable.fromWeb(encrypted as never));
  try {
    await blobs.put(key, file.localPath);
  } finally {
    await file.discard();
  }
}

/** Decrypts a file of the store into a new file. Throws a sentence when it is not there, or is for another key. */
export async function getDecrypted(
  key: string,
  path: string,
  { blobs, identity }: { blobs: BlobStore; identity: string },
): Promise<void> {
  const stored = await blobs.read(key);
  if (!stored) throw new Error(`The store does not have ${key}.`);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const plain = await decrypter.decrypt(stored as never).catch((cause: unknown) => {
    throw new Error(`${key} cannot be decrypted: it is damaged, or was encrypted for another key.`, {
      cause,
    });
  });
  await pipeline(Readable.fromWeb(plain as never), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

/** Returns the secret key in a file, as `age-keygen` and `fabrica key backup` write it. */
export async function readIdentity(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/);
  const identity = lines.find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identity === undefined) throw new Error(`${path} has no line that begins with AGE-SECRET-KEY-.`);
  return identity.trim();
}

/** Makes a pair of keys: backups are encrypted for the one and read by the other. */
export async function makeBackupKeys(): Promise<{ recipient: string; identity: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

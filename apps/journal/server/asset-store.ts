import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Database, preferredEncoding } from '@fabrica/backend';
import type { Kysely, Transaction } from 'kysely';
import { ASSET_TABLE, type AssetTables } from '../project/migrations/asset-migration.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

const DAY_MS = 86_400_000;
/** Files of versions that have not started for this long are removed: a page may stay open for weeks. */
const RETENTION_DAYS = 30;
/** Files that are written at a time. */
const BATCH = 50;
/** The copies beside a file that the build has compressed. */
const COPY = /\.(br|gz)$/;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** A built file of this version or of another one. */
interface Asset {
  content: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

/**
 * Keeps the built files of all versions in the database, which all nodes share: a page that one version has sent may load its
 * files from a node of another one, before and after it.
 */
export class AssetStore {
  readonly #database: Pick<Database, 'reader' | 'quietly'>;

  constructor(database: Pick<Database, 'reader' | 'quietly'>) {
    this.#database = database;
  }

  /** Adds the files of a folder, and removes those that no version has had for a month. */
  async keep(folder: string, now = Date.now()): Promise<void> {
    const names = (await readdir(folder)).filter((name) => !COPY.test(name));
    const known = await this.#reader.selectFrom(ASSET_TABLE).select(['name', 'kept_at']).execute();
    const fresh = new Set(known.filter(({ kept_at }) => kept_at > now - DAY_MS).map(({ name }) => name));
    const stale = names.filter((name) => !fresh.has(name));
    for (let at = 0; at < stale.length; at += BATCH) {
      const rows = await Promise.all(
        stale.slice(at, at + BATCH).map(async (name) => ({
          name,
          kept_at: now,
          content: (await readCompressed(join(folder, name))).toString('base64'),
        })),
      );
      await this.#write((transaction) =>
        transaction
          .insertInto(ASSET_TABLE)
          .values(rows)
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ kept_at: now }))
          .execute(),
      );
    }
    const oldest = now - RETENTION_DAYS * DAY_MS;
    if (known.every(({ kept_at }) => kept_at >= oldest)) return;
    await this.#write((transaction) =>
      transaction.deleteFrom(ASSET_TABLE).where('kept_at', '<', oldest).execute(),
    );
  }

  /** Returns a file in an encoding that the client accepts; `undefined` when no version of the last month has it. */
  async read(name: string, accepted: string | undefined): Promise<Asset | undefined> {
    const type = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) return undefined;
    const row = await this.#reader
      .selectFrom(ASSET_TABLE)
      .select('content')
      .where('name', '=', name)
      .executeTakeFirst();
    if (!row) return undefined;
    const compressed = Buffer.from(row.content, 'base64');
    const headers = { 'content-type': type, vary: 'Accept-Encoding' };
    return !takesGzip(accepted)
      ? { content: await expand(compressed), headers }
      : { content: compressed, headers: { ...headers, 'content-encoding': 'gzip' } };
  }

  get #reader(): Kysely<AssetTables> {
    return this.#database.reader as Kysely<AssetTables>;
  }

  #write<T>(act: (transaction: Transaction<AssetTables>) => Promise<T>): Promise<T> {
    return this.#database.quietly((transaction) => act(transaction as unknown as Transaction<AssetTables>));
  }
}

/** Tells whether a client takes gzip, also beside a better encoding. */
function takesGzip(accepted = ''): boolean {
  const others = accepted.split(',').filter((part) => !/^\s*br\b/i.test(part));
  return preferredEncoding(others.join(',')) === 'gzip';
}

/** Returns a file as gzip compresses it: the build has done so with those that gain much. */
async function readCompressed(path: string): Promise<Buffer> {
  try {
    return await readFile(`${path}.gz`);
  } catch {
    return compress(await readFile(path));
  }
}

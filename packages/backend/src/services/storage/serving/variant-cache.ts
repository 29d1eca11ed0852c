import type { CacheUsage } from '../../../runtime/meter.ts';
import { VersionedCache } from '../../../runtime/versioned-cache.ts';
import { modernFormat } from '../images/variants.ts';

/** Bytes of the largest cached variant; those of galleries are smaller. */
const MAX_VARIANT_BYTES = 256 * 1024;
const NAMES_FORMAT = /&format=(?!auto)/;
const MAX_BYTES = 32 * 1024 * 1024;

/** A response that is sent from memory. */
export interface CachedVariant {
  /** Key of the original. */
  blob: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

/**
 * Caches small variants in bounded memory; the least recently used is dropped first. Variants are dropped with their
 * file. A commit of another process drops all, because its files are not known.
 */
export interface VariantCache {
  readonly usage: CacheUsage;
  get(key: string): CachedVariant | undefined;
  /** Called before a variant is read. Returns the function that adds it, which does nothing if files changed meanwhile. */
  begin(): (key: string, variant: CachedVariant) => void;
  /** Returns whether a variant of this many bytes is cached. */
  takes(size: number): boolean;
  /** Drops the variants of these originals. */
  forget(blobs: readonly string[]): void;
}

/** `foreignCommits` grows with the commits of other processes. */
export function createVariantCache({ foreignCommits }: { foreignCommits: () => number }): VariantCache {
  const cache = new VersionedCache<CachedVariant>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ body }) => body.byteLength,
    version: foreignCommits,
  });
  return {
    get usage() {
      return cache.usage;
    },
    get: (key) => cache.get(key),
    begin: () => cache.begin(),
    takes: (size) => size <= MAX_VARIANT_BYTES,
    forget(blobs) {
      if (blobs.length === 0) return;
      const gone = new Set(blobs);
      cache.invalidate(({ blob }) => gone.has(blob));
    },
  };
}

/** Returns the path and query of a URL. */
export function pathAndQuery(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Returns the key of a variant: its URL, and where that leaves the format open, the best one of the Accept header. */
export function variantCacheKey(path: string, accept: string | undefined): string {
  return NAMES_FORMAT.test(path) ? path : `${path}\n${modernFormat(accept) ?? ''}`;
}

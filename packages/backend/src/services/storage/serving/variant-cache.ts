import { VersionedCache } from '../../../runtime/versioned-cache.ts';
import { modernFormat } from '../images/variants.ts';

/** Bytes of one that is kept: those that galleries are full of. */
const MAX_VARIANT_BYTES = 256 * 1024;
const NAMES_FORMAT = /&format=(?!auto)/;
const MAX_BYTES = 32 * 1024 * 1024;

/** An answer as it is sent again and again. */
export interface CachedVariant {
  /** Of the file that it was made of. */
  blob: string;
  etag: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
}

/**
 * Small variants, by what was asked for, in bounded memory: the one asked for longest ago goes first. They leave when
 * their file goes; what another process wrote is not known file by file, so that it drops all of them.
 */
export interface VariantCache {
  get(key: string): CachedVariant | undefined;
  /** To be called before what may be kept is read: answers how to keep it, which does nothing if files left meanwhile. */
  begin(): (key: string, variant: CachedVariant) => void;
  /** Is a variant of so many bytes kept? */
  takes(size: number): boolean;
  /** Drops what was made of these blobs. */
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

/** Whole addresses have their origin cut off. */
export function pathAndQuery(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** What a variant is kept under: its address, and where that leaves the format open the best that the reader takes. */
export function variantCacheKey(address: string, accept: string | undefined): string {
  return NAMES_FORMAT.test(address) ? address : `${address}\n${modernFormat(accept) ?? ''}`;
}

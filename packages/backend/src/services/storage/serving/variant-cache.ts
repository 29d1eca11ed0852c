import { modernFormat } from '../images/variants.ts';

/** Bytes of one that is kept: those that galleries are full of. */
const MAX_VARIANT_BYTES = 256 * 1024;
const NAMES_FORMAT = /&format=(?!auto)/;
const MAX_BYTES = 32 * 1024 * 1024;

/** An answer as it is sent again and again. */
export interface KeptVariant {
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
  get(key: string): KeptVariant | undefined;
  /** To be called before what may be kept is read: answers how to keep it, which does nothing if files left meanwhile. */
  begin(): (key: string, variant: KeptVariant) => void;
  /** Is a variant of so many bytes kept? */
  takes(size: number): boolean;
  /** Drops what was made of these blobs. */
  forget(blobs: readonly string[]): void;
}

/** `foreignCommits` grows with the commits of other processes. */
export function createVariantCache({ foreignCommits }: { foreignCommits: () => number }): VariantCache {
  const kept = new Map<string, KeptVariant>();
  let bytes = 0;
  let commitsSeen = foreignCommits();
  let departures = 0;

  function drop(key: string, { body }: KeptVariant): void {
    kept.delete(key);
    bytes -= body.byteLength;
  }

  function notice(): void {
    const commits = foreignCommits();
    if (commits === commitsSeen) return;
    commitsSeen = commits;
    departures += 1;
    kept.clear();
    bytes = 0;
  }

  function keep(key: string, variant: KeptVariant): void {
    const present = kept.get(key);
    if (present) drop(key, present);
    kept.set(key, variant);
    bytes += variant.body.byteLength;
    for (const [oldest, other] of kept) {
      if (bytes <= MAX_BYTES) return;
      drop(oldest, other);
    }
  }

  return {
    get(key) {
      notice();
      const variant = kept.get(key);
      if (!variant) return undefined;
      kept.delete(key);
      kept.set(key, variant);
      return variant;
    },
    begin() {
      notice();
      const begun = departures;
      return (key, variant) => {
        notice();
        if (departures === begun) keep(key, variant);
      };
    },
    takes: (size) => size <= MAX_VARIANT_BYTES,
    forget(blobs) {
      if (blobs.length === 0) return;
      departures += 1;
      const gone = new Set(blobs);
      for (const [key, variant] of kept) if (gone.has(variant.blob)) drop(key, variant);
    },
  };
}

/** Whole addresses have their origin cut off. */
export function pathAndQuery(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** What a variant is kept under: its address, and where that leaves the format open the best that the reader takes. */
export function keptKey(address: string, accept: string | undefined): string {
  return NAMES_FORMAT.test(address) ? address : `${address}\n${modernFormat(accept) ?? ''}`;
}

import type { VariantCache } from '../serving/variant-cache.ts';
import type { BlobStore } from './blob-store.ts';

/** Takes away what was kept for files that are gone. */
export type RemoveBlobs = (keys: readonly string[]) => Promise<void>;

/** From the memory first: nobody is answered with them once this was called. */
export function createRemoveBlobs(blobs: BlobStore, kept: VariantCache): RemoveBlobs {
  return async (keys) => {
    kept.forget(keys);
    for (const key of keys) await blobs.remove(key);
  };
}

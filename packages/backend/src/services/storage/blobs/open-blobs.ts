import { join } from 'node:path';
import { traced } from '../../../runtime/traced.ts';
import type { BlobStore } from './blob-store.ts';
import { createDiskBlobStore } from './disk.ts';
import { createS3BlobStore, type S3Settings } from './s3.ts';
import { createTemporaryFiles, type TemporaryFiles } from './temporary-files.ts';

export interface BlobSettings {
  /** Absolute. */
  dataDir: string;
  storage: { s3: S3Settings | undefined };
}

export interface OpenBlobs {
  blobs: BlobStore;
  /** Holds files before they are put into the store. */
  temporaryFiles: TemporaryFiles;
}

/** Opens the store that the settings name: a bucket, or `<dataDir>/files`. */
export function openBlobs({ dataDir, storage: { s3 } }: BlobSettings): OpenBlobs {
  const folder = join(dataDir, 'files');
  return {
    blobs: traceBlobs(s3 ? createS3BlobStore(s3) : createDiskBlobStore(folder)),
    // On the file system of the disk store, so that a put is a rename.
    temporaryFiles: createTemporaryFiles(join(folder, '.incoming')),
  };
}

function traceBlobs(blobs: BlobStore): BlobStore {
  return {
    ...blobs,
    put: (key, localPath) => traced('storage', 'put', () => blobs.put(key, localPath)),
    read: (key, range) => traced('storage', 'read', () => blobs.read(key, range)),
    stat: (key) => traced('storage', 'stat', () => blobs.stat(key)),
    remove: (key) => traced('storage', 'remove', () => blobs.remove(key)),
  };
}

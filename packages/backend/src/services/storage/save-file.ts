import type { UploadResponse } from '@fabrica/contract';
import type { Caller } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import { isStoreFull, storeFull } from './blobs/blob-store.ts';
import { storeUpload, type UploadTarget } from './uploads/store-upload.ts';

export interface FileToSave {
  project: Project;
  /** Whose file it will be, counted against that one's quota; the service's belong to nobody. */
  caller: Caller;
  /** Within the project, and one that nobody else has. Its extension follows the bytes. */
  path: string;
  bytes: Uint8Array;
}

/**
 * Keeps what a service has made for a caller, as if that one had uploaded it. Throws what `storeUpload` throws, and
 * STORAGE_FULL.
 */
export type SaveFile = (file: FileToSave) => Promise<UploadResponse>;

export function createSaveFile(shelf: Omit<UploadTarget, 'project' | 'caller'>): SaveFile {
  return async ({ project, caller, path, bytes }) => {
    try {
      const file = await shelf.temporaryFiles.receive(once(bytes));
      return await storeUpload({ file, path, upsert: false }, { ...shelf, project, caller });
    } catch (error) {
      throw isStoreFull(error) ? storeFull(error) : error;
    }
  };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

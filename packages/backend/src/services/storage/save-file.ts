import type { UploadResponse } from '@fabrica/contract';
import type { Caller } from '../../core/caller.ts';
import type { Project } from '../../database/project.ts';
import { isStoreFull, storeFull } from './blobs/blob-store.ts';
import { storeUpload, type UploadTarget } from './uploads/store-upload.ts';

export interface FileToSave {
  project: Project;
  /** The owner of the file, whose quota it counts against; files of the service role have no owner. */
  caller: Caller;
  /** Unique within the project. The extension is corrected to match the bytes. */
  path: string;
  bytes: Uint8Array;
}

/** Saves a file that a service made for a caller, as if the caller had uploaded it. Throws as an upload does. */
export type SaveFile = (file: FileToSave) => Promise<UploadResponse>;

export function createSaveFile(deps: Omit<UploadTarget, 'project' | 'caller'>): SaveFile {
  return async ({ project, caller, path, bytes }) => {
    try {
      const file = await deps.temporaryFiles.receive(once(bytes));
      return await storeUpload({ file, path, upsert: false, convert: false }, { ...deps, project, caller });
    } catch (error) {
      throw isStoreFull(error) ? storeFull(error) : error;
    }
  };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

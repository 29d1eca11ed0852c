import { randomUUID } from 'node:crypto';
import type { UploadAnswer } from '@fabrica/contract';
import type { Caller } from '../http/caller.ts';
import type { Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { ImageCheck } from './check-image.ts';
import { parseFilePath } from './file-path.ts';
import { correctExtension, isNamedAsImage, sniffMediaType } from './media-type.ts';
import { presentPublicUrl } from './public-address.ts';
import { putFile, type StoredFile } from './queries.ts';
import type { ReceivedUpload } from './receive-upload.ts';

export interface UploadTarget {
  project: Project;
  caller: Caller;
  blobs: BlobStore;
  images: ImageCheck;
  publicUrl: string;
}

/**
 * Gives a file that has arrived its type, its path and its owner; when it may not stay, its bytes go.
 *
 * Throws INVALID_PATH, FILE_UNREADABLE, FILE_EXISTS, FORBIDDEN.
 */
export async function storeUpload(upload: ReceivedUpload, target: UploadTarget): Promise<UploadAnswer> {
  const { project, blobs, publicUrl } = target;
  const key = `${project.definition.id}/${randomUUID().replace(/^(..)/, '$1/$1')}`;
  let replaced: string | undefined;
  let file: StoredFile;
  try {
    file = await describeFile(upload, key, target);
    await upload.blob.keep(key);
    replaced = await putFile(project.database, file, (present) => {
      if (!upload.upsert) {
        throw new ServiceError('FILE_EXISTS', 'File already exists. Set upsert: true to overwrite.');
      }
      authorizeChange(present, target.caller);
    });
  } catch (error) {
    await upload.blob.discard();
    await blobs.remove(key);
    throw error;
  }
  if (replaced) await blobs.remove(replaced);
  const { path, content_type: contentType, size } = file;
  return { publicUrl: presentPublicUrl(publicUrl, project.definition.id, file), path, contentType, size };
}

async function describeFile(
  { blob, path }: ReceivedUpload,
  key: string,
  { caller, images }: UploadTarget,
): Promise<StoredFile> {
  const asked = parseFilePath(path);
  const type = await sniffMediaType(blob.localPath);
  if (type.kind === 'image') await images.check(blob.localPath);
  if (type.kind === 'unknown' && isNamedAsImage(asked)) {
    throw new ServiceError(
      'FILE_UNREADABLE',
      'This file is named as an image but is none that can be shown. PNG, JPEG, GIF, WebP and AVIF can.',
    );
  }
  const now = Date.now();
  return {
    path: correctExtension(asked, type),
    blob: key,
    user_id: caller.kind === 'user' ? caller.id : null,
    content_type: type.contentType,
    size: blob.size,
    hash: blob.hash,
    created_at: now,
    updated_at: now,
  };
}

/** Only the uploader and the service role change or remove a file; throws FORBIDDEN. */
export function authorizeChange(file: StoredFile, caller: Caller): void {
  if (caller.kind === 'service') return;
  if (caller.kind === 'user' && file.user_id === caller.id) return;
  throw new ServiceError('FORBIDDEN', `"${file.path}" belongs to someone else.`);
}

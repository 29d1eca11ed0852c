import type { UploadResponse } from '@fabrica/contract';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { newBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { parseFilePath } from '../blobs/file-path.ts';
import type { Incoming, IncomingFile } from '../blobs/incoming.ts';
import { correctExtension, isNamedAsImage, type MediaType, sniffMediaType } from '../blobs/media-type.ts';
import type { RemoveBlobs } from '../blobs/remove-blobs.ts';
import { type Images, NO_PICTURE } from '../images/images.ts';
import { putFile, type StoredFile } from '../queries.ts';
import { presentPublicUrl } from '../serving/public-url.ts';
import { cleanDrawing } from '../svg/clean-svg.ts';
import { authorizeChange } from './authorize-change.ts';
import { requireWithinQuota } from './quota.ts';
import type { ReceivedUpload } from './receive-upload.ts';

export interface UploadTarget {
  project: Project;
  caller: Caller;
  incoming: Incoming;
  blobs: BlobStore;
  removeBlobs: RemoveBlobs;
  images: Images;
  publicUrl: string;
  /** Bytes that the files of one user may take together; 0: any number. */
  quota: number;
}

/**
 * Gives a file that has arrived its type, its path and its owner; when it may not stay, its bytes go. What is made of
 * a picture is begun with, but not waited for.
 *
 * Throws INVALID_PATH, FILE_UNREADABLE, FILE_EXISTS, FORBIDDEN, QUOTA_EXCEEDED.
 */
export async function storeUpload(upload: ReceivedUpload, target: UploadTarget): Promise<UploadResponse> {
  const { project, blobs, removeBlobs, images } = target;
  const key = newBlobKey(project.definition.id);
  let arrived = upload.file;
  let replaced: string[];
  let file: StoredFile;
  try {
    const asked = parseFilePath(upload.path);
    const type = await requireReadable(asked, arrived);
    if (type.kind === 'drawing') arrived = await cleanDrawing(arrived, target.incoming);
    file = await describeFile(arrived, { asked, type, key }, target);
    await blobs.put(key, arrived.localPath);
    replaced = await putFile(project.database, file, async ({ present, ...put }) => {
      if (present && !upload.upsert) {
        throw new AppError('FILE_EXISTS', 'File already exists. Set upsert: true to overwrite.');
      }
      if (present) authorizeChange(present, target.caller);
      await requireWithinQuota({ ...put, replaced: present, quota: target.quota });
    });
  } catch (error) {
    await arrived.discard();
    // Where that fails as well, the sweep finds it.
    await blobs.remove(key).catch(() => undefined);
    throw error;
  }
  await removeBlobs(replaced);
  images.prepare({ project, file });
  return presentUpload(file, target);
}

/** What the file is, by its bytes. Throws FILE_UNREADABLE where its name promises a picture. */
async function requireReadable(path: string, { localPath }: IncomingFile): Promise<MediaType> {
  const type = await sniffMediaType(localPath);
  if (type.kind === 'unknown' && isNamedAsImage(path)) {
    throw new AppError(
      'FILE_UNREADABLE',
      'This file is named as an image but is none that can be shown. PNG, JPEG, GIF, WebP, AVIF and SVG can.',
    );
  }
  return type;
}

async function describeFile(
  { localPath, size, hash }: IncomingFile,
  { asked, type, key }: { asked: string; type: MediaType; key: string },
  { project, caller, images }: UploadTarget,
): Promise<StoredFile> {
  const now = Date.now();
  return {
    path: correctExtension(asked, type),
    blob: key,
    user_id: caller.kind === 'user' ? caller.id : null,
    content_type: type.contentType,
    size,
    hash,
    created_at: now,
    updated_at: now,
    ...(type.kind === 'image' ? await images.inspect(project, localPath) : NO_PICTURE),
  };
}

function presentUpload(file: StoredFile, { project, publicUrl }: UploadTarget): UploadResponse {
  const { path, content_type: contentType, size, width, height, placeholder } = file;
  return {
    publicUrl: presentPublicUrl(publicUrl, project.definition.id, file),
    path,
    contentType,
    size,
    width,
    height,
    placeholder,
  };
}

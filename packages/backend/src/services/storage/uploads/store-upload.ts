import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { UploadResponse } from '@fabrica/contract';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { authorizeUpload, type UploadPermission } from '../authorize.ts';
import { type BlobStore, newBlobKey } from '../blobs/blob-store.ts';
import { parseFilePath } from '../blobs/file-path.ts';
import { correctExtension, isNamedAsImage, type MediaType, sniffMediaType } from '../blobs/media-type.ts';
import type { TemporaryFile, TemporaryFiles } from '../blobs/temporary-files.ts';
import { type Images, NO_IMAGE } from '../images/images.ts';
import { findFile, putFile, type StoredFile } from '../queries.ts';
import type { RemoveBlobs } from '../removal/remove-files.ts';
import { presentPublicUrl } from '../serving/public-url.ts';
import { cleanSvg } from '../svg/clean-svg.ts';
import type { ReceivedUpload } from './receive-upload.ts';

export interface UploadTarget {
  project: Project;
  caller: Caller;
  temporaryFiles: TemporaryFiles;
  blobs: BlobStore;
  removeBlobs: RemoveBlobs;
  images: Images;
  publicUrl: string;
  /** Bytes that the files of one user may have together; 0: any number. */
  quota: number;
}

/**
 * Stores a received file under its path, and returns its URL and what is known of it. Existence, ownership and quota
 * are checked before the bytes are put into the blob store, and again with the row. A refused file leaves nothing
 * behind. Variants of an image are made in the background.
 *
 * Throws INVALID_PATH, FILE_UNREADABLE, FILE_EXISTS, FORBIDDEN, QUOTA_EXCEEDED.
 */
export async function storeUpload(upload: ReceivedUpload, target: UploadTarget): Promise<UploadResponse> {
  const { project, removeBlobs, images } = target;
  let received = upload.file;
  let file: StoredFile;
  let replaced: string[];
  try {
    const requestedPath = parseFilePath(upload.path);
    let type = await requireReadable(requestedPath, received);
    if (type.isConvertible && upload.convert) {
      received = await convert(received, target);
      type = await requireReadable(requestedPath, received);
    }
    if (type.kind === 'svg') received = await cleanSvg(received, target.temporaryFiles);
    file = newFile(received, { path: correctExtension(requestedPath, type), type }, target);
    const permission = { file, caller: target.caller, upsert: upload.upsert, quota: target.quota };
    const existing = await findFile(project.database, file.path);
    await authorizeUpload(project.database.reader, { ...permission, existing });
    if (type.kind === 'image') {
      const { localPath } = received;
      file = { ...file, ...(await images.inspect({ project, localPath, owner: file.user_id })) };
    }
    replaced = await putBlobAndRow(file, received, { ...target, permission });
  } catch (error) {
    await received.discard();
    throw error;
  }
  await removeBlobs(replaced);
  images.prepare({ project, file });
  return presentUpload(file, target);
}

/** Replaces a received image by one that browsers show. Throws FILE_UNREADABLE. */
async function convert(
  received: TemporaryFile,
  { images, temporaryFiles, caller }: UploadTarget,
): Promise<TemporaryFile> {
  const target = temporaryFiles.newPath();
  try {
    await images.convert({ localPath: received.localPath, owner: ownerOf(caller) }, target);
    const converted = await temporaryFiles.receive(createReadStream(target));
    await received.discard();
    return converted;
  } finally {
    await rm(target, { force: true });
  }
}

/** Returns the keys of the blobs that the file replaced. */
async function putBlobAndRow(
  file: StoredFile,
  { localPath }: TemporaryFile,
  {
    project,
    blobs,
    permission,
  }: Pick<UploadTarget, 'project' | 'blobs'> & { permission: Omit<UploadPermission, 'existing'> },
): Promise<string[]> {
  try {
    await blobs.put(file.blob, localPath);
    return await putFile(project.database, file, (transaction, existing) =>
      authorizeUpload(transaction, { ...permission, existing }),
    );
  } catch (error) {
    // The row may be there although its answer was lost: then the file is whole. Of a row that is not there, and where the removal
    // fails, the sweep removes the blob.
    const isUncertain = error instanceof AppError && error.code === 'DATABASE_UNAVAILABLE';
    if (!isUncertain) await blobs.remove(file.blob).catch(() => undefined);
    throw error;
  }
}

/** Returns the type by the file's bytes. Throws FILE_UNREADABLE for an unknown type named as an image. */
async function requireReadable(path: string, { localPath }: TemporaryFile): Promise<MediaType> {
  const type = await sniffMediaType(localPath);
  if (type.kind === 'unknown' && isNamedAsImage(path)) {
    throw new AppError(
      'FILE_UNREADABLE',
      'This file is named as an image but is none that can be shown. PNG, JPEG, GIF, WebP, AVIF and SVG can.',
    );
  }
  return type;
}

function newFile(
  { size, hash }: TemporaryFile,
  { path, type }: { path: string; type: MediaType },
  { project, caller }: UploadTarget,
): StoredFile {
  const now = Date.now();
  return {
    path,
    blob: newBlobKey(project.definition.id),
    user_id: ownerOf(caller),
    content_type: type.contentType,
    size,
    hash,
    created_at: now,
    updated_at: now,
    ...NO_IMAGE,
  };
}

function ownerOf(caller: Caller): string | null {
  return caller.kind === 'user' ? caller.id : null;
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

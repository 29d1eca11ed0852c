import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName } from '../blobs/file-path.ts';
import type { Images } from '../images/images.ts';
import type { StoredFile } from '../queries.ts';
import { presentPublicUrl } from './public-url.ts';

/** How long an address of the store itself is good. */
const DOWNLOAD_SECONDS = 15 * 60;

export interface DownloadSource {
  project: Project;
  file: StoredFile;
  blobs: BlobStore;
  images: Images;
  publicUrl: string;
}

/**
 * Where a file is saved from, under the name that was asked for or its own: straight from the store where that has
 * addresses, so that large files do not pass through us. What is saved is what everybody reads, never an original.
 */
export async function presentDownload(askedName: string | undefined, source: DownloadSource) {
  const { project, blobs, images, publicUrl } = source;
  const file = await images.describe(source);
  const filename = (askedName?.trim() || fileName(file.path)).toWellFormed();
  const { key, size } = await images.served({ project, file });
  const contentType = file.content_type;
  const address = `${presentPublicUrl(publicUrl, project.definition.id, file)}&download=${encodeURIComponent(filename)}`;
  const direct = await blobs.presign?.(key, { filename, contentType, seconds: DOWNLOAD_SECONDS });
  return { downloadUrl: direct ?? address, filename, contentType, size };
}

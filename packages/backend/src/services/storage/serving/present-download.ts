import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName } from '../blobs/file-path.ts';
import type { Images } from '../images/images.ts';
import type { StoredFile } from '../queries.ts';
import { presentPublicUrl } from './public-url.ts';

/** Lifetime of the store's own URLs. */
const DOWNLOAD_SECONDS = 15 * 60;

interface DownloadSource {
  project: Project;
  file: StoredFile;
  blobs: BlobStore;
  images: Images;
  publicUrl: string;
}

/**
 * Returns the URL that a file is downloaded from under the requested name or its own. It is a URL of the store where that
 * has one, so that large files do not pass through this server. The cleaned version is downloaded, never the original.
 */
export async function presentDownload(requestedName: string | undefined, source: DownloadSource) {
  const { project, blobs, images, publicUrl } = source;
  const file = await images.describe(source);
  const filename = (requestedName?.trim() || fileName(file.path)).toWellFormed();
  const { key, size } = await images.served({ project, file });
  const contentType = file.content_type;
  const url = `${presentPublicUrl(publicUrl, project.definition.id, file)}&download=${encodeURIComponent(filename)}`;
  const direct = await blobs.presign?.(key, { filename, contentType, seconds: DOWNLOAD_SECONDS });
  return { downloadUrl: direct ?? url, filename, contentType, size };
}

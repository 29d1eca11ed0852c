import type { Context } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName } from '../blobs/file-path.ts';
import { isShownInline } from '../blobs/media-type.ts';
import type { ProjectFile } from '../images/derived-images.ts';
import type { Images } from '../images/images.ts';
import { hasVariants } from '../images/variants.ts';
import { findFile } from '../queries.ts';
import { presentEtag, presentFileHeaders } from './file-headers.ts';
import { parsePublicUrl } from './public-url.ts';
import { sendBlob } from './send-blob.ts';
import { parseVariantQuery, serveVariant } from './serve-variant.ts';
import type { VariantCache } from './variant-cache.ts';

export interface FileSource {
  projects: ReadonlyMap<string, Project>;
  blobs: BlobStore;
  images: Images;
  kept: VariantCache;
}

/**
 * `GET` and `HEAD` of `/storage/{projectId}/{path}`: the file, whole or in part, open to everyone; of a picture that
 * has more in its file than the picture, the cleaned version. With `?w=` pictures are sent in that width, with
 * `?download=name` a file is saved under that name.
 */
export async function serveFile(c: Context, source: FileSource): Promise<Response> {
  const { projects, blobs, images } = source;
  const keep = source.kept.begin();
  const query = parseVariantQuery(c);
  const { project, file: found } = await requireFile(c.req.url, projects);
  const stored = { project, file: await images.describe({ project, file: found }) };
  if (query && hasVariants(stored.file)) return serveVariant(c, stored, { ...source, query, keep });

  const { file } = stored;
  const download = c.req.query('download');
  const blob = await images.served(stored);
  const headers = new Headers(
    presentFileHeaders({
      file,
      contentType: file.content_type,
      disposition: isShownInline(file.content_type) && download === undefined ? 'inline' : 'attachment',
      name: download || fileName(file.path),
      etag: presentEtag(blob.key),
      version: c.req.query('v'),
    }),
  );
  return sendBlob(c, blobs, { stored, blob, headers });
}

async function requireFile(address: string, projects: FileSource['projects']): Promise<ProjectFile> {
  const named = parsePublicUrl(address);
  const project = named && projects.get(named.projectId);
  const file = project && (await findFile(project.database, named.path));
  if (!file) throw new AppError('FILE_NOT_FOUND', 'File not found');
  return { file, project };
}

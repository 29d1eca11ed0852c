import type { Context } from 'hono';
import type { Project } from '../../../database/project.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName } from '../blobs/file-path.ts';
import { isShownInline } from '../blobs/media-type.ts';
import type { ProjectFile } from '../images/derived-images.ts';
import type { Images } from '../images/images.ts';
import { hasVariants } from '../images/variants.ts';
import { fileNotFound, requireFile } from '../queries.ts';
import type { FileChanges } from './file-changes.ts';
import { presentEtag, presentFileHeaders } from './file-headers.ts';
import { parsePublicUrl } from './public-url.ts';
import { sendBlob } from './send-blob.ts';
import { parseVariantQuery, serveVariant } from './serve-variant.ts';

interface FileSource {
  projects: ReadonlyMap<string, Project>;
  blobs: BlobStore;
  images: Images;
  changes: FileChanges;
}

/**
 * Serves `GET` and `HEAD` of `/storage/{projectId}/{path}` to everyone: the file, whole or in part, or the cleaned
 * version of an image that has metadata. `?w=` selects the width of an image, `?download=name` saves the file
 * under that name.
 */
export async function serveFile(c: Context, source: FileSource): Promise<Response> {
  const { projects, blobs, images } = source;
  const isUnchanged = source.changes.begin();
  const query = parseVariantQuery(c);
  const { project, file: found } = await requirePublicFile(c.req.url, projects);
  const stored = { project, file: await images.describe({ project, file: found }) };
  if (query && hasVariants(stored.file)) return serveVariant(c, stored, { ...source, query, isUnchanged });

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

async function requirePublicFile(url: string, projects: FileSource['projects']): Promise<ProjectFile> {
  const parsed = parsePublicUrl(url);
  const project = parsed && projects.get(parsed.projectId);
  if (!project) throw fileNotFound();
  return { file: await requireFile(project.database, parsed.path), project };
}

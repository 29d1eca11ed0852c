import { originalQuery } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { requireSignedIn } from '../../../core/caller.ts';
import { parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { authorizeChange } from '../authorize.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName, parseFilePath } from '../blobs/file-path.ts';
import { requireFile } from '../queries.ts';
import { presentContentDisposition, presentEtag } from './file-headers.ts';
import { sendBlob } from './send-blob.ts';

/** Serves the file as it was uploaded, metadata included, to its uploader and the service role. */
export async function serveOriginal(c: Context<AppEnvironment>, blobs: BlobStore): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  const { path } = parseWith(originalQuery, c.req.query());
  const { project } = c.var;
  const file = await requireFile(project.database, parseFilePath(path));
  authorizeChange(file, caller);
  const headers = new Headers({
    'content-type': file.content_type,
    'content-disposition': presentContentDisposition('attachment', fileName(file.path)),
    'x-content-type-options': 'nosniff',
    etag: presentEtag(file.blob),
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
  });
  const blob = { key: file.blob, size: file.size };
  return sendBlob(c, blobs, { stored: { project, file }, blob, headers });
}

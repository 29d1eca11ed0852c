import { originalQuery } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import { requireSignedIn } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import { parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { authorizeChange } from '../authorize.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName, parseFilePath } from '../blobs/file-path.ts';
import { findFile } from '../queries.ts';
import { presentContentDisposition, presentEtag } from './file-headers.ts';
import { sendBlob } from './send-blob.ts';

/** The file as it was uploaded, with all that is in it: for its uploader and the service role, to be saved. */
export async function serveOriginal(c: Context<AppEnvironment>, blobs: BlobStore): Promise<Response> {
  const caller = requireSignedIn(c.var.caller);
  const { path } = parseWith(originalQuery, c.req.query());
  const { project } = c.var;
  const file = await findFile(project.database, parseFilePath(path));
  if (!file) throw new AppError('FILE_NOT_FOUND', 'File not found');
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

import type { Context } from 'hono';
import { matchesEtag } from '../../../http/shared-response.ts';
import type { BlobStore, ByteRange } from '../blobs/blob-store.ts';
import type { ProjectFile, ServedBlob } from '../images/derived-images.ts';
import { fileNotFound, isInUse } from '../queries.ts';

/** A blob with the file it belongs to. */
interface SentBlob {
  stored: ProjectFile;
  blob: ServedBlob;
  /** Headers for the whole blob, with its ETag. */
  headers: Headers;
}

/** Responds to GET and HEAD with a blob, whole or in part, or with 304 where its ETag matches. Throws FILE_NOT_FOUND. */
export async function sendBlob(
  c: Context,
  blobs: BlobStore,
  { stored, blob, headers }: SentBlob,
): Promise<Response> {
  const etag = headers.get('etag') ?? '';
  headers.set('accept-ranges', 'bytes');
  if (matchesEtag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const ifRange = c.req.header('if-range');
  const range = ifRange && ifRange !== etag ? undefined : parseByteRange(c.req.header('range'), blob.size);
  if (range === null) return noSuchRange(blob);
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${blob.size}`);
  headers.set('content-length', String(range ? range.end - range.start + 1 : blob.size));
  const status = range ? 206 : 200;
  // An unread body would keep the file open.
  if (c.req.raw.method === 'HEAD') return new Response(null, { status, headers });
  const body = await blobs.read(blob.key, range);
  if (!body) throw await missingBytes(stored, blob.key);
  return new Response(body, { status, headers });
}

/** Returns the error for missing bytes: FILE_NOT_FOUND if the file was just deleted, else a fault of the store. */
export async function missingBytes({ project, file }: ProjectFile, key: string): Promise<Error> {
  return (await isInUse(project.database, file.blob))
    ? new Error(`The bytes of ${key} are gone.`)
    : fileNotFound();
}

function noSuchRange({ size }: ServedBlob): Response {
  return new Response(null, {
    status: 416,
    headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes', 'cache-control': 'no-store' },
  });
}

/**
 * Returns the single range of a Range header (RFC 9110, section 14.1.2), cut to `size` bytes. Returns `undefined` when
 * the whole is to be sent (no range, several, or an invalid one), and `null` when the range is outside of it.
 */
function parseByteRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : null;
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < size ? { start, end } : null;
}

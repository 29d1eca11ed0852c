import { shapeQuery, variantQuery } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import type { z } from 'zod';
import { parseWith } from '../../../http/body.ts';
import { share } from '../../../http/shared-response.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName, replaceExtension } from '../blobs/file-path.ts';
import type { ProjectFile } from '../images/derived-images.ts';
import type { Images } from '../images/images.ts';
import { chooseVariant, variantContentType } from '../images/variants.ts';
import { presentEtag, presentFileHeaders } from './file-headers.ts';
import { fileVersion } from './public-url.ts';
import { sendBlob } from './send-blob.ts';

/** Matches the URLs of variants as we present them, with the file's version: any other query would fill a cache with the same bytes. */
export const VARIANT_URL = /\/storage\/[^?#]+\?v=([0-9a-f]+)&w=\d+(?:&format=[a-z]+)?$/;
/** Bytes of the largest variant that is kept in memory; those of galleries are smaller. */
const MAX_SHARED_BYTES = 256 * 1024;

type VariantQuery = z.infer<typeof variantQuery> | z.infer<typeof shapeQuery>;

/** Returns the requested shape, or the width and format, or undefined without either. Throws VALIDATION_FAILED. */
export function parseVariantQuery(c: Context): VariantQuery | undefined {
  if (c.req.query('as') !== undefined) return parseWith(shapeQuery, c.req.query());
  return c.req.query('w') === undefined ? undefined : parseWith(variantQuery, c.req.query());
}

interface VariantSource {
  blobs: BlobStore;
  images: Images;
  query: VariantQuery;
  /** Tells whether the file with this blob is the same since the request began. */
  isUnchanged(blob: string): boolean;
}

/** Serves an image in the requested width, in the requested format or the best one of the Accept header. */
export async function serveVariant(
  c: Context,
  stored: ProjectFile,
  { blobs, images, query, isUnchanged }: VariantSource,
): Promise<Response> {
  const { file } = stored;
  const variant = chooseVariant(file, query, c.req.header('accept'));
  const blob = await images.variant(stored, variant);
  const headers = presentFileHeaders({
    file,
    contentType: variantContentType(variant),
    disposition: 'inline',
    name: replaceExtension(fileName(file.path), variant.format),
    etag: presentEtag(blob.key),
    version: c.req.query('v'),
  });
  if ('format' in query && query.format === 'auto') headers.vary = 'Accept';
  const [, version] = VARIANT_URL.exec(c.req.url) ?? [];
  if (version === fileVersion(file.hash) && blob.size <= MAX_SHARED_BYTES) {
    share(c, { isCurrent: () => isUnchanged(file.blob) });
  }
  return sendBlob(c, blobs, { stored, blob, headers: new Headers(headers) });
}

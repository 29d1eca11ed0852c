import { shapeQuery, variantQuery } from '@fabrica/contract/schemas';
import type { Context } from 'hono';
import type { z } from 'zod';
import { parseWith } from '../../../http/body.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { fileName, replaceExtension } from '../blobs/file-path.ts';
import type { ProjectFile } from '../images/derived-images.ts';
import type { Images } from '../images/images.ts';
import { chooseVariant, variantContentType } from '../images/variants.ts';
import { presentEtag, presentFileHeaders } from './file-headers.ts';
import { fileVersion } from './public-url.ts';
import { missingBytes, sendBlob } from './send-blob.ts';
import { pathAndQuery, type VariantCache, variantCacheKey } from './variant-cache.ts';

/** Matches only URLs as we present them: any other query would fill the cache with the same bytes. */
const CACHED_QUERY = /\?v=([0-9a-f]+)&w=\d+(?:&format=[a-z]+)?$/;

export type VariantQuery = z.infer<typeof variantQuery> | z.infer<typeof shapeQuery>;

/** Returns the requested shape, or the width and format, or undefined without either. Throws VALIDATION_FAILED. */
export function parseVariantQuery(c: Context): VariantQuery | undefined {
  if (c.req.query('as') !== undefined) return parseWith(shapeQuery, c.req.query());
  return c.req.query('w') === undefined ? undefined : parseWith(variantQuery, c.req.query());
}

export interface VariantSource {
  blobs: BlobStore;
  images: Images;
  variantCache: VariantCache;
  query: VariantQuery;
  /** Adds a variant to the cache unless the file changed since the request began. */
  addToCache: ReturnType<VariantCache['begin']>;
}

/** Serves an image in the requested width, in the requested format or the best one of the Accept header. */
export async function serveVariant(
  c: Context,
  stored: ProjectFile,
  { blobs, images, variantCache, query, addToCache }: VariantSource,
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
  const path = cacheableUrl(c.req.url, fileVersion(file.hash));
  if (c.req.raw.method === 'GET' && path && variantCache.takes(blob.size)) {
    const body = await readWhole(blobs, blob.key);
    if (!body) throw await missingBytes(stored, blob.key);
    const all = { ...headers, 'accept-ranges': 'bytes', 'content-length': String(body.byteLength) };
    addToCache(variantCacheKey(path, c.req.header('accept')), {
      blob: file.blob,
      etag: presentEtag(blob.key),
      headers: all,
      body,
    });
  }
  return sendBlob(c, blobs, { stored, blob, headers: new Headers(headers) });
}

async function readWhole(blobs: BlobStore, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const body = await blobs.read(key);
  return body && new Uint8Array(await new Response(body).arrayBuffer());
}

/** Returns the path and query if the response may be cached under them: they have the file's current version. */
function cacheableUrl(url: string, version: string): string | undefined {
  const path = pathAndQuery(url);
  return CACHED_QUERY.exec(path)?.[1] === version ? path : undefined;
}

import { variantQuery } from '@fabrica/contract/schemas';
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

/** Addresses as we give them; anything else that is added to one would fill the memory with the same bytes. */
const CACHED_QUERY = /\?v=([0-9a-f]+)&w=\d+(?:&format=[a-z]+)?$/;

export type VariantQuery = z.infer<typeof variantQuery>;

/** The width and format that are asked for; undefined where no width is. Throws VALIDATION_FAILED. */
export function parseVariantQuery(c: Context): VariantQuery | undefined {
  return c.req.query('w') === undefined ? undefined : parseWith(variantQuery, c.req.query());
}

export interface VariantSource {
  blobs: BlobStore;
  images: Images;
  kept: VariantCache;
  query: VariantQuery;
  keep: ReturnType<VariantCache['begin']>;
}

/** A picture in the width that is asked for, in the format that is or that the reader's Accept header takes. */
export async function serveVariant(
  c: Context,
  stored: ProjectFile,
  { blobs, images, kept, query, keep }: VariantSource,
): Promise<Response> {
  const { file } = stored;
  const variant = chooseVariant(file, { width: query.w, format: query.format }, c.req.header('accept'));
  const blob = await images.variant(stored, variant);
  const headers = presentFileHeaders({
    file,
    contentType: variantContentType(variant),
    disposition: 'inline',
    name: replaceExtension(fileName(file.path), variant.format),
    etag: presentEtag(blob.key),
    version: c.req.query('v'),
  });
  if (query.format === 'auto') headers.vary = 'Accept';
  const address = cacheableUrl(c.req.url, fileVersion(file.hash));
  if (c.req.raw.method === 'GET' && address && kept.takes(blob.size)) {
    const body = await readWhole(blobs, blob.key);
    if (!body) throw await missingBytes(stored, blob.key);
    const all = { ...headers, 'accept-ranges': 'bytes', 'content-length': String(body.byteLength) };
    keep(variantCacheKey(address, c.req.header('accept')), {
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

/** The path and query of an address that an answer may be kept under: one of ours, with the file's version. */
function cacheableUrl(url: string, version: string): string | undefined {
  const address = pathAndQuery(url);
  return CACHED_QUERY.exec(address)?.[1] === version ? address : undefined;
}

import type { StoredFile } from '../queries.ts';
import { fileVersion } from './public-url.ts';

/** Nothing that a file brings along runs or loads, even when it is opened by itself. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const YEAR_SECONDS = 31_536_000;

export interface PresentedFile {
  file: StoredFile;
  contentType: string;
  disposition: 'inline' | 'attachment';
  /** Under which it is saved. */
  name: string;
  etag: string;
  /** The version in the address, if there is one. */
  version: string | undefined;
}

/** What every answer with a public file says of it. */
export function presentFileHeaders(presented: PresentedFile): Record<string, string> {
  const { file, contentType, disposition, name, etag, version } = presented;
  const isCurrent = version === fileVersion(file.hash);
  return {
    'content-type': contentType,
    'content-disposition': presentContentDisposition(disposition, name),
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    etag,
    'last-modified': new Date(file.updated_at).toUTCString(),
    'cache-control': isCurrent ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
  };
}

/** Bytes under a key never change, and other bytes have another one: a strong ETag. */
export function presentEtag(key: string): string {
  return `"${key.slice(key.indexOf('/') + 1).replace('/', '')}"`;
}

/** How a browser shows or saves a file; the name is written for old and new ones (RFC 6266, section 5). */
export function presentContentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7E]/g, '_').replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

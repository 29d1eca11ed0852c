import type { StoredFile } from '../queries.ts';
import { fileVersion } from './public-url.ts';

/** Keeps a file that is opened by itself from running or loading anything. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const YEAR_SECONDS = 31_536_000;

interface PresentedFile {
  file: StoredFile;
  contentType: string;
  disposition: 'inline' | 'attachment';
  /** Name that the browser saves the file under. */
  name: string;
  etag: string;
  /** The version in the URL, if there is one. */
  version: string | undefined;
}

/** Returns the headers of every response with a public file. */
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

/** Returns a strong ETag: bytes under a key never change. */
export function presentEtag(key: string): string {
  return `"${key.slice(key.indexOf('/') + 1).replace('/', '')}"`;
}

/** Returns a Content-Disposition with the name in the forms for old and new browsers (RFC 6266, section 5). */
export function presentContentDisposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7E]/g, '_').replace(/["\\]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

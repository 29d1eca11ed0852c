import type { StoredFile } from '../queries.ts';

/** Characters of the hash in a public URL: enough to tell two versions of one file apart. */
const VERSION_LENGTH = 8;

export function fileVersion(hash: string): string {
  return hash.slice(0, VERSION_LENGTH);
}

/** Returns a path such as `/storage/journal/posts/1.png`, with each part encoded. */
export function publicPathname(projectId: string, path: string): string {
  return `/storage/${projectId}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns the public URL of a file, with the version that lets browsers cache it for ever. */
export function presentPublicUrl(
  publicUrl: string,
  projectId: string,
  { path, hash }: Pick<StoredFile, 'path' | 'hash'>,
): string {
  return `${publicUrl}${publicPathname(projectId, path)}?v=${fileVersion(hash)}`;
}

/**
 * Returns the file that a public URL refers to, or null. Any origin is accepted: an installation that moved to another
 * domain still knows its old URLs.
 */
export function parsePublicUrl(publicUrl: string): { projectId: string; path: string } | null {
  const url = URL.parse(publicUrl, 'http://any.invalid');
  const [, projectId, encoded] = /^\/storage\/([^/]+)\/(.+)$/.exec(url?.pathname ?? '') ?? [];
  if (!projectId || !encoded) return null;
  try {
    return { projectId, path: encoded.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return null; // a percent sign that encodes nothing
  }
}

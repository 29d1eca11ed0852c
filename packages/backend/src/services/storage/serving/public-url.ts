import type { StoredFile } from '../queries.ts';

/** How much of the hash a public address carries: enough to tell two versions of one file apart. */
const VERSION_LENGTH = 8;

export function fileVersion(hash: string): string {
  return hash.slice(0, VERSION_LENGTH);
}

/** `/storage/journal/posts/1.png`, the path's parts encoded one by one. */
export function publicPathname(projectId: string, path: string): string {
  return `/storage/${projectId}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The public address of a file, with the version that lets browsers keep it for ever. */
export function presentPublicUrl(
  publicUrl: string,
  projectId: string,
  { path, hash }: Pick<StoredFile, 'path' | 'hash'>,
): string {
  return `${publicUrl}${publicPathname(projectId, path)}?v=${fileVersion(hash)}`;
}

/**
 * The file that an address of ours names, or null. The origin is not looked at: an installation that moved
 * to another domain still knows the addresses it gave before.
 */
export function parsePublicUrl(address: string): { projectId: string; path: string } | null {
  const url = URL.parse(address, 'http://any.invalid');
  const [, projectId, encoded] = /^\/storage\/([^/]+)\/(.+)$/.exec(url?.pathname ?? '') ?? [];
  if (!projectId || !encoded) return null;
  try {
    return { projectId, path: encoded.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return null; // a percent sign that encodes nothing
  }
}

export interface OwnPhoto {
  /** From the root of our own origin, as pages may load it. */
  src: string;
  /** Where it lies in the storage. */
  path: string;
}

/**
 * A photo that lies in our own storage, by the address that the account has; undefined for none, and for one of
 * elsewhere, which pages do not load.
 */
export function ownPhoto(photoUrl: string | null): OwnPhoto | undefined {
  const [, encoded] = /^\/storage\/[^/]+\/(avatars\/[^?#]+)/.exec(photoUrl ?? '') ?? [];
  if (!photoUrl || !encoded) return undefined;
  try {
    return { src: photoUrl, path: encoded.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return undefined;
  }
}

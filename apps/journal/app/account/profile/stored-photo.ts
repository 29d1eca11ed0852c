interface StoredPhoto {
  /** The URL of the photo, relative to the origin. */
  src: string;
  /** The path of the photo in the storage. */
  path: string;
}

/**
 * Returns the photo that a photo URL of an account names in the journal's own storage. Returns `undefined` for no URL and
 * for a URL of another origin, which pages must not load.
 */
export function findStoredPhoto(photoUrl: string | null): StoredPhoto | undefined {
  const [, encoded] = /^\/storage\/[^/]+\/(avatars\/[^?#]+)/.exec(photoUrl ?? '') ?? [];
  if (!photoUrl || !encoded) return undefined;
  try {
    return { src: photoUrl, path: encoded.split('/').map(decodeURIComponent).join('/') };
  } catch {
    return undefined;
  }
}

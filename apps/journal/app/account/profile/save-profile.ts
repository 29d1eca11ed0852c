import type { FabricaClient } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import { extensionOf } from '../../images/image-file.ts';
import { findStoredPhoto } from './stored-photo.ts';

/** The change of the photo. */
export type PhotoChoice = { kind: 'keep' } | { kind: 'new'; file: File } | { kind: 'none' };

export interface ProfileChange {
  user: User;
  displayName: string;
  photo: PhotoChoice;
  /** URLs of photos that were uploaded already, by file, so that a retry does not upload them again. */
  uploaded: WeakMap<File, string>;
}

/** Uploads the photo if there is a new one, changes the account, then removes the earlier photo. Throws the client's errors. */
export async function saveProfile(
  { user, displayName, photo, uploaded }: ProfileChange,
  client: Pick<FabricaClient, 'auth' | 'storage'>,
): Promise<void> {
  const upload = async (file: File) => {
    const earlier = uploaded.get(file);
    if (earlier) return earlier;
    const path = `avatars/${user.id}-${Date.now()}.${extensionOf(file)}`;
    const { publicUrl } = await client.storage.upload(file, path, { upsert: true, convert: true });
    // Only the path is stored, because a journal may change its domain.
    const { pathname, search } = new URL(publicUrl);
    uploaded.set(file, `${pathname}${search}`);
    return `${pathname}${search}`;
  };
  const name = displayName.trim() || null;
  if (photo.kind === 'keep') {
    await client.auth.updateMe({ displayName: name });
    return;
  }
  const photoURL = photo.kind === 'new' ? await upload(photo.file) : null;
  await client.auth.updateMe({ displayName: name, photoURL });
  const replaced = findStoredPhoto(user.photoURL);
  // The account no longer shows the file, so a failed removal does not fail the change.
  if (replaced) await client.storage.remove(replaced.path).catch((error: unknown) => reportError(error));
}

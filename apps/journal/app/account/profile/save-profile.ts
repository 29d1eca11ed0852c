import type { FabricaClient } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import { extensionOf } from '../../images/image-file.ts';
import { storedUrl } from '../../images/upload-image.ts';
import { findStoredPhoto } from './stored-photo.ts';

interface ProfileChange {
  user: User;
  displayName: string;
  /** A new photo, or the URL of one that was uploaded before; null removes the photo, and without a value it stays. */
  photo: File | string | null | undefined;
}

interface SaveProfileOptions extends Pick<FabricaClient, 'auth' | 'storage'> {
  /** Called with the URL of an uploaded photo, so that a retry does not upload it again. */
  onUploaded(url: string): void;
}

/** Uploads the photo if there is a new one, changes the account, then removes the earlier photo. Throws the client's errors. */
export async function saveProfile(
  { user, displayName, photo }: ProfileChange,
  { auth, storage, onUploaded }: SaveProfileOptions,
): Promise<void> {
  const upload = async (file: File) => {
    const path = `avatars/${user.id}-${Date.now()}.${extensionOf(file)}`;
    const { publicUrl } = await storage.upload(file, path, { upsert: true, convert: true });
    const url = storedUrl(publicUrl);
    onUploaded(url);
    return url;
  };
  const name = displayName.trim() || null;
  if (photo === undefined) {
    await auth.updateMe({ displayName: name });
    return;
  }
  const photoURL = photo instanceof File ? await upload(photo) : photo;
  await auth.updateMe({ displayName: name, photoURL });
  const replaced = findStoredPhoto(user.photoURL);
  // The account no longer shows the file, so a failed removal does not fail the change.
  if (replaced) await storage.remove(replaced.path).catch((error: unknown) => reportError(error));
}

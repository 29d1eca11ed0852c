import type { FabricaClient } from '@fabrica/client';
import type { User } from '@fabrica/contract';
import { extensionOf } from '../../publish/upload-image.ts';
import { ownPhoto } from './stored-photo.ts';

/** What becomes of the photo. */
export type PhotoChoice = { kind: 'keep' } | { kind: 'new'; file: File } | { kind: 'none' };

export interface ProfileChange {
  user: User;
  displayName: string;
  photo: PhotoChoice;
  /** Addresses of photos that are there already, by file: a retry does not send one again. */
  uploaded: WeakMap<File, string>;
}

/** Uploads the photo if there is a new one, changes the account, then removes the photo before; throws what the client throws. */
export async function saveProfile(
  { user, displayName, photo, uploaded }: ProfileChange,
  client: Pick<FabricaClient, 'auth' | 'storage'>,
): Promise<void> {
  const upload = async (file: File) => {
    const known = uploaded.get(file);
    if (known) return known;
    const path = `avatars/${user.id}-${Date.now()}.${extensionOf(file)}`;
    const { publicUrl } = await client.storage.upload(file, path, { upsert: true });
    // The path alone: a journal may change its domain.
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
  const before = ownPhoto(user.photoURL);
  // The account no longer shows it: a file that cannot be removed now is no failure of what was asked for.
  if (before) await client.storage.remove(before.path).catch((error: unknown) => reportError(error));
}

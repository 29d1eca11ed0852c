import { type FabricaClient, FabricaError } from '@fabrica/client';
import type { PostDocument } from '../../project/document.ts';
import { NOTHING_SAID } from '../desk/document.ts';
import { uploadImage } from '../images/upload-image.ts';
import type { FormerDraft } from './former-drafts.ts';

export type DraftForDesk = Pick<FormerDraft, 'document' | 'image'> &
  Partial<Pick<FormerDraft, 'cover' | 'desk'>>;

/** Makes a working copy on the desk of what is written here, and returns its id. Throws the client's errors. */
export async function takeToDesk(
  { document: written, image, cover, desk }: DraftForDesk,
  client: FabricaClient,
): Promise<string> {
  const posts = `/api/desk/${encodeURIComponent(client.projectId)}/posts`;
  const uploaded = image && (await uploadImage(image, { storage: client.storage }));
  const picture = uploaded && {
    ...{ url: uploaded.url, width: uploaded.width, height: uploaded.height },
    ...{ placeholder: uploaded.placeholder, ...cover },
  };
  const document: Partial<PostDocument> = {
    ...written,
    cover: picture && { ...NOTHING_SAID, ...picture },
  };
  if (desk) {
    try {
      const headers = { 'if-match': `"${desk.version}"` };
      await client.request({ method: 'PUT', path: `${posts}/${desk.id}`, json: document, headers });
      return desk.id;
    } catch (error) {
      // It was changed elsewhere, or is gone: what is written here is a draft of its own.
      if (!(error instanceof FabricaError) || ![404, 409, 412].includes(error.status ?? 0)) throw error;
    }
  }
  const created = (await client.request({ method: 'POST', path: posts, json: { document } })) as {
    id: string;
  };
  return created.id;
}

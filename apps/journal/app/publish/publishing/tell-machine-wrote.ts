import type { FabricaClient } from '@fabrica/client';

/**
 * Tells the desk that a model wrote the translations which a post has now. Without that, the desk names nobody as their writer: a
 * failure changes nothing for anybody, and is not told.
 */
export async function tellMachineWrote(
  postId: string,
  { projectId, request }: Pick<FabricaClient, 'projectId' | 'request'>,
): Promise<void> {
  const posts = `/api/desk/${encodeURIComponent(projectId)}/posts`;
  const path = `${posts}/${encodeURIComponent(postId)}/translations/written-by-machine`;
  await request({ method: 'POST', path, json: {} }).catch(() => undefined);
}

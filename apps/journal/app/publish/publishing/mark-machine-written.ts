import type { FabricaClient } from '@fabrica/client';

/**
 * Marks the translations which a post has now as written by a model. Without that, the desk names nobody as their writer: a
 * failure changes nothing for anybody, and is not reported.
 */
export async function markMachineWritten(
  postId: string,
  { projectId, request }: Pick<FabricaClient, 'projectId' | 'request'>,
): Promise<void> {
  const posts = `/api/desk/${encodeURIComponent(projectId)}/posts`;
  const path = `${posts}/${encodeURIComponent(postId)}/translations/written-by-machine`;
  await request({ method: 'POST', path, json: {} }).catch(() => undefined);
}

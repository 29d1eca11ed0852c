import { backendContext } from '../../backend-context.ts';
import { ANNOTATIONS_TYPE, annotationPage } from '../../post/marks/annotation-page.ts';
import { findPost } from '../../post/post-address.ts';
import { absoluteUrl } from '../feed/write-content.ts';
import type { Route } from './+types/annotations.ts';

/** Serves the marks on the pictures of a post for other programs. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { client, publicUrl, storageOrigin } = context.get(backendContext);
  const found = await findPost(client, params.id);
  const imageUrl = (url: string) => absoluteUrl(url, { publicUrl, storageOrigin });
  const page = found && 'post' in found ? annotationPage(found.post, { publicUrl, imageUrl }) : null;
  if (!page) return new Response('There is no such post with marks.', { status: 404 });
  return new Response(JSON.stringify(page), { headers: { 'content-type': ANNOTATIONS_TYPE } });
}

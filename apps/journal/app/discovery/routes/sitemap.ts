import { backendContext } from '../../backend-context.ts';
import { listParts, writeIndex, xmlResponse } from '../sitemap.ts';
import type { Route } from './+types/sitemap.ts';

/** Lists the parts of the sitemap. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { client, publicUrl } = context.get(backendContext);
  return xmlResponse(writeIndex(await listParts(client), publicUrl));
}

import { backendContext } from '../../backend-context.ts';
import { loadPart, writePart, xmlResponse } from '../sitemap.ts';
import type { Route } from './+types/sitemap-part.ts';

/** Lists the pages of one part of the sitemap. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { client, publicUrl, readSite } = context.get(backendContext);
  const site = await readSite();
  const entries = await loadPart(client, params.part, site);
  if (!entries) return new Response('There is no such part of the sitemap.', { status: 404 });
  return xmlResponse(writePart(entries, { publicUrl, site }));
}

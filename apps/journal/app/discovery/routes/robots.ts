import { backendContext } from '../../backend-context.ts';
import type { Route } from './+types/robots.ts';

/**
 * Tells crawlers where the sitemap is. It forbids nothing: a private page says itself that it is not to be indexed, which
 * a crawler reads only if it may open the page.
 */
export function loader({ context }: Route.LoaderArgs): Response {
  const { publicUrl } = context.get(backendContext);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

import { backendContext } from '../../backend-context.ts';
import { messagesOf } from '../../language/load-messages.ts';
import { siteIcon } from '../../site/site-images.ts';
import type { Route } from './+types/manifest.ts';

/** Describes the site to systems that can install it. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { language, readSite } = context.get(backendContext);
  const site = await readSite();
  const icon = (shape: 'icon-192' | 'icon-512' | 'maskable-512') => ({
    src: siteIcon(site, shape),
    sizes: shape === 'icon-192' ? '192x192' : '512x512',
    type: 'image/png',
    purpose: shape === 'maskable-512' ? 'maskable' : 'any',
  });
  const manifest = {
    name: site.name,
    short_name: site.name,
    description: messagesOf(language).gallery.description(site.name),
    lang: language,
    id: '/',
    start_url: '/gallery',
    scope: '/',
    display: 'minimal-ui',
    // The paper of `styles.css`.
    background_color: '#fbf8f3',
    theme_color: '#fbf8f3',
    icons: [icon('icon-192'), icon('icon-512'), icon('maskable-512')],
  };
  return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } });
}

import { IMAGE_SHAPES, type ImageShapeName } from '@fabrica/contract';
import type { Site } from './site.ts';

/** The icons of a site whose operator has set no logo (`public/`). */
const DEFAULT_ICONS: Record<ImageShapeName, string> = {
  share: '/icons/share.png',
  'icon-32': '/favicon.svg',
  'icon-180': '/icons/apple-touch-icon.png',
  'icon-192': '/icons/icon-192.png',
  'icon-512': '/icons/icon-512.png',
  'maskable-512': '/icons/maskable-512.png',
};

/** Matches the versioned URL of a raster image in the storage. */
const STORED_IMAGE = /^\/storage\/[^?#]+(?<!\.svg)\?v=[\w-]+$/i;

/** Returns the path of a stored image in a shape, or undefined for an image that has no shapes. */
export function shapedUrl(url: string, shape: ImageShapeName): string | undefined {
  return STORED_IMAGE.test(url) ? `${url}&as=${shape}` : undefined;
}

/** Returns the path of the site's logo in a shape, or of what stands for it. */
export function siteIcon({ logo }: Pick<Site, 'logo'>, shape: ImageShapeName): string {
  return (logo && shapedUrl(logo.url, shape)) ?? DEFAULT_ICONS[shape];
}

/** The size of a picture that social networks show beside a shared page, in pixels. */
export const { width: SHARE_WIDTH, height: SHARE_HEIGHT } = IMAGE_SHAPES.share;

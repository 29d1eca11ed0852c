import type { FieldFault, Table } from '@fabrica/backend';
import { pictures } from './document.ts';

/** Returns a fault for each image, by the name of its field, that is on another site: pages, feeds and previews would load it from there. */
export function foreignImages(
  images: readonly (readonly [field: string, url: string])[],
  origins: readonly string[],
): FieldFault[] {
  return images
    .filter(
      ([, url]) => !url.startsWith('/') && !(URL.canParse(url) && origins.includes(new URL(url).origin)),
    )
    .map(([field]) => ({ field, message: 'must be an image of this journal: please upload it here' }));
}

/** Returns the check of the images of a row of posts. Absolute URLs are the site's own, or those of its storage. */
export function checkImages(origins: readonly string[]): NonNullable<Table['check']> {
  return async ({ image_url: cover, pictures: others }) => {
    const listed = typeof others === 'string' ? pictures.parse(JSON.parse(others)) : [];
    const images = listed.map(({ url }) => ['pictures', url] as const);
    return foreignImages(
      [...(typeof cover === 'string' ? [['image_url', cover] as const] : []), ...images],
      origins,
    );
  };
}

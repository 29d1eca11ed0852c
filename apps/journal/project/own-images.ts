import type { FieldFault, Table } from '@fabrica/backend';
import { pictures } from './document.ts';

/** An image with the name of its field. */
export type NamedImage = readonly [field: string, url: string];

/** Returns the images that are on another site: pages, feeds and previews would load them from there. */
export function foreignImages(images: readonly NamedImage[], origins: readonly string[]): NamedImage[] {
  return images.filter(
    ([, url]) => !url.startsWith('/') && !(URL.canParse(url) && origins.includes(new URL(url).origin)),
  );
}

export function faultOfForeign([field]: NamedImage): FieldFault {
  return { field, message: 'must be an image of this journal: please upload it here' };
}

/** Returns the check of the images of a row of posts. Absolute URLs are the site's own, or those of its storage. */
export function checkImages(origins: readonly string[]): NonNullable<Table['check']> {
  return async ({ image_url: cover, pictures: others }) => {
    const listed = typeof others === 'string' ? pictures.parse(JSON.parse(others)) : [];
    const images = listed.map(({ url }) => ['pictures', url] as const);
    const covers = typeof cover === 'string' ? [['image_url', cover] as const] : [];
    return foreignImages([...covers, ...images], origins).map(faultOfForeign);
  };
}

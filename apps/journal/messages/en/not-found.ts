export const notFound = {
  title: 'Page not found',
  text: 'This plate is missing from the atlas. It may have been moved, or it never hung here.',
  toGallery: 'Go to the gallery',
};

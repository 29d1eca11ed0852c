import type { notFound as original } from '../en/not-found.ts';

export const notFound: typeof original = {
  title: 'Seite nicht gefunden',
  text: 'Diese Tafel fehlt im Atlas. Vielleicht hängt sie jetzt anderswo, vielleicht hing sie nie hier.',
  toGallery: 'Zur Galerie',
};

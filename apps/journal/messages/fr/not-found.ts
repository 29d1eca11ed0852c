import type { notFound as original } from '../en/not-found.ts';

export const notFound: typeof original = {
  title: 'Page introuvable',
  text: 'Cette planche manque à l’atlas. Elle a peut-être été déplacée, ou n’a jamais été accrochée ici.',
  toGallery: 'Aller à la galerie',
};

import type { notFound as original } from '../en/not-found.ts';

export const notFound: typeof original = {
  title: 'Página no encontrada',
  text: 'Esta lámina falta en el atlas. Quizá cambió de lugar, o nunca estuvo aquí.',
  toGallery: 'Ir a la galería',
};

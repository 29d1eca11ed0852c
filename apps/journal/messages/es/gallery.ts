import type { gallery as original } from '../en/gallery.ts';

export const gallery: typeof original = {
  title: 'Galería',
  lead: 'Textos médicos, cada uno junto a una obra de arte.',
  description: (site) => `${site} une textos médicos y obras de arte: una galería para mirar y para leer.`,
  artworkNumber: (number) => `Lámina ${number}`,
  empty: 'Todavía no hay publicaciones',
  emptyInvitation: 'Las paredes siguen desnudas. Pronto colgará aquí la primera lámina: vuelva a visitarnos.',
  failedTitle: 'No se ha podido cargar la galería',
  failed: 'Inténtelo de nuevo dentro de un momento.',
  aboutJournal: 'Conocer esta revista',
  publishFirst: 'Crear la primera publicación',
  tryAgain: 'Intentar de nuevo',
  search: 'Buscar en la galería',
  submitSearch: 'Buscar',
  resultsFor: (search) => `Resultados para «${search}»`,
  results: (count) => (count === 1 ? '1 publicación' : `${count} publicaciones`),
  searchCut: (words, characters) =>
    `Solo se buscan las primeras ${words} palabras, con un máximo de ${characters} caracteres.`,
  clearSearch: 'Borrar la búsqueda',
  nothingFound: (search) => `No hay resultados para «${search}»`,
  nothingFoundHint: 'Pruebe con otra palabra, o con menos.',
  foundElsewhere: (count) =>
    count === null
      ? 'En otros idiomas aparece en estas publicaciones:'
      : count === 1
        ? 'En otro idioma aparece en 1 publicación:'
        : `En otros idiomas aparece en ${count} publicaciones:`,
  loadMore: 'Cargar más',
  loadingMore: 'Cargando…',
  loadedMore: (count) => (count === 1 ? '1 publicación más' : `${count} publicaciones más`),
  loadMoreFailed: 'No se han podido cargar más publicaciones',
  toNewest: 'Volver a lo más reciente',
  showNew: (count) => (count === 1 ? '1 publicación nueva' : `${count} publicaciones nuevas`),
  newOnes: 'Hay publicaciones nuevas.',
  newFailed: 'No se han podido cargar las publicaciones nuevas',
  loading: 'Cargando la galería…',
};

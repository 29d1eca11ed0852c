import type { gallery as original } from '../en/gallery.ts';

export const gallery: typeof original = {
  title: 'Galería',
  lead: 'Textos médicos, cada uno junto a una obra de arte.',
  description:
    'Fabrica une textos médicos y obras de arte: una galería para mirar y para leer, en inglés, español, francés y alemán.',
  plate: (number) => `Lámina ${number}`,
  empty: 'Todavía no hay publicaciones',
  emptyInvitation: 'Las paredes siguen desnudas. Pronto colgará aquí la primera lámina: vuelve a visitarnos.',
  failed: 'Ahora mismo no se ha podido cargar la galería. Inténtalo de nuevo dentro de un momento.',
  aboutJournal: 'Conocer esta revista',
  publishFirst: 'Crear la primera publicación',
  tryAgain: 'Intentar de nuevo',
  search: 'Buscar en la galería',
  submitSearch: 'Buscar',
  resultsFor: (search) => `Resultados para «${search}»`,
  clearSearch: 'Borrar la búsqueda',
  nothingFound: (search) => `No hay resultados para «${search}»`,
  nothingFoundHint: 'Prueba con otra palabra, o con menos.',
  loadMore: 'Cargar más',
  loadingMore: 'Cargando…',
  loadedMore: (count) => (count === 1 ? '1 publicación más' : `${count} publicaciones más`),
  loadMoreFailed: 'No se han podido cargar más publicaciones',
  toNewest: 'Volver a lo más reciente',
  loading: 'Cargando la galería…',
};

import type { gallery as original } from '../en/gallery.ts';

export const gallery: typeof original = {
  title: 'Galerie',
  lead: 'Des textes médicaux, chacun accompagné d’une œuvre d’art.',
  description: (site) => `${site} réunit textes médicaux et œuvres d’art : une galerie à regarder et à lire.`,
  artworkNumber: (number) => `Planche ${number}`,
  empty: 'Aucun article pour le moment',
  emptyInvitation:
    'Les murs sont encore nus. La première planche y sera bientôt accrochée : revenez nous voir.',
  failedTitle: 'La galerie n’a pas pu être chargée',
  failed: 'Veuillez réessayer dans un moment.',
  aboutJournal: 'Découvrir cette revue',
  publishFirst: 'Publier le premier article',
  tryAgain: 'Réessayer',
  search: 'Rechercher dans la galerie',
  submitSearch: 'Rechercher',
  resultsFor: (search) => `Résultats pour « ${search} »`,
  results: (count) => (count === 1 ? '1 article' : `${count} articles`),
  searchCut: (words, characters) =>
    `Seuls les ${words} premiers mots sont recherchés, et ${characters} caractères au plus.`,
  clearSearch: 'Effacer la recherche',
  nothingFound: (search) => `Aucun résultat pour « ${search} »`,
  nothingFoundHint: 'Essayez un autre mot, ou moins de mots.',
  foundElsewhere: (count) =>
    count === null
      ? 'Dans d’autres langues, ces articles en parlent :'
      : count === 1
        ? 'Dans une autre langue, 1 article en parle :'
        : `Dans d’autres langues, ${count} articles en parlent :`,
  loadMore: 'Afficher plus',
  loadingMore: 'Chargement…',
  loadedMore: (count) => (count === 1 ? '1 article de plus' : `${count} articles de plus`),
  loadMoreFailed: 'Impossible d’afficher plus d’articles',
  toNewest: 'Revenir aux plus récents',
  showNew: (count) => (count === 1 ? '1 nouvel article' : `${count} nouveaux articles`),
  newOnes: 'Il y a de nouveaux articles.',
  newFailed: 'Les nouveaux articles n’ont pas pu être chargés',
  loading: 'Chargement de la galerie…',
};

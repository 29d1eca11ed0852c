import type { gallery as original } from '../en/gallery.ts';

export const gallery: typeof original = {
  title: 'Galerie',
  lead: 'Medizinische Texte, jeder gepaart mit einem Kunstwerk.',
  description:
    'Fabrica verbindet medizinische Texte mit Kunstwerken: eine Galerie zum Betrachten und Lesen, auf Englisch, Spanisch, Französisch und Deutsch.',
  plate: (number) => `Tafel ${number}`,
  empty: 'Noch keine Beiträge',
  emptyInvitation: 'Noch sind die Wände leer. Bald hängt hier die erste Tafel – schauen Sie wieder vorbei.',
  failed: 'Die Galerie konnte gerade nicht geladen werden. Bitte versuchen Sie es gleich noch einmal.',
  aboutJournal: 'Mehr über dieses Journal',
  publishFirst: 'Den ersten Beitrag veröffentlichen',
  tryAgain: 'Erneut versuchen',
  search: 'Galerie durchsuchen',
  submitSearch: 'Suchen',
  resultsFor: (search) => `Ergebnisse für „${search}“`,
  clearSearch: 'Suche zurücksetzen',
  nothingFound: (search) => `Nichts gefunden für „${search}“`,
  nothingFoundHint: 'Versuchen Sie es mit einem anderen Wort oder mit weniger Wörtern.',
  loadMore: 'Mehr laden',
  loadingMore: 'Wird geladen …',
  loadedMore: (count) => (count === 1 ? '1 weiterer Beitrag' : `${count} weitere Beiträge`),
  loadMoreFailed: 'Weitere Beiträge konnten nicht geladen werden',
  toNewest: 'Zurück zu den neuesten',
  loading: 'Galerie wird geladen …',
};

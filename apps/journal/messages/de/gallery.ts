import type { gallery as original } from '../en/gallery.ts';

export const gallery: typeof original = {
  title: 'Galerie',
  lead: 'Medizinische Texte, jeder gepaart mit einem Kunstwerk.',
  description: (site) =>
    `${site} verbindet medizinische Texte mit Kunstwerken: eine Galerie zum Betrachten und Lesen.`,
  artworkNumber: (number) => `Tafel ${number}`,
  empty: 'Noch keine Beiträge',
  emptyInvitation: 'Noch sind die Wände leer. Bald hängt hier die erste Tafel – schauen Sie wieder vorbei.',
  failedTitle: 'Die Galerie konnte nicht geladen werden',
  failed: 'Bitte versuchen Sie es gleich noch einmal.',
  aboutJournal: 'Mehr über dieses Journal',
  publishFirst: 'Den ersten Beitrag veröffentlichen',
  tryAgain: 'Erneut versuchen',
  search: 'Galerie durchsuchen',
  submitSearch: 'Suchen',
  resultsFor: (search) => `Ergebnisse für „${search}“`,
  results: (count) => (count === 1 ? '1 Beitrag' : `${count} Beiträge`),
  searchCut: (words, characters) =>
    `Gesucht wird nur nach den ersten ${words} Wörtern und höchstens ${characters} Zeichen.`,
  clearSearch: 'Suche zurücksetzen',
  nothingFound: (search) => `Nichts gefunden für „${search}“`,
  nothingFoundHint: 'Versuchen Sie es mit einem anderen Wort oder mit weniger Wörtern.',
  foundElsewhere: (count) =>
    count === null
      ? 'In anderen Sprachen kommt es in diesen Beiträgen vor:'
      : count === 1
        ? 'In einer anderen Sprache kommt es in 1 Beitrag vor:'
        : `In anderen Sprachen kommt es in ${count} Beiträgen vor:`,
  loadMore: 'Mehr laden',
  loadingMore: 'Wird geladen …',
  loadedMore: (count) => (count === 1 ? '1 weiterer Beitrag' : `${count} weitere Beiträge`),
  loadMoreFailed: 'Weitere Beiträge konnten nicht geladen werden',
  toNewest: 'Zurück zu den neuesten',
  showNew: (count) => (count === 1 ? '1 neuer Beitrag' : `${count} neue Beiträge`),
  newOnes: 'Es gibt neue Beiträge.',
  newFailed: 'Die neuen Beiträge konnten nicht geladen werden',
  loading: 'Galerie wird geladen …',
};

export const gallery = {
  title: 'Gallery',
  lead: 'Medical texts, each paired with a work of art.',
  description: (site: string) =>
    `${site} pairs medical texts with works of art: a gallery to look at, and to read.`,
  artworkNumber: (number: number) => `Plate ${number}`,
  empty: 'No posts yet',
  emptyInvitation: 'The walls are still bare. The first plate will hang here soon, so do come back.',
  failedTitle: 'The gallery could not be loaded',
  failed: 'Please try again in a moment.',
  aboutJournal: 'Read about this journal',
  publishFirst: 'Publish the first post',
  tryAgain: 'Try again',
  search: 'Search the gallery',
  submitSearch: 'Search',
  resultsFor: (search: string) => `Results for “${search}”`,
  results: (count: number) => (count === 1 ? '1 post' : `${count} posts`),
  searchCut: (words: number, characters: number) =>
    `Only the first ${words} words of a search are looked for, and ${characters} characters at most.`,
  clearSearch: 'Clear search',
  nothingFound: (search: string) => `Nothing found for “${search}”`,
  nothingFoundHint: 'Try another word, or fewer of them.',
  foundElsewhere: (count: number | null) =>
    count === null
      ? 'In other languages, these posts have it:'
      : count === 1
        ? 'In another language, 1 post has it:'
        : `In other languages, ${count} posts have it:`,
  loadMore: 'Load more',
  loadingMore: 'Loading...',
  loadedMore: (count: number) => (count === 1 ? '1 more post' : `${count} more posts`),
  loadMoreFailed: 'More posts could not be loaded',
  toNewest: 'Back to the newest',
  showNew: (count: number) => (count === 1 ? '1 new post' : `${count} new posts`),
  newOnes: 'There are new posts.',
  newFailed: 'The new posts could not be loaded',
  loading: 'Loading the gallery...',
};

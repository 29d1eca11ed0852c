/** The letters of the paragraph that is being read beside a pinned plate. */
let read: readonly string[] = [];
/** The letter of the mark that the viewer shows. */
let viewed: readonly string[] = [];

/** Lights the marks of the paragraph that is being read, while no other one is viewed or pointed at. */
export function highlightRead(letters: readonly string[]): void {
  read = letters;
  highlightMarks([]);
}

/** Lights the mark that the viewer shows, while no other one is pointed at; `null` when it shows none. */
export function highlightViewed(letter: string | null): void {
  viewed = letter === null ? [] : [letter];
  highlightMarks([]);
}

/** Lights the marks of these letters on every plate, their passages and their notes; all others go out. */
export function highlightMarks(pointed: readonly string[]): void {
  const letters = [pointed, viewed, read].find(({ length }) => length > 0) ?? [];
  for (const marked of document.querySelectorAll<HTMLElement | SVGElement>('.post-article [data-mark]')) {
    marked.toggleAttribute('data-lit', letters.includes(marked.dataset.mark ?? ''));
  }
}

/** The letters of the paragraph that is being read beside a pinned plate. */
let read: readonly string[] = [];

/** Lights the marks of the paragraph that is being read, while no other one is pointed at. */
export function highlightRead(letters: readonly string[]): void {
  read = letters;
  highlightMarks([]);
}

/** Lights the marks of these letters on every plate, their passages and their notes; all others go out. */
export function highlightMarks(pointed: readonly string[]): void {
  const letters = pointed.length > 0 ? pointed : read;
  for (const marked of document.querySelectorAll<HTMLElement | SVGElement>('.post-article [data-mark]')) {
    marked.toggleAttribute('data-lit', letters.includes(marked.dataset.mark ?? ''));
  }
}

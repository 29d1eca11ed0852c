/** Struck words stand between these until a text is whole. Unicode keeps them for such use: no text has them. */
const [START, END] = ['\ufdd0', '\ufdd1'];

/** Returns words of a document without the characters that mark struck words here. */
export function withoutMarks(words: string): string {
  return words.replace(/[\ufdd0\ufdd1]/g, '');
}

/** Marks words as struck. */
export function struckWords(words: string): string {
  return words.replace(/\S(?:.*\S)?/s, `${START}$&${END}`);
}

/** Returns the parts of a text with `~~` around struck words, in each part anew. */
export function showStruckWords(parts: readonly string[]): string[] {
  let isOpen = false;
  return parts.map((part) => {
    const begun = (isOpen ? START : '') + part;
    isOpen = begun.lastIndexOf(START) > begun.lastIndexOf(END);
    return (isOpen ? begun + END : begun).replace(/\ufdd1( *)\ufdd0/g, '$1').replace(/[\ufdd0\ufdd1]/g, '~~');
  });
}

/** Quotations, lists and footnotes that begin within each other in one line, and blocks of `:::` that are open at a time. */
const MAX_DEPTH = 30;
/** Columns of a table. */
const MAX_COLUMNS = 1_000;
/**
 * The sum over all blocks of the square of their marks: the parser compares marks of emphasis and brackets with those before
 * them in their block. This is one block of 4,000 marks, or 100 of 400, and takes about half a second.
 */
const MAX_COMPARISONS = 16_000_000;

/** Matches the start of a line that opens too many blocks within each other. */
const NESTED = new RegExp(
  `^[ \\t]*(?:(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t]|\\[\\^[^[\\]\\s]{1,200}\\]:)[ \\t]*){${MAX_DEPTH}}`,
);
const CONTAINER = /^[ \t>]*:{3,}[ \t]*([a-z])?/i;

/**
 * Tells whether the structure of a text is beyond what anybody writes. The parser takes minutes for such a text, or more of
 * the stack than there is, and serves nobody else meanwhile. This takes as long as reading the text once.
 */
export function isTooComplex(text: string): boolean {
  let [depth, marks, comparisons] = [0, 0, 0];
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') {
      comparisons += marks * marks;
      marks = 0;
      continue;
    }
    const container = CONTAINER.exec(line);
    if (container) depth = Math.max(0, depth + (container[1] === undefined ? -1 : 1));
    marks += countMarks(line);
    if (depth > MAX_DEPTH || NESTED.test(line) || count(line, '|') > MAX_COLUMNS) return true;
  }
  return comparisons + marks * marks > MAX_COMPARISONS;
}

/** Counts brackets and runs of the characters of emphasis. */
function countMarks(line: string): number {
  return line.match(/[[\]]|\*+|_+/g)?.length ?? 0;
}

function count(line: string, character: string): number {
  return line.split(character).length - 1;
}

/** Holds what two texts have in common between two changes, with the paragraphs apart that are folded away. */
interface FoldedText {
  start: string;
  folded: string;
  /** The number of paragraphs in `folded`. */
  count: number;
  end: string;
}

/** Lines that stay in sight beside a change: the rest of the changed paragraph, and one more. */
const SHOWN_LINES = 2;
/** Fewer paragraphs would leave hardly less to read. */
const FOLDED_AT_LEAST = 3;

/**
 * Folds a text that has not changed. What comes before it and after it says which of its ends stay in sight. Returns
 * `undefined` for a text that is too short for it.
 */
export function foldUnchanged(
  text: string,
  beside: { before: boolean; after: boolean },
): FoldedText | undefined {
  const lines = text.match(/[^\n]*\n+|[^\n]+$/g) ?? [];
  const from = beside.before ? SHOWN_LINES : 0;
  const to = lines.length - (beside.after ? SHOWN_LINES : 0);
  const folded = lines.slice(from, to);
  const count = folded.filter((line) => line.trim() !== '').length;
  if (count < FOLDED_AT_LEAST) return undefined;
  return {
    start: lines.slice(0, from).join(''),
    folded: folded.join(''),
    count,
    end: lines.slice(to).join(''),
  };
}

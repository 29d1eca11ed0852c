interface Segment {
  segment_id: string;
  text: string | null;
}

/**
 * Returns the id of the segment that a passage is quoted from; null when it is in none or in several. Only letters and digits
 * are compared: the page shows no marks of Markdown.
 */
export function findQuoted(quote: string, segments: readonly Segment[]): string | null {
  const wanted = wordsOf(quote);
  if (wanted === '') return null;
  const same = segments.filter(({ text }) => wordsOf(text ?? '') === wanted);
  const found =
    same.length > 0
      ? same
      : segments.filter(({ text }) => ` ${wordsOf(text ?? '')} `.includes(` ${wanted} `));
  const [first] = found;
  return first && found.length === 1 ? first.segment_id : null;
}

function wordsOf(text: string): string {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

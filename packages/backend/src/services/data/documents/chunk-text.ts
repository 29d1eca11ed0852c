/** Text, and what parts it from the text after it. */
interface Piece {
  text: string;
  gap: string;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * A text as parts of `size` UTF-16 units at most, cut between paragraphs, else sentences, else words, and within a word
 * only where that is longer by itself; no character is cut, even where it is longer. Only white space is lost.
 */
export function chunkText(text: string, size: number): string[] {
  const chunks: string[] = [];
  let chunk = '';
  let gap = '';
  for (const piece of piecesOf(text, size)) {
    const fits = chunk.length + gap.length + piece.text.length <= size;
    if (chunk !== '' && !fits) chunks.push(chunk);
    chunk = chunk !== '' && fits ? `${chunk}${gap}${piece.text}` : piece.text;
    gap = piece.gap;
  }
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

/** Paragraphs, in place of those that do not fit their sentences, and in place of these their words. */
function* piecesOf(text: string, size: number): Generator<Piece> {
  for (const paragraph of paragraphsOf(text)) {
    for (const sentence of within(paragraph, size, sentencesOf)) {
      for (const word of within(sentence, size, wordsOf)) {
        yield* within(word, size, (one) => charactersOf(one, size));
      }
    }
  }
}

/** A piece that fits, or what it consists of; the last part is followed by what follows it. */
function* within(piece: Piece, size: number, part: (text: string) => Iterable<Piece>): Generator<Piece> {
  if (piece.text.length <= size) {
    yield piece;
    return;
  }
  let last: Piece | undefined;
  for (const one of part(piece.text)) {
    if (last) yield last;
    last = one;
  }
  if (last) yield { text: last.text, gap: piece.gap };
}

function* paragraphsOf(text: string): Generator<Piece> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    const trimmed = paragraph.trim();
    if (trimmed !== '') yield { text: trimmed, gap: '\n\n' };
  }
}

function* sentencesOf(paragraph: string): Generator<Piece> {
  for (const { segment } of segmenter.segment(paragraph)) {
    const text = segment.trim();
    const after = segment.slice(segment.trimEnd().length);
    // The languages that write no spaces have none between sentences either.
    if (text !== '') yield { text, gap: after.includes('\n') ? '\n' : after && ' ' };
  }
}

function* wordsOf(sentence: string): Generator<Piece> {
  for (const [, text = '', after = ''] of sentence.matchAll(/(\S+)(\s*)/g)) {
    yield { text, gap: after.includes('\n') ? '\n' : after && ' ' };
  }
}

function* charactersOf(word: string, size: number): Generator<Piece> {
  for (let start = 0; start < word.length; ) {
    let end = Math.min(start + size, word.length);
    if (isPair(word, end - 1)) end += end - start > 1 ? -1 : 1;
    yield { text: word.slice(start, end), gap: '' };
    start = end;
  }
}

/** Whether the unit at this place and the next are one character. */
function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

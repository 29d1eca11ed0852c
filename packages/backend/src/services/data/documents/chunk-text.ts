/** A part of a text, and the separator that follows it. */
interface Piece {
  text: string;
  separator: string;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * Splits a text into parts of at most `size` UTF-16 units, between paragraphs, else sentences, else words. A word is
 * split only when it is longer by itself, and a character never is. Only white space is lost.
 */
export function chunkText(text: string, size: number): string[] {
  const chunks: string[] = [];
  let chunk = '';
  let separator = '';
  for (const piece of piecesOf(text, size)) {
    const fits = chunk.length + separator.length + piece.text.length <= size;
    if (chunk !== '' && !fits) chunks.push(chunk);
    chunk = chunk !== '' && fits ? `${chunk}${separator}${piece.text}` : piece.text;
    separator = piece.separator;
  }
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

/** Yields paragraphs. A paragraph that is too large is split into sentences, and these into words. */
function* piecesOf(text: string, size: number): Generator<Piece> {
  for (const paragraph of paragraphsOf(text)) {
    for (const sentence of within(paragraph, size, sentencesOf)) {
      for (const word of within(sentence, size, wordsOf)) {
        yield* within(word, size, (one) => charactersOf(one, size));
      }
    }
  }
}

/** Yields a piece that fits, or its parts. The last part keeps the separator of the piece. */
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
  if (last) yield { text: last.text, separator: piece.separator };
}

function* paragraphsOf(text: string): Generator<Piece> {
  for (const paragraph of text.split(/\n\s*\n/)) {
    const trimmed = paragraph.trim();
    if (trimmed !== '') yield { text: trimmed, separator: '\n\n' };
  }
}

function* sentencesOf(paragraph: string): Generator<Piece> {
  for (const { segment } of segmenter.segment(paragraph)) {
    const text = segment.trim();
    const after = segment.slice(segment.trimEnd().length);
    // Languages that write no spaces have none between sentences either.
    if (text !== '') yield { text, separator: after.includes('\n') ? '\n' : after && ' ' };
  }
}

function* wordsOf(sentence: string): Generator<Piece> {
  for (const [, text = '', after = ''] of sentence.matchAll(/(\S+)(\s*)/g)) {
    yield { text, separator: after.includes('\n') ? '\n' : after && ' ' };
  }
}

function* charactersOf(word: string, size: number): Generator<Piece> {
  for (let start = 0; start < word.length; ) {
    let end = Math.min(start + size, word.length);
    if (isPair(word, end - 1)) end += end - start > 1 ? -1 : 1;
    yield { text: word.slice(start, end), separator: '' };
    start = end;
  }
}

/** Returns whether this unit and the next are one character. */
function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

import { randomBytes } from 'node:crypto';
import { type CachedMarkup, placeholderOf } from '../layout/cached-part.tsx';
import { copyByteText } from './byte-text.ts';

/** The cache holds so many parts at most: a few of each language and state of the site. */
const MAX_PARTS = 400;

export interface MarkupCache extends CachedMarkup {
  /** Puts the parts into the HTML, with a character for each byte, of the page that was rendered last, and caches those that were rendered with it. */
  fill(html: string): string;
  readonly isFull: boolean;
}

/** Holds the markup around texts: what comes before the first one, and what follows each, with the index of that text. */
interface Pieces {
  start: string;
  rest: readonly { index: number; markup: string }[];
}

/**
 * Creates a cache of markup. React writes an element in the place of a part that is known, which takes it less time than
 * what it stands for. Around a part that is not, it writes the same element, which is taken out again: browsers get the same.
 */
export function createMarkupCache(): MarkupCache {
  // No text of a page holds a tag: they are escaped. Nor can anybody guess this one.
  const tag = `cached-${randomBytes(8).toString('hex')}`;
  const [open, close] = [`<${tag} id="`, `</${tag}>`];
  const [openHoisted, closeHoisted] = [`<meta name="${tag}-`, `<meta name="${tag}-end"/>`];
  const placeholder = placeholderOf(tag, 0).slice(0, -'0.'.length);
  const numbers = new Map<string, number>();
  const parts: (Pieces | undefined)[] = [];
  /** The markup of the same parts that React has moved into the head. */
  const hoisted: (Pieces | undefined)[] = [];

  function parsePieces(markup: string): Pieces {
    const [start = '', ...rest] = markup.split(placeholder);
    return {
      start: copyByteText(start),
      rest: rest.map((part) => ({
        index: Number.parseInt(part, 10),
        markup: copyByteText(part.slice(part.indexOf('.') + 1)),
      })),
    };
  }

  /** Fills the head with what parts have in it, and caches what was rendered with it. `texts` are those of the parts. */
  function fillHead(html: string, texts: ReadonlyMap<number, readonly string[]>): string {
    let filled = '';
    let end = 0;
    for (let at = html.indexOf(openHoisted); at >= 0; at = html.indexOf(openHoisted, end)) {
      const number = Number.parseInt(html.slice(at + openHoisted.length, at + openHoisted.length + 6), 10);
      const start = html.indexOf('/>', at) + '/>'.length;
      const known = hoisted[number];
      const closed = known ? start : html.indexOf(closeHoisted, start);
      const pieces = known ?? parsePieces(html.slice(start, closed));
      hoisted[number] = pieces;
      filled += html.slice(end, at) + withTexts(pieces, texts.get(number) ?? []);
      end = known ? start : closed + closeHoisted.length;
    }
    return filled + html.slice(end);
  }

  return {
    tag,
    find(key) {
      const number = numbers.get(key) ?? parts.push(undefined) - 1;
      numbers.set(key, number);
      return { number, isKnown: parts[number] !== undefined };
    },
    fill(html) {
      const [start = '', ...rest] = html.split(open);
      const textsOf = new Map<number, readonly string[]>();
      const body = rest.map((piece) => {
        const number = Number.parseInt(piece, 10);
        const opened = piece.indexOf('>') + 1;
        const closed = piece.indexOf(close, opened);
        const pieces = parts[number] ?? parsePieces(piece.slice(opened, closed));
        parts[number] = pieces;
        const [, joined = ''] = piece.slice(0, opened - '">'.length).split('title="');
        const texts = joined.split(tag);
        textsOf.set(number, texts);
        return withTexts(pieces, texts) + piece.slice(closed + close.length);
      });
      return fillHead(start, textsOf) + body.join('');
    },
    get isFull() {
      return parts.length > MAX_PARTS;
    },
  };
}

function withTexts({ start, rest }: Pieces, texts: readonly string[]): string {
  return rest.reduce((before, { index, markup }) => before + texts[index] + markup, start);
}

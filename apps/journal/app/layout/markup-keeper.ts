import { randomBytes } from 'node:crypto';
import type { KeptMarkup } from './kept-markup.tsx';

/** Parts that are kept at most: a few of each language and state of the site. */
const MOST_KEPT = 200;

export interface MarkupKeeper extends KeptMarkup {
  /** Puts the parts into the HTML of a page, and keeps those that were rendered with it. */
  fill(html: string): string;
  readonly isFull: boolean;
}

/**
 * Creates a keeper of markup. React writes an element in the place of a part that is known, which takes it less time than
 * what it stands for. Around a part that is not, it writes the same element, which is taken out again: browsers get the same.
 */
export function keepMarkup(): MarkupKeeper {
  // No text of a page holds a tag: they are escaped. Nor can anybody guess this one.
  const tag = `kept-${randomBytes(8).toString('hex')}`;
  const numbers = new Map<string, number>();
  const markup: (string | undefined)[] = [];
  return {
    tag,
    find(key) {
      const number = numbers.get(key) ?? markup.push(undefined) - 1;
      numbers.set(key, number);
      return { number, isKnown: markup[number] !== undefined };
    },
    fill(html) {
      const [start = '', ...rest] = html.split(`<${tag} id="`);
      return rest.reduce((filled, part) => {
        const number = Number.parseInt(part, 10);
        const opened = part.indexOf('>') + 1;
        const closed = part.indexOf(`</${tag}>`);
        // A copy, as a slice would hold the whole page.
        if (closed > opened) markup[number] ??= Buffer.from(part.slice(opened, closed)).toString();
        return filled + (markup[number] ?? '') + part.slice(closed + `</${tag}>`.length);
      }, start);
    },
    get isFull() {
      return markup.length > MOST_KEPT;
    },
  };
}

/** A text of a response under the number of the one that it translates, counted from 1. */
export interface NumberedText {
  number: number;
  text: string;
}

/** Returns the name of the element around each text: one that none of the texts contains. */
export function chooseTag(texts: readonly string[]): string {
  let tag = 'seg';
  for (
    let number = 2;
    texts.some((text) => text.includes(`<${tag}`) || text.includes(`</${tag}`));
    number += 1
  ) {
    tag = `seg${number}`;
  }
  return tag;
}

/** Returns texts as the model is given them and has to return them: `<seg id="1">…</seg>`, a line each. */
export function writeBatch(texts: readonly string[], tag: string): string {
  return texts.map((text, index) => `<${tag} id="${index + 1}">${text}</${tag}>`).join('\n');
}

/** Reads a response while it comes. A text counts once its element is closed: half of one is none. */
export class BatchReader {
  readonly #element: RegExp;
  #rest = '';

  constructor(tag: string) {
    this.#element = new RegExp(
      `<${tag}\\s+id\\s*=\\s*["']?(\\d{1,4})["']?\\s*>([\\s\\S]*?)</${tag}\\s*>`,
      'g',
    );
  }

  /** Takes the next piece of the response, and returns the texts that it completes. */
  read(piece: string): NumberedText[] {
    this.#rest += piece;
    const found: NumberedText[] = [];
    let end = 0;
    for (const match of this.#rest.matchAll(this.#element)) {
      found.push({ number: Number(match[1]), text: (match[2] ?? '').trim() });
      end = match.index + match[0].length;
    }
    this.#rest = this.#rest.slice(end);
    return found;
  }
}

import type { Token } from '../reading/tokens.ts';

/** Phrases of one or more words with what each means, found by their first word. */
export class Lexicon<Meaning> {
  readonly #byFirst = new Map<string, { words: string[]; meaning: Meaning }[]>();

  /** Phrases that mean the same are separated by bars: `at least|no less than`. */
  constructor(entries: Iterable<readonly [phrases: string, meaning: Meaning]>) {
    for (const [phrases, meaning] of entries) {
      for (const phrase of phrases.split('|')) {
        const words = phrase.split(' ');
        const [first = ''] = words;
        const same = this.#byFirst.get(first);
        if (same) same.push({ words, meaning });
        else this.#byFirst.set(first, [{ words, meaning }]);
      }
    }
    for (const same of this.#byFirst.values())
      same.sort((one, other) => other.words.length - one.words.length);
  }

  /** Returns the longest phrase that begins at a token, and the index behind it. A hyphen counts as a space. */
  find(tokens: readonly Token[], at: number): { meaning: Meaning; next: number } | undefined {
    const token = tokens[at];
    if (!token) return undefined;
    const candidates = this.#byFirst.get(token.lower);
    if (!candidates) return undefined;
    for (const { words, meaning } of candidates) {
      let next = at + 1;
      let matches = true;
      for (let index = 1; index < words.length; index += 1) {
        if (tokens[next]?.lower === '-' && words[index] !== '-') next += 1;
        if (tokens[next]?.lower !== words[index]) {
          matches = false;
          break;
        }
        next += 1;
      }
      if (matches) return { meaning, next };
    }
    return undefined;
  }
}

import type { Token } from '../reading/tokens.ts';
import { type ByLanguage, byLanguage, readTable } from './table.ts';

/** A phrase with what it means. `open` says what of its last word is left open: the end, or the beginning. */
interface Entry<Meaning> {
  words: readonly string[];
  open?: 'end' | 'beginning';
  /** A longer phrase counts more than a shorter one, and a whole word more than a beginning. */
  length: number;
  meaning: Meaning;
}

/** A phrase that a text has, with the index behind it. */
interface Fit<Meaning> {
  meaning: Meaning;
  length: number;
  next: number;
}

/** Entries with an open end or beginning are found by so many letters of the other. */
const KEY = 2;

/** Spanish and French prepositions have a form with an article: "superior al 5 %", "inférieur aux 5 %". */
const WITH_ARTICLE: Readonly<Record<string, RegExp>> = { a: /^al$/, de: /^(?:del|du|des|d)$/, à: /^aux?$/ };

/**
 * Phrases of one or more words, which `_` joins. `increas*` are all words with this beginning, `*frei` with this end; capitals are
 * abbreviations, which count in capitals or with dots.
 */
export class Lexicon<Meaning> {
  readonly #byKey = new Map<string, Entry<Meaning>[]>();
  #hasOpen = false;

  constructor(entries: Iterable<readonly [phrase: string, meaning: Meaning]>) {
    for (const [phrase, meaning] of entries) {
      const words = phrase.replaceAll('*', '').split('_');
      const open = phrase.endsWith('*') ? 'end' : phrase.startsWith('*') ? 'beginning' : undefined;
      const length = words.join(' ').length + (open ? 0 : 1);
      const [first = ''] = words;
      const isOpen = open !== undefined && words.length === 1;
      const key = !isOpen ? first : open === 'end' ? `${first.slice(0, KEY)}*` : `*${first.slice(-KEY)}`;
      const same = this.#byKey.get(key.toLowerCase()) ?? [];
      this.#byKey.set(key.toLowerCase(), same);
      same.push({ words, length, meaning, ...(open && { open }) });
      this.#hasOpen ||= isOpen;
    }
  }

  /** Returns the longest phrase that begins at a token. */
  find(tokens: readonly Token[], at: number): Fit<Meaning> | undefined {
    let longest: Fit<Meaning> | undefined;
    for (const fit of this.findAll(tokens, at)) if (fit.length > (longest?.length ?? 0)) longest = fit;
    return longest;
  }

  /** Returns the phrases that begin at a token. A hyphen counts as a space. */
  findAll(tokens: readonly Token[], at: number): Fit<Meaning>[] {
    const lower = tokens[at]?.lower ?? '';
    if (!this.#hasOpen && !this.#byKey.has(lower)) return [];
    const keys = this.#hasOpen ? [lower, `${lower.slice(0, KEY)}*`, `*${lower.slice(-KEY)}`] : [lower];
    const fits: Fit<Meaning>[] = [];
    for (const key of keys) {
      for (const entry of this.#byKey.get(key) ?? []) {
        const next = endOf(entry, tokens, at);
        if (next !== undefined) fits.push({ meaning: entry.meaning, length: entry.length, next });
      }
    }
    return fits;
  }
}

/** Returns the index behind a phrase where a text has it; undefined elsewhere. */
function endOf({ words, open }: Entry<unknown>, tokens: readonly Token[], at: number): number | undefined {
  let next = at;
  for (const [place, word] of words.entries()) {
    if (place > 0 && tokens[next]?.text === '-' && word !== '-') next += 1;
    const { lower = '', text = '' } = tokens[next] ?? {};
    const isLast = place === words.length - 1;
    const isThere =
      isLast && open === 'end'
        ? lower.startsWith(word)
        : open === 'beginning'
          ? lower.endsWith(word) && lower.length > word.length + 1
          : lower === word ||
            (isLast && place > 0 && WITH_ARTICLE[word]?.test(lower)) ||
            (lower === word.toLowerCase() && /^\p{Lu}\.|^\p{Lu}+$|^\p{L}\./u.test(text));
    if (!isThere) return undefined;
    next += 1;
  }
  return next;
}

/** Returns a lexicon for each language from a table, whose first cells say what the words mean. */
export function lexiconsOf<Meaning>(
  table: string,
  meaningOf: (...head: readonly string[]) => Meaning,
): ByLanguage<Lexicon<Meaning>> {
  const rows = readTable(table).map(({ head, words }) => ({ words, meaning: meaningOf(...head) }));
  return byLanguage(
    (language) =>
      new Lexicon(
        rows.flatMap(({ words, meaning }) => words[language].map((word) => [word, meaning] as const)),
      ),
  );
}

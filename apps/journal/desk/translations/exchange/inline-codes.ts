import { escapeXml, xmlElement } from '../../../project/write-xml.ts';

/** Describes what marks text on both sides, and what stands for itself, in the Markdown of a segment. */
interface Mark {
  start: string;
  /** Null for a code that has no text between its ends. */
  end: string | null;
  type?: 'fmt' | 'link';
  subType?: string;
}

/**
 * Finds the marks of a text: escapes and code stay text, citations and footnote marks are codes, and links, bold, italic,
 * raised and lowered words are pairs. Addresses of links whose words are no plain pair are codes as well. No part of it reads
 * on to the end of the text from each place where it might begin.
 */
const MARKS =
  /\\.|`[^`]*`|(?<code>:cite\[[^[\]]*\]|\[\^[^[\]\s]+\])|:(?<script>sup|sub)\[(?<scripted>[^[\]]*)\]|\[(?<words>(?:[^[\]\\]|\\.)*)\](?<address>\((?:[^()\s]|\([^()\s]*\))*\))|\*\*(?=[^\s*])(?<bold>(?:[^*\\]|\\.|\*(?!\*)[^*]*\*(?!\*))+?)(?<=[^\s])\*\*(?!\*)|(?<!\*)\*(?=[^\s*])(?<italic>(?:[^*\\]|\\.)+?)(?<=[^\s*])\*(?!\*)|(?<rest>\]\((?:[^()\s]|\([^()\s]*\))*\))/gsu;

/** Writes the inline marks of the texts of one unit, so that the same mark has the same id in the source and in its translation. */
export class InlineCodes {
  readonly #data = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  /** Returns a text with its marks as `pc` and `ph`. */
  write(text: string): string {
    return this.#inline(text, new Map());
  }

  /** Returns what the marks were, for the `originalData` of the unit. */
  get data(): string[] {
    return [...this.#data].map(([code, id]) => xmlElement('data', { id }, escapeXml(code)));
  }

  #inline(text: string, seen: Map<string, number>): string {
    let result = '';
    let end = 0;
    for (const match of text.matchAll(MARKS)) {
      const found = readMark(match);
      if (!found) continue;
      result += escapeXml(text.slice(end, match.index));
      result += this.#element(found.mark, found.words, seen);
      end = match.index + match[0].length;
    }
    return result + escapeXml(text.slice(end));
  }

  #element({ start, end, type, subType }: Mark, words: string, seen: Map<string, number>): string {
    const key = `${start} ${end ?? ''}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    const id = this.#idOf(`${key} ${count}`);
    if (end === null) return xmlElement('ph', { id, dataRef: this.#dataOf(start), disp: start });
    const dataRefs = { dataRefStart: this.#dataOf(start), dataRefEnd: this.#dataOf(end) };
    return xmlElement('pc', { id, type, subType, ...dataRefs }, this.#inline(words, seen));
  }

  #idOf(key: string): string {
    const id = this.#ids.get(key) ?? String(this.#ids.size + 1);
    this.#ids.set(key, id);
    return id;
  }

  #dataOf(code: string): string {
    const id = this.#data.get(code) ?? `d${this.#data.size + 1}`;
    this.#data.set(code, id);
    return id;
  }
}

function readMark({ groups = {} }: RegExpMatchArray): { mark: Mark; words: string } | undefined {
  const { code, rest, script, scripted, words, address, bold, italic } = groups;
  if (code !== undefined) return { mark: { start: code, end: null }, words: '' };
  if (rest !== undefined) return { mark: { start: rest, end: null }, words: '' };
  if (script !== undefined) {
    const mark = { start: `:${script}[`, end: ']', type: 'fmt', subType: `fabrica:${script}` } as const;
    return { mark, words: scripted ?? '' };
  }
  if (address !== undefined) {
    return { mark: { start: '[', end: `]${address}`, type: 'link' }, words: words ?? '' };
  }
  if (bold !== undefined) {
    return { mark: { start: '**', end: '**', type: 'fmt', subType: 'xlf:b' }, words: bold };
  }
  return italic === undefined
    ? undefined
    : { mark: { start: '*', end: '*', type: 'fmt', subType: 'xlf:i' }, words: italic };
}

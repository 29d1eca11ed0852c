import { escapeXml, xmlElement } from '../../../project/write-xml.ts';
import { type InlineMark, readInline } from '../../../segments/inline-marks.ts';

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
    return readInline(text)
      .map((part) =>
        typeof part === 'string' ? escapeXml(part) : this.#element(part.mark, part.words, seen),
      )
      .join('');
  }

  #element({ start, end, type, subType }: InlineMark, words: string, seen: Map<string, number>): string {
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

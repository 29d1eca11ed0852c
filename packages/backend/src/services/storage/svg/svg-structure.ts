import { unreadableSvg } from './svg-text.ts';
import { DRAWING, PAINT } from './svg-vocabulary.ts';

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

const MAX_DEPTH = 256;
/** Elements with everything repeated that is referred to: a few lines can ask for more than any memory holds. */
const MAX_UNFOLDED = 200_000;
/** Parts that refer to parts that refer to parts. */
const MAX_REFERRED_DEPTH = 1_000;

/** The root, or an element that can be referred to, with what is in it up to the next such elements. */
interface Part {
  elements: number;
  parts: Part[];
  /** Ids. */
  references: string[];
}

interface OpenElement {
  name: string;
  hasChildren: boolean;
  part: Part;
}

/**
 * Follows a drawing's elements as they are read: one root, all of them closed, not too deep, not repeated without
 * end. The parser takes anything, so this is what tells a drawing from something cut off or pieced together. Every
 * method throws FILE_UNREADABLE.
 */
export class SvgStructure {
  readonly #open: OpenElement[] = [];
  readonly #named = new Map<string, Part>();
  #root: Part | undefined;
  #draws = false;

  opened(name: string, attributes: Record<string, string>): void {
    const parent = this.#open.at(-1);
    if (this.#open.length >= MAX_DEPTH) throw unreadableSvg('it is nested too deep.');
    if (parent) parent.hasChildren = true;
    else this.#requireRoot(name, attributes);
    const part = this.#partOf(attributes.id, parent?.part);
    if (!PAINT.has(name)) part.elements += 1;
    for (const value of Object.values(attributes)) {
      for (const id of localReferences(value)) part.references.push(id);
    }
    this.#open.push({ name, hasChildren: false, part });
    this.#draws ||= DRAWING.has(name);
  }

  closed(name: string, isImplied: boolean): void {
    const element = this.#open.pop();
    // The parser says the same of `<g/>` and of a `<g>` that nothing closes: only the first has nothing in it.
    if (element?.name !== name || (isImplied && element.hasChildren)) {
      throw unreadableSvg('the file is damaged or incomplete.');
    }
  }

  /** Once all is read. */
  ended(): void {
    if (!this.#root || !this.#draws) throw unreadableSvg('there is nothing in it to be shown.');
    if (this.#unfold(this.#root, new Map(), 0) > MAX_UNFOLDED) throw repeatsTooOften();
  }

  #requireRoot(name: string, attributes: Record<string, string>): void {
    const { xmlns = SVG_NAMESPACE } = attributes;
    if (this.#root || name !== 'svg' || xmlns !== SVG_NAMESPACE) {
      throw unreadableSvg('it must be a single svg element.');
    }
  }

  #partOf(id: string | undefined, around: Part | undefined): Part {
    if (around && (id === undefined || this.#named.has(id))) return around;
    const part: Part = { elements: 0, parts: [], references: [] };
    this.#root ??= part;
    around?.parts.push(part);
    if (id !== undefined) this.#named.set(id, part);
    return part;
  }

  /** A part that refers to itself counts once: renderers leave such a reference out. */
  #unfold(part: Part, known: Map<Part, number>, depth: number): number {
    const before = known.get(part);
    if (before !== undefined) return before;
    if (depth > MAX_REFERRED_DEPTH) throw repeatsTooOften();
    known.set(part, 0);
    let count = part.elements;
    for (const inner of part.parts) count += this.#unfold(inner, known, depth + 1);
    for (const id of part.references) {
      const target = this.#named.get(id);
      if (target) count += this.#unfold(target, known, depth + 1);
    }
    known.set(part, count);
    return count;
  }
}

function localReferences(value: string): string[] {
  if (value.startsWith('#')) return [value.slice(1)];
  if (!value.includes('#')) return [];
  return [...value.matchAll(/url\(\s*["']?#([^\s"'()]+)/gi)].map(([, id = '']) => id);
}

function repeatsTooOften(): Error {
  return unreadableSvg('it repeats its parts too often.');
}

import { unreadableSvg } from './svg-text.ts';
import { PAINT, VISIBLE_ELEMENTS } from './svg-vocabulary.ts';

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

const MAX_DEPTH = 256;
/** Elements after all references are resolved: a few lines can expand to more than any memory holds. */
const MAX_EXPANDED = 200_000;
/** Levels of parts that refer to other parts. */
const MAX_REFERRED_DEPTH = 1_000;

/** The root or an element with an id, with its descendants up to the next such elements. */
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
 * Checks the elements of an SVG as they are parsed: one root, all closed, not too deep, not repeated too often. The
 * parser accepts anything, so only this finds a truncated or malformed document. Every method throws FILE_UNREADABLE.
 */
export class SvgStructure {
  readonly #open: OpenElement[] = [];
  readonly #named = new Map<string, Part>();
  #root: Part | undefined;
  #isVisible = false;

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
    this.#isVisible ||= VISIBLE_ELEMENTS.has(name);
  }

  closed(name: string, isImplied: boolean): void {
    const element = this.#open.pop();
    // The parser reports `<g/>` and a `<g>` that is never closed alike; only the first is surely empty.
    if (element?.name !== name || (isImplied && element.hasChildren)) {
      throw unreadableSvg('the file is damaged or incomplete.');
    }
  }

  /** Called after the last element. */
  ended(): void {
    if (!this.#root || !this.#isVisible) throw unreadableSvg('there is nothing in it to be shown.');
    if (this.#expand(this.#root, new Map(), 0) > MAX_EXPANDED) throw repeatsTooOften();
  }

  #requireRoot(name: string, attributes: Record<string, string>): void {
    const { xmlns = SVG_NAMESPACE } = attributes;
    if (this.#root || name !== 'svg' || xmlns !== SVG_NAMESPACE) {
      throw unreadableSvg('it must be a single svg element.');
    }
  }

  #partOf(id: string | undefined, parent: Part | undefined): Part {
    if (parent && (id === undefined || this.#named.has(id))) return parent;
    const part: Part = { elements: 0, parts: [], references: [] };
    this.#root ??= part;
    parent?.parts.push(part);
    if (id !== undefined) this.#named.set(id, part);
    return part;
  }

  /** Returns the elements of a part with its references resolved. A part that refers to itself counts once, as in renderers. */
  #expand(part: Part, known: Map<Part, number>, depth: number): number {
    const before = known.get(part);
    if (before !== undefined) return before;
    if (depth > MAX_REFERRED_DEPTH) throw repeatsTooOften();
    known.set(part, 0);
    let count = part.elements;
    for (const inner of part.parts) count += this.#expand(inner, known, depth + 1);
    for (const id of part.references) {
      const target = this.#named.get(id);
      if (target) count += this.#expand(target, known, depth + 1);
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

import type { Node, NodeType } from 'prosemirror-model';
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { AttrStep, ReplaceAroundStep } from 'prosemirror-transform';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { schema } from '../document/schema.ts';

const { nodes } = schema;
const NUMBERED: ReadonlySet<NodeType> = new Set([
  nodes.footnote_reference as NodeType,
  nodes.citation as NodeType,
  nodes.footnote_definition as NodeType,
  nodes.callout as NodeType,
]);

export interface NumberingWords {
  footnote(number: number): string;
  footnoteText(number: number): string;
  reference(number: number): string;
  callout(name: string): string;
}

/** The numbers that readers see: in the order in which the text first names a footnote or a reference. */
interface Numbers {
  footnotes: ReadonlyMap<string, number>;
  references: ReadonlyMap<string, number>;
}

const key = new PluginKey<DecorationSet>('numbering');

export function numbersOf(document: Node): Numbers {
  const [footnotes, references] = [new Map<string, number>(), new Map<string, number>()];
  const count = (map: Map<string, number>, name: string) => {
    if (!map.has(name)) map.set(name, map.size + 1);
  };
  document.descendants((node) => {
    if (node.type === nodes.footnote_reference) count(footnotes, node.attrs.label);
    if (node.type === nodes.citation) count(references, node.attrs.key);
  });
  return { footnotes, references };
}

/** Shows the numbers of footnotes and references, and keeps them in step with the text. */
export function numbering(words: NumberingWords): Plugin {
  const show = (document: Node) => DecorationSet.create(document, decorate(document, words));
  return new Plugin({
    key,
    state: {
      init: (_, { doc }) => show(doc),
      apply(tr, shown) {
        if (!tr.docChanged) return shown;
        return changesNumbers(tr) ? show(tr.doc) : shown.map(tr.mapping, tr.doc);
      },
    },
    props: {
      decorations: (state) => key.getState(state),
    },
  });
}

/**
 * Returns whether something numbered was put in, taken out, changed, or moved into a list or a quotation or out of it: a node's
 * decoration does not follow it to another depth. Most keys change letters beside it alone.
 */
function changesNumbers({ steps, docs, doc }: Transaction): boolean {
  return steps.some((step, at) => {
    const [before, after] = [docs[at] as Node, docs[at + 1] ?? doc];
    let found =
      step instanceof AttrStep ||
      (step instanceof ReplaceAroundStep && hasNumbered(before, step.gapFrom, step.gapTo));
    step.getMap().forEach((oldStart, oldEnd, newStart, newEnd) => {
      found ||= hasNumbered(before, oldStart, oldEnd) || hasNumbered(after, newStart, newEnd);
    });
    return found;
  });
}

/** Returns whether something numbered begins or ends between two places. What goes on at both keeps its number. */
function hasNumbered(document: Node, from: number, to: number): boolean {
  let found = false;
  document.nodesBetween(from, to, (node, pos) => {
    const isAround = pos < from && pos + node.nodeSize > to;
    found ||= NUMBERED.has(node.type) && !isAround;
    return !found;
  });
  return found;
}

function decorate(document: Node, words: NumberingWords): Decoration[] {
  const { footnotes, references } = numbersOf(document);
  const decorations: Decoration[] = [];
  document.descendants((node, pos) => {
    const add = (attributes: Record<string, string>) =>
      decorations.push(Decoration.node(pos, pos + node.nodeSize, attributes));
    if (node.type === nodes.footnote_reference) {
      const number = footnotes.get(node.attrs.label) ?? 0;
      add({ 'data-number': String(number), role: 'img', 'aria-label': words.footnote(number) });
    } else if (node.type === nodes.citation) {
      const number = references.get(node.attrs.key) ?? 0;
      add({ 'data-number': String(number), role: 'img', 'aria-label': words.reference(number) });
    } else if (node.type === nodes.footnote_definition) {
      const number = footnotes.get(node.attrs.label) ?? 0;
      add({ 'data-number': String(number), role: 'group', 'aria-label': words.footnoteText(number) });
    } else if (node.type === nodes.callout) {
      const name = words.callout(node.attrs.name);
      add({ 'data-label': name, role: 'group', 'aria-label': name });
    }
    return !node.isTextblock || node.childCount > 0;
  });
  return decorations;
}

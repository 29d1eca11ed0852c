import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { schema } from '../document/schema.ts';

const { nodes } = schema;

export interface NumberingWords {
  footnote(number: number): string;
  footnoteText(number: number): string;
  reference(number: number): string;
  callout(name: string): string;
}

/** The numbers that readers see: in the order in which the text first names a footnote or a reference. */
export interface Numbers {
  footnotes: ReadonlyMap<string, number>;
  references: ReadonlyMap<string, number>;
}

const key = new PluginKey<{ numbers: Numbers; decorations: DecorationSet }>('numbering');

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
  const show = (document: Node) => {
    const numbers = numbersOf(document);
    return { numbers, decorations: DecorationSet.create(document, decorate(document, numbers, words)) };
  };
  return new Plugin({
    key,
    state: {
      init: (_, { doc }) => show(doc),
      apply: (tr, value) => (tr.docChanged ? show(tr.doc) : value),
    },
    props: {
      decorations: (state) => key.getState(state)?.decorations,
    },
  });
}

function decorate(document: Node, { footnotes, references }: Numbers, words: NumberingWords): Decoration[] {
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

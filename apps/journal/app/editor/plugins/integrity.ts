import type { Node, NodeType } from 'prosemirror-model';
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state';
import { schema } from '../document/schema.ts';

const { nodes } = schema;

/**
 * Keeps a document as Markdown can hold it, after each change: a footnote for each mark and none without one that lost it, a
 * head for each table, and a paragraph at the end to go on writing in.
 */
export function integrity(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (!transactions.some(({ docChanged }) => docChanged)) return null;
      const { tr } = state;
      separateFootnotes(tr);
      keepFootnotes(tr, before);
      keepTableHeads(tr);
      keepLastParagraph(tr);
      return tr.docChanged ? tr : null;
    },
  });
}

/** A second footnote of the same label gets one of its own. */
function separateFootnotes(tr: Transaction): void {
  const used = new Set<string>();
  tr.doc.forEach((block, pos) => {
    if (block.type !== nodes.footnote_definition) return;
    let label = String(block.attrs.label);
    for (let number = 1; used.has(label); number += 1) label = String(number);
    used.add(label);
    if (label !== block.attrs.label) tr.setNodeMarkup(pos, null, { label });
  });
}

function keepFootnotes(tr: Transaction, before: EditorState): void {
  const { doc } = tr;
  const [present, earlier] = [footnotesOf(doc), footnotesOf(before.doc)];
  const lost = (label: string) => earlier.definitions.has(label) && !present.definitions.has(label);
  // From the end, so that the places before stay what they are.
  for (const { pos, label } of [...present.marks].reverse()) if (lost(label)) tr.delete(pos, pos + 1);
  for (const label of new Set(present.marks.map((mark) => mark.label))) {
    if (present.definitions.has(label) || lost(label)) continue;
    const empty = schema.node('footnote_definition', { label }, schema.node('paragraph'));
    tr.insert(tr.doc.content.size, earlier.definitions.get(label) ?? empty);
  }
}

interface FootnoteMark {
  pos: number;
  label: string;
}

function footnotesOf(document: Node) {
  const marks: FootnoteMark[] = [];
  const definitions = new Map<string, Node>();
  document.forEach((block, offset) => {
    if (block.type === nodes.footnote_definition) definitions.set(block.attrs.label, block);
    for (const { pos, label } of marksWithin(block)) marks.push({ pos: offset + pos, label });
  });
  return { marks, definitions };
}

/** The marks within blocks, which are never changed, so that a key stroke costs the block that it changes. */
const knownMarks = new WeakMap<Node, readonly FootnoteMark[]>();

function marksWithin(block: Node): readonly FootnoteMark[] {
  const known = knownMarks.get(block);
  if (known) return known;
  const marks: FootnoteMark[] = [];
  block.descendants((node, pos) => {
    if (node.type === nodes.footnote_reference) marks.push({ pos: pos + 1, label: node.attrs.label });
  });
  knownMarks.set(block, marks);
  return marks;
}

function keepTableHeads(tr: Transaction): void {
  tr.doc.descendants((node, pos) => {
    if (node.type !== nodes.table) return !node.isTextblock;
    node.forEach((row, offset, index) => {
      const wanted = (index === 0 ? nodes.table_header : nodes.table_cell) as NodeType;
      row.forEach((cell, inRow, column) => {
        // A column has one alignment, which its head says.
        const align = node.firstChild?.maybeChild(column)?.attrs.align ?? null;
        if (cell.type === wanted && cell.attrs.align === align) return;
        tr.setNodeMarkup(pos + 1 + offset + 1 + inRow, wanted, { ...cell.attrs, align });
      });
    });
    return false;
  });
}

/** Behind a table or a picture there would be no place for the cursor. */
function keepLastParagraph(tr: Transaction): void {
  const { children } = tr.doc;
  const body = children.filter(({ type }) => type !== nodes.footnote_definition);
  if (body.at(-1)?.type === nodes.paragraph) return;
  const end = body.reduce((size, { nodeSize }) => size + nodeSize, 0);
  tr.insert(end, schema.node('paragraph'));
}

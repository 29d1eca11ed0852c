import type { Node, NodeType } from 'prosemirror-model';
import { type Command, TextSelection } from 'prosemirror-state';
import { schema } from '../document/schema.ts';

const { nodes } = schema;

/** Puts a footnote's mark at the cursor, and an empty footnote at the end with the cursor in it. */
export const insertFootnote: Command = (state, dispatch) => {
  const { $from, to } = state.selection;
  const reference = nodes.footnote_reference as NodeType;
  if (
    !$from.parent.inlineContent ||
    !$from.parent.type.validContent($from.parent.content.addToEnd(reference.create({ label: '1' })))
  )
    return false;
  if (!dispatch) return true;
  const label = unusedLabel(state.doc);
  const { tr } = state;
  tr.insert(to, reference.create({ label }));
  const end = tr.doc.content.size;
  tr.insert(end, schema.node('footnote_definition', { label }, schema.node('paragraph')));
  tr.setSelection(TextSelection.near(tr.doc.resolve(end + 2)));
  dispatch(tr.scrollIntoView());
  return true;
};

/** Moves the cursor from a footnote behind its mark in the text. */
export const leaveFootnote: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const definition = $from.depth > 0 ? $from.node(1) : undefined;
  if (!definition || definition.type !== nodes.footnote_definition) return false;
  const at = findMark(state.doc, definition.attrs.label);
  if (at === undefined) return false;
  dispatch?.(state.tr.setSelection(TextSelection.near(state.doc.resolve(at + 1))).scrollIntoView());
  return true;
};

function findMark(document: Node, label: string): number | undefined {
  let found: number | undefined;
  document.descendants((node, pos) => {
    if (node.type === nodes.footnote_reference && node.attrs.label === label) found ??= pos;
    return found === undefined;
  });
  return found;
}

function unusedLabel(document: Node): string {
  const used = new Set(document.children.map(({ attrs }) => attrs.label as string | undefined));
  let number = 1;
  while (used.has(String(number))) number += 1;
  return String(number);
}

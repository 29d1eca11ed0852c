import { lift, setBlockType, wrapIn } from 'prosemirror-commands';
import type { Attrs, Node, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';
import type { CalloutName } from '../../../project/markdown/directives.ts';
import { schema } from '../document/schema.ts';

const { nodes } = schema;

/** The kind of the block that holds the cursor, as the toolbar names it. */
export type BlockStyle = 'paragraph' | 'heading2' | 'heading3' | 'heading4' | 'code';

export function setBlockStyle(style: BlockStyle): Command {
  if (style === 'paragraph') return setBlockType(nodes.paragraph as NodeType);
  if (style === 'code') return setBlockType(nodes.code_block as NodeType);
  return setBlockType(nodes.heading as NodeType, { level: Number(style.slice(-1)) });
}

/** Returns the style of the block at the cursor, or `null` where it is another, as in a table. */
export function blockStyle({ selection: { $from } }: EditorState): BlockStyle | null {
  const { type, attrs } = $from.parent;
  if (type === nodes.paragraph) return 'paragraph';
  if (type === nodes.code_block) return 'code';
  if (type !== nodes.heading) return null;
  return `heading${Math.min(4, Math.max(2, attrs.level)) as 2 | 3 | 4}`;
}

/** Puts a block around what is selected, or takes it away. */
function toggleAround(type: NodeType, attributes?: Attrs): Command {
  return (state, dispatch, view) => {
    const around = findAround(state, type);
    if (!around) return wrapIn(type, attributes)(state, dispatch, view);
    if (attributes && !around.node.hasMarkup(type, attributes)) {
      dispatch?.(state.tr.setNodeMarkup(around.pos, type, attributes));
      return true;
    }
    return lift(state, dispatch, view);
  };
}

export const toggleQuote = toggleAround(nodes.blockquote as NodeType);

export function toggleCallout(name: CalloutName): Command {
  return toggleAround(nodes.callout as NodeType, { name });
}

/** Makes a list of what is selected, turns it into the other kind of list, or makes it paragraphs again. */
export function toggleList(type: NodeType): Command {
  return (state, dispatch, view) => {
    const list =
      findAround(state, nodes.bullet_list as NodeType) ?? findAround(state, nodes.ordered_list as NodeType);
    if (!list) return wrapInList(type)(state, dispatch);
    if (list.node.type === type) return liftListItem(nodes.list_item as NodeType)(state, dispatch, view);
    dispatch?.(state.tr.setNodeMarkup(list.pos, type));
    return true;
  };
}

interface FoundNode {
  node: Node;
  pos: number;
}

/** Finds the innermost block of a type around the cursor. */
export function findAround({ selection: { $from } }: EditorState, type: NodeType): FoundNode | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (node.type === type) return { node, pos: $from.before(depth) };
  }
  return undefined;
}

/**
 * Returns a command that puts a block after the one at the cursor, or in the place of an empty one, with the cursor in it.
 */
export function insertBlock(create: () => Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const depth = depthFor($from.depth, (at) => $from.node(at).type);
    if (!dispatch) return true;
    const block = create();
    const isEmpty =
      $from.depth > 0 && $from.parent.type === nodes.paragraph && $from.parent.content.size === 0;
    const { tr } = state;
    const at = depth === 0 ? $from.pos : isEmpty ? $from.before(depth) : $from.after(depth);
    tr.replaceWith(at, isEmpty ? $from.after(depth) : at, block);
    const inside = Selection.findFrom(tr.doc.resolve(Math.min(at + 1, tr.doc.content.size)), 1, true);
    if (inside instanceof TextSelection && block.content.size > 0) tr.setSelection(inside);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** A block stands within quotations and call-outs, but not within a table or a figure. */
function depthFor(depth: number, typeAt: (depth: number) => NodeType): number {
  for (let at = 1; at <= depth; at += 1) {
    if (typeAt(at) === nodes.table || typeAt(at) === nodes.figure) return at;
  }
  return depth;
}

/** Creates a table with a head and empty cells. */
export function createTable(rows = 3, columns = 3): Node {
  const row = (type: NodeType) =>
    schema.node(
      'table_row',
      null,
      Array.from({ length: columns }, () => type.create()),
    );
  const body = Array.from({ length: rows - 1 }, () => row(nodes.table_cell as NodeType));
  return schema.node('table', null, [row(nodes.table_header as NodeType), ...body]);
}

import type { MarkType, NodeType, ResolvedPos } from 'prosemirror-model';
import { type Command, NodeSelection, TextSelection } from 'prosemirror-state';
import type { CalloutName } from '../../../project/markdown/directives.ts';
import {
  createTable,
  findAround,
  insertBlock,
  setBlockStyle,
  toggleCallout,
  toggleList,
  toggleQuote,
} from '../commands/blocks.ts';
import { insertFootnote } from '../commands/footnotes.ts';
import { schema } from '../document/schema.ts';
import type { EditorMessages } from '../load-editor-messages.ts';

const { nodes } = schema;

export type ActionName = keyof EditorMessages['actions'];

/** Lists what the menu offers, in its order. Those without a command open a dialog. */
export const MENU_ACTIONS: readonly ActionName[] = [
  'heading2',
  'heading3',
  'heading4',
  'bullet',
  'ordered',
  'quote',
  'warning',
  'summary',
  'key-points',
  'picture',
  'table',
  'footnote',
  'reference',
  'rule',
  'code',
];

export const COMMANDS: Partial<Record<ActionName, Command>> = {
  paragraph: setBlockStyle('paragraph'),
  heading2: setBlockStyle('heading2'),
  heading3: setBlockStyle('heading3'),
  heading4: setBlockStyle('heading4'),
  code: setBlockStyle('code'),
  bullet: toggleList(nodes.bullet_list as NodeType),
  ordered: toggleList(nodes.ordered_list as NodeType),
  quote: toggleQuote,
  warning: callout('warning'),
  summary: callout('summary'),
  'key-points': callout('key-points'),
  table: insertBlock(() => createTable()),
  footnote: insertFootnote,
  rule: insertBlock(() => schema.node('horizontal_rule')),
};

function callout(name: CalloutName): Command {
  return toggleCallout(name);
}

/** Ties the selected words, or the word around the cursor, to the mark of a letter; with none, frees the passage around the selection. */
export function tieToMark(letter: string): Command {
  return ({ selection, tr, doc }, dispatch) => {
    const type = schema.marks.passage as MarkType;
    const { from, to } = selection.empty ? wordAround(selection.$from) : selection;
    if (letter !== '' && from === to) return false;
    dispatch?.(
      (() => {
        if (letter !== '') return tr.removeMark(from, to, type).addMark(from, to, type.create({ letter }));
        doc.nodesBetween(from, Math.max(to, from + 1), (node, at) => {
          if (type.isInSet(node.marks)) tr.removeMark(at, at + node.nodeSize, type);
        });
        return tr;
      })(),
    );
    return true;
  };
}

/** Returns where the word around a place begins and ends; twice the place where there is none. */
function wordAround({ parent, parentOffset, pos }: ResolvedPos): { from: number; to: number } {
  const [before, after] = [
    parent.textBetween(0, parentOffset, '\n', '\n'),
    parent.textBetween(parentOffset, parent.content.size, '\n', '\n'),
  ];
  const [start = ''] = /[\p{L}\p{M}\p{N}’'-]*$/u.exec(before) ?? [];
  const [end = ''] = /^[\p{L}\p{M}\p{N}’'-]*/u.exec(after) ?? [];
  return { from: pos - start.length, to: pos + end.length };
}

/**
 * Sets a link on what is selected, on the link around the cursor, or on new words. An empty address removes it. Words take no
 * block's place: those of a selected table or picture get the link themselves.
 */
export function setLink(href: string, words: string): Command {
  return (state, dispatch) => {
    const link = schema.marks.link as MarkType;
    const range = linkRange(state);
    const { from, to } = range ?? state.selection;
    const { tr } = state;
    const hasBlock = state.selection instanceof NodeSelection && state.selection.node.isBlock;
    const isNew = words !== '' && !hasBlock && words !== state.doc.textBetween(from, to);
    if (href === '') tr.removeMark(from, to, link);
    else if (from === to || isNew) {
      const text = words || href.replace(/^(?:https?:\/\/|mailto:)/, '');
      const marks = link.create({ href }).addToSet(state.doc.resolve(from).marks());
      tr.replaceWith(from, to, schema.text(text, marks));
      tr.setSelection(TextSelection.create(tr.doc, from + text.length)).removeStoredMark(link);
    } else tr.addMark(from, to, link.create({ href }));
    dispatch?.(tr.scrollIntoView());
    return true;
  };
}

/** Returns the place of the link around the cursor. */
export function linkRange({ selection: { $from, from, to }, doc }: Parameters<Command>[0]) {
  const link = schema.marks.link as MarkType;
  const mark = link.isInSet($from.marks()) ?? link.isInSet($from.nodeAfter?.marks ?? []);
  if (!mark) return undefined;
  const start = $from.start();
  let [first, last]: (number | undefined)[] = [];
  $from.parent.forEach((child, offset) => {
    const [at, end] = [start + offset, start + offset + child.nodeSize];
    if (!mark.isInSet(child.marks)) return;
    if (last === at) last = end;
    else if (last === undefined || last < from) [first, last] = [at, end];
  });
  if (first === undefined || last === undefined || last < to) return undefined;
  return { from: first, to: last, href: String(mark.attrs.href), words: doc.textBetween(first, last) };
}

/** Takes the figure at the cursor, or the selected one, out of the text. */
export const removeFigure: Command = (state, dispatch) => {
  const figure = figureAt(state);
  if (figure) dispatch?.(state.tr.delete(figure.pos, figure.pos + figure.node.nodeSize).scrollIntoView());
  return figure !== undefined;
};

/** Returns the place of the figure at the cursor or selected. */
export function figureAt(state: Parameters<Command>[0]) {
  const { selection } = state;
  const selected = 'node' in selection ? (selection.node as { type: NodeType }) : undefined;
  if (selected?.type === nodes.figure) {
    const node = state.doc.nodeAt(selection.from);
    return node ? { node, pos: selection.from } : undefined;
  }
  return findAround(state, nodes.figure as NodeType);
}

import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, type Plugin, Selection } from 'prosemirror-state';
import { addRowAfter, goToNextCell, isInTable } from 'prosemirror-tables';
import { schema } from '../document/schema.ts';
import { setBlockStyle, toggleList, toggleQuote } from './blocks.ts';
import { insertFootnote, leaveFootnote } from './footnotes.ts';

const { nodes, marks } = schema;
const item = nodes.list_item as NodeType;

const insertBreak: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.type.contentMatch.matchType(nodes.hard_break as NodeType)) return false;
  dispatch?.(state.tr.replaceSelectionWith(schema.node('hard_break')).scrollIntoView());
  return true;
};

/** Behind the last cell of a table begins a new row. */
const goToNewRow: Command = (state, dispatch, view) => {
  if (!isInTable(state) || !view?.editable) return false;
  addRowAfter(state, dispatch);
  return goToNextCell(1)(view.state, dispatch);
};

/** The end of a text is before its footnotes. Pressed there, or in a footnote, the key goes to the end of these. */
const goToEnd: Command = (state, dispatch) => {
  const { doc, selection } = state;
  const last = doc.children.findLast(({ type }) => type !== nodes.footnote_definition);
  if (doc.lastChild === last) return false;
  const end = doc.children.reduce(
    (size, { type, nodeSize }) => (type === nodes.footnote_definition ? size : size + nodeSize),
    0,
  );
  const at = Selection.near(doc.resolve(end), -1);
  if (selection.head >= at.head) return false;
  dispatch?.(state.tr.setSelection(at).scrollIntoView());
  return true;
};

/** The shortcuts as people know them from other editors. `Mod` is Command on a Mac and Control elsewhere. */
export const SHORTCUTS = {
  strong: 'Mod-b',
  em: 'Mod-i',
  link: 'Mod-k',
  sup: 'Mod-.',
  sub: 'Mod-,',
  paragraph: 'Mod-Alt-0',
  heading2: 'Mod-Alt-2',
  heading3: 'Mod-Alt-3',
  heading4: 'Mod-Alt-4',
  ordered: 'Mod-Shift-7',
  bullet: 'Mod-Shift-8',
  quote: 'Mod-Shift-9',
  footnote: 'Mod-Alt-f',
  indent: 'Mod-]',
  outdent: 'Mod-[',
  undo: 'Mod-z',
  redo: 'Mod-Shift-z',
  toolbar: 'Alt-F10',
} as const;

export interface KeymapOptions {
  openLink(): void;
  focusToolbar(): void;
}

/** Returns the keys of the editor. Tab leaves it as everywhere, but for tables, whose cells it walks through. */
export function editorKeymap({ openLink, focusToolbar }: KeymapOptions): Plugin[] {
  const bindings: Record<string, Command> = {
    [SHORTCUTS.undo]: undo,
    [SHORTCUTS.redo]: redo,
    'Mod-y': redo,
    Backspace: undoInputRule,
    [SHORTCUTS.strong]: toggleMark(marks.strong as MarkType),
    [SHORTCUTS.em]: toggleMark(marks.em as MarkType),
    [SHORTCUTS.sup]: toggleMark(marks.sup as MarkType),
    [SHORTCUTS.sub]: toggleMark(marks.sub as MarkType),
    'Mod-`': toggleMark(marks.code as MarkType),
    [SHORTCUTS.link]: () => {
      openLink();
      return true;
    },
    [SHORTCUTS.paragraph]: setBlockStyle('paragraph'),
    [SHORTCUTS.heading2]: setBlockStyle('heading2'),
    [SHORTCUTS.heading3]: setBlockStyle('heading3'),
    [SHORTCUTS.heading4]: setBlockStyle('heading4'),
    [SHORTCUTS.ordered]: toggleList(nodes.ordered_list as NodeType),
    [SHORTCUTS.bullet]: toggleList(nodes.bullet_list as NodeType),
    [SHORTCUTS.quote]: toggleQuote,
    [SHORTCUTS.footnote]: chainCommands(leaveFootnote, insertFootnote),
    Enter: splitListItem(item),
    'Shift-Enter': chainCommands(exitCode, insertBreak),
    'Mod-Enter': exitCode,
    Tab: chainCommands(goToNextCell(1), goToNewRow),
    'Shift-Tab': goToNextCell(-1),
    'Ctrl-End': goToEnd,
    'Cmd-ArrowDown': goToEnd,
    [SHORTCUTS.indent]: sinkListItem(item),
    [SHORTCUTS.outdent]: liftListItem(item),
    [SHORTCUTS.toolbar]: () => {
      focusToolbar();
      return true;
    },
  };
  return [keymap(bindings), keymap(baseKeymap)];
}

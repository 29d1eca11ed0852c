import { deleteSelection, joinBackward, joinForward, splitBlock, toggleMark } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import type { MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import type { Command } from 'prosemirror-state';
import {
  AllSelection,
  type EditorState,
  NodeSelection,
  EditorState as State,
  TextSelection,
} from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, tableEditing } from 'prosemirror-tables';
import type { DecorationSet } from 'prosemirror-view';
import { expect, it } from 'vitest';
import { setBlockStyle } from '../commands/blocks.ts';
import { insertFootnote } from '../commands/footnotes.ts';
import { integrity } from '../plugins/integrity.ts';
import { numbering } from '../plugins/numbering.ts';
import { Chance, contentOf, randomBlock, randomDocument, randomText } from '../testing/random-documents.ts';
import { COMMANDS, setLink } from '../view/actions.ts';
import { schema } from './schema.ts';
import { readDocument, writeDocument, writeMarkdown } from './text-document.ts';

/** `SEQUENCES=1000 npx vitest run apps/journal/app/editor/document/round-trip.test.ts` is the long run. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 100);

const { nodes, marks } = schema;

/** Writes a document as Markdown and reads it again. */
function throughMarkdown(document: Parameters<typeof writeMarkdown>[0]) {
  const value = writeMarkdown(document);
  return { value, document: readDocument({ value, format: 'markdown' }) };
}

it('200 random documents come out of Markdown as they went in, and the Markdown is stable', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const written = randomDocument(new Chance(seed));
    const { value, document } = throughMarkdown(written);
    document.check();
    expect(contentOf(document), `document ${seed}:\n${value}`).toEqual(contentOf(written));
    const again = throughMarkdown(document);
    expect(throughMarkdown(again.document).value, `document ${seed}`).toBe(again.value);
  }
});

it('an image that is a link keeps the link', () => {
  const value = '[![The heart](https://example.org/heart.png)](https://example.org/heart)';
  expect(writeMarkdown(readDocument({ value, format: 'markdown' })).trim()).toBe(
    '[The heart](https://example.org/heart)',
  );
});

const EDITS: readonly Command[] = [
  ...Object.values(COMMANDS),
  ...(['strong', 'em', 'sup', 'sub', 'code'] as const).map((name) => toggleMark(marks[name] as MarkType)),
  toggleMark(marks.passage as MarkType, { letter: 'a' }),
  setLink('https://example.org/', 'words'),
  setLink('', ''),
  setBlockStyle('paragraph'),
  ...[deleteSelection, joinBackward, joinForward, splitBlock, insertFootnote, undo, redo],
  splitListItem(nodes.list_item as NodeType),
  sinkListItem(nodes.list_item as NodeType),
  liftListItem(nodes.list_item as NodeType),
  ...[addRowAfter, addColumnAfter, deleteRow, deleteColumn],
];

/** Does to a text what somebody at the keyboard might. */
function edit(state: EditorState, chance: Chance): EditorState {
  let next = state;
  const dispatch = (tr: EditorState['tr']) => {
    next = state.apply(tr);
  };
  const anchor = chance.below(state.doc.content.size + 1);
  const head = chance.next() < 0.6 ? anchor : chance.below(state.doc.content.size + 1);
  const node = state.doc.nodeAt(anchor);
  const selection =
    chance.next() < 0.1 && node && !node.isText && NodeSelection.isSelectable(node)
      ? NodeSelection.create(state.doc, anchor)
      : TextSelection.between(state.doc.resolve(anchor), state.doc.resolve(head));
  const placed = state.tr.setSelection(selection);
  const kind = chance.next();
  if (kind < 0.35) {
    if (placed.selection.$from.parent.inlineContent) dispatch(placed.insertText(randomText(chance)));
  } else if (kind < 0.45) {
    const copied = randomDocument(chance, 1);
    dispatch(placed.replaceSelection(copied.slice(0, 1 + chance.below(copied.content.size))));
  } else if (kind < 0.5) {
    dispatch(placed.replaceSelectionWith(randomBlock(chance)));
  } else {
    const at = state.apply(placed);
    next = at;
    chance.pick(EDITS)(at, (tr) => {
      next = at.apply(tr);
    });
  }
  return next;
}

const numbers = numbering({
  footnote: (number) => `footnote ${number}`,
  footnoteText: (number) => `text of footnote ${number}`,
  reference: (number) => `reference ${number}`,
  callout: (name) => name,
});

/** Returns the numbers and labels that the editor shows, and where. */
function shown(state: EditorState) {
  return (numbers.getState(state) as DecorationSet)
    .find()
    .map(({ from, to, ...rest }) => ({ from, to, ...rest }))
    .sort((one, other) => one.from - other.from || other.to - one.to);
}

it(`${SEQUENCES} random sequences of edits leave the numbers that the text would get anew`, () => {
  const plugins = [history(), tableEditing(), numbers, integrity()];
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const chance = new Chance(seed * 104_729);
    let state = State.create({ doc: randomDocument(chance, 4), plugins });
    for (let count = 4 + chance.below(8); count > 0; count -= 1) state = edit(state, chance);
    expect(shown(state), `sequence ${seed}`).toEqual(shown(State.create({ doc: state.doc, plugins })));
  }
});

it('a call-out keeps its label in a list that it is put into together with the block behind it', () => {
  const value = ':::warning\nNot for children.\n:::\n\nOnce a day.';
  const { doc } = State.create({ doc: readDocument({ value, format: 'markdown' }) });
  let state = State.create({ doc, selection: new AllSelection(doc), plugins: [numbers] });
  expect(shown(state)).toMatchObject([{ from: 0, type: { attrs: { 'aria-label': 'warning' } } }]);
  COMMANDS.bullet?.(state, (tr) => {
    state = state.apply(tr);
  });
  expect(state.doc.child(0).childCount).toBe(2);
  expect(shown(state)).toMatchObject([{ from: 2, type: { attrs: { 'aria-label': 'warning' } } }]);
});

it('a link with words of its own takes no selected table’s place', () => {
  const value = '| Dose |\n| - |\n| 5 mg |';
  let state = State.create({ doc: readDocument({ value, format: 'markdown' }) });
  state = state.apply(state.tr.setSelection(NodeSelection.create(state.doc, 0)));
  setLink('https://example.org/', 'words')(state, (tr) => {
    state = state.apply(tr);
  });
  expect(throughMarkdown(state.doc).value).toContain('[5 mg](https://example.org/)');
});

it(`${SEQUENCES} random sequences of edits lose nothing on the way through Markdown and back`, () => {
  const plugins = [history(), tableEditing(), integrity()];
  for (let seed = 1; seed <= SEQUENCES; seed += 1) {
    const chance = new Chance(seed * 7_919);
    let state = State.create({ doc: throughMarkdown(randomDocument(chance, 2)).document, plugins });
    for (let count = 2 + chance.below(8); count > 0; count -= 1) state = edit(state, chance);
    state.doc.check();
    const { value, document } = throughMarkdown(state.doc);
    expect(contentOf(document), `sequence ${seed}:\n${value}`).toEqual(contentOf(state.doc));
    // What was read is edited on.
    const again = edit(State.create({ doc: document, plugins }), chance);
    expect(contentOf(throughMarkdown(again.doc).document), `sequence ${seed}`).toEqual(contentOf(again.doc));
  }
});

it('plain text comes out to the character, and stays plain until something is more than plain', () => {
  const chance = new Chance(11);
  for (let count = 0; count < 300; count += 1) {
    const value = chance
      .some(12, () => chance.pick(['a', ' ', '\n', '\n\n', '*', '# ', '1. ', '\t', '  ']))
      .join('');
    const document = readDocument({ value, format: 'plain' });
    expect(writeDocument(document, 'plain')).toEqual({ value, format: 'plain' });
  }
  const state = State.create({ doc: readDocument({ value: '# 5 * 3\n\nb', format: 'plain' }) });
  const emphasised = state.apply(state.tr.addMark(3, 4, (marks.em as MarkType).create()));
  expect(writeDocument(emphasised.doc, 'plain').format).toBe('markdown');
  expect(writeMarkdown(readDocument({ value: '# 5 * 3\nb', format: 'plain' }))).toBe('\\# 5 \\* 3\\\nb');
});

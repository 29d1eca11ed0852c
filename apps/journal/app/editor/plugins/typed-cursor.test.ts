import { EditorState, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { expect, test } from 'vitest';
import { schema } from '../document/schema.ts';
import { typedCursor } from './typed-cursor.ts';

const plugin = typedCursor();
const doc = schema.node('doc', null, [schema.node('paragraph', null, [schema.text('0 heart')])]);

/** Types into "0 heart", where the browser reports the cursor at a place. Returns the place of the cursor, or undefined if it is left to the editor. */
function typeText(text: string, [from, to]: [number, number], reported: number, composing = false) {
  let state = EditorState.create({ doc, plugins: [plugin] });
  const view = {
    composing,
    dispatch: (transaction) => {
      state = state.apply(transaction);
    },
  } as EditorView;
  const insert = () => {
    const transaction = state.tr.insertText(text, from, to);
    return transaction.setSelection(TextSelection.create(transaction.doc, reported));
  };
  const isHandled = plugin.props.handleTextInput?.call(plugin, view, from, to, text, insert);
  return isHandled ? { text: state.doc.textContent, cursor: state.selection.head } : undefined;
}

test('the cursor that a browser has not moved yet stands behind what is typed', () => {
  expect(typeText('S', [1, 1], 1)).toEqual({ text: 'S0 heart', cursor: 2 });
  expect(typeText('😀', [3, 3], 3)).toEqual({ text: '0 😀heart', cursor: 5 });
});

test('a cursor that has moved, a replaced text and one that is composed are left to the editor', () => {
  expect(typeText('S', [1, 1], 2)).toBeUndefined();
  expect(typeText('S', [1, 2], 1)).toBeUndefined();
  expect(typeText('S', [1, 1], 1, true)).toBeUndefined();
});

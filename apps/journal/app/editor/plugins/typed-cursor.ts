import { Plugin, TextSelection } from 'prosemirror-state';

/**
 * Keeps the cursor behind what is typed. On a busy machine, Chromium at times reports a letter that it has put in before it
 * has moved its cursor over it; ProseMirror would take the old place, and the next letters would stand in front of the first.
 */
export function typedCursor(): Plugin {
  return new Plugin({
    props: {
      handleTextInput(view, from, to, text, insert) {
        const transaction = insert();
        const { empty, head } = transaction.selection;
        if (view.composing || from !== to || !empty || head !== from) return false;
        const behind = TextSelection.create(transaction.doc, from + text.length);
        view.dispatch(transaction.setSelection(behind));
        return true;
      },
    },
  });
}

import type { Command } from 'prosemirror-state';
import { insertPicture } from '../plugins/pictures.ts';
import type { SlashQuery } from '../plugins/slash-menu.ts';
import type { EditorFieldProps } from '../text-editor-props.ts';
import { type ActionName, COMMANDS } from './actions.ts';
import type { EditorDialog } from './editor-dialogs.tsx';
import { openPictureWindow } from './open-picture-window.ts';
import type { TextViewOfField } from './use-text-view.ts';

interface EditorActions {
  /** Runs a command where the cursor is. */
  run(command: Command): void;
  /** Does what a button or the menu offers, in place of what was typed for the menu. */
  act(name: ActionName, replaced?: SlashQuery): void;
  isOffered(name: ActionName): boolean;
}

interface EditorActionsOptions extends Pick<TextViewOfField, 'text' | 'upload'> {
  props: EditorFieldProps;
  onDialog(dialog: EditorDialog): void;
}

/** Returns what the buttons and the menu of an editor do with its text. */
export function useEditorActions({ props, text, upload, onDialog }: EditorActionsOptions): EditorActions {
  const run = (command: Command) => {
    const view = text.current?.view;
    if (!view || props.readOnly) return;
    view.focus();
    command(view.state, view.dispatch, view);
  };
  const insertChosen = (chosen: File) => {
    const view = text.current?.view;
    if (view) void insertPicture(view, chosen, { upload }).then(() => text.current?.view.focus());
  };
  return {
    run,
    act(name, replaced) {
      const view = text.current?.view;
      if (!view) return;
      const { from = 0, text: typed = '' } = replaced ?? {};
      if (replaced) view.dispatch(view.state.tr.delete(from, from + 1 + typed.length));
      const command = COMMANDS[name];
      if (command) run(command);
      else if (name === 'picture') openPictureWindow(insertChosen);
      else if (name === 'link' || name === 'reference') onDialog({ name });
    },
    isOffered: (name) =>
      (name !== 'picture' || props.onImage !== undefined) &&
      (name !== 'reference' || props.onSourcesChange !== undefined),
  };
}

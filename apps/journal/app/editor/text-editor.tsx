import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react';
import { onceOnline } from '../ui/load-later.ts';
import type { Caret, EditorFieldProps, TextEditorProps } from './text-editor-props.ts';
import { WaitingArea } from './waiting-area.tsx';

export type { FormattedText, TextFormat } from './document/text-document.ts';
export type { TextEditorHandle, TextEditorProps } from './text-editor-props.ts';

let loaded: ComponentType<EditorFieldProps> | undefined;

/** Loads the editor's code. */
export async function loadEditor(): Promise<void> {
  loaded = (await import('./view/editor-field.tsx')).EditorField;
}

/**
 * Edits a text as its readers will see it. Its code loads with it: until then, a text area takes the first words, and its
 * cursor goes on in the editor.
 */
export function TextEditor(props: TextEditorProps) {
  const EditorField = useEditorField();
  const caret = useRef<Caret>(undefined);
  const takeCaret = () => {
    const taken = caret.current;
    caret.current = undefined;
    return taken;
  };
  const waiting = <WaitingArea {...props} caret={caret} />;
  return EditorField ? (
    <Suspense fallback={waiting}>
      <EditorField {...props} takeCaret={takeCaret} />
    </Suspense>
  ) : (
    waiting
  );
}

/** Returns the editor once it is loaded. React's `lazy` would show it a while later. */
function useEditorField(): ComponentType<EditorFieldProps> | undefined {
  const [field, setField] = useState(() => loaded);
  useEffect(() => {
    if (field) return;
    let isShown = true;
    void onceOnline(loadEditor).then(() => isShown && setField(() => loaded));
    return () => {
      isShown = false;
    };
  }, [field]);
  return field;
}

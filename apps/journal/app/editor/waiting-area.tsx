import { type RefObject, useLayoutEffect, useRef } from 'react';
import { TextArea } from '../ui/text-area.tsx';
import type { Caret, TextEditorProps } from './text-editor-props.ts';

interface WaitingAreaProps extends TextEditorProps {
  /** Receives what is selected when the area goes, if it has the focus then. */
  caret: RefObject<Caret | undefined>;
}

/**
 * Takes the text as it is stored, in the place of the editor, until that is loaded: on a slow phone, which has the editor after
 * three seconds, an author can write before. Above its words is the place of the editor's buttons.
 */
export function WaitingArea({ caret, value, format, onChange, ...props }: WaitingAreaProps) {
  const { id, label, hint, error, lang, limit, readOnly } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    // An area that stood here before had the focus.
    if (caret.current) {
      element.focus({ preventScroll: true });
      element.setSelectionRange(caret.current.start, caret.current.end);
    }
    caret.current = undefined;
    return () => {
      if (element.ownerDocument.activeElement !== element) return;
      caret.current = { start: element.selectionStart, end: element.selectionEnd };
    };
  }, [caret]);
  return (
    <TextArea
      {...{ id, label, hint, error, lang, limit, readOnly }}
      ref={area}
      rows={14}
      value={value}
      onChange={({ target }) => onChange({ value: target.value, format })}
      className="field-sizing-content min-h-96 px-4 pt-20 font-serif text-lg leading-relaxed"
    />
  );
}

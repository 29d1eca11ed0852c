import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { TextArea } from '../ui/text-area.tsx';
import type { Caret, TextEditorProps } from './text-editor-props.ts';

interface WaitingAreaProps extends TextEditorProps {
  /** Receives what is selected when the area goes, if it has the focus then. */
  caret: RefObject<Caret | undefined>;
}

/** The look of a text area in the place of the editor. Above its words is the place of the editor's buttons. */
export const WAITING_CLASS = 'field-sizing-content min-h-96 px-4 pt-20 font-serif text-lg leading-relaxed';

/** Takes the text as it is stored, in the place of the editor, until that is loaded. */
export function WaitingArea({ caret, value, format, onChange, takeEarlyWords, ...props }: WaitingAreaProps) {
  const { id, label, hint, error, lang, limit, readOnly } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  /** Takes over where the text was written until now: before the page's scripts were there, or in an area that stood here. */
  const takeOver = useEffectEvent((element: HTMLTextAreaElement) => {
    const early = takeEarlyWords?.();
    // The area has LF for the line breaks of the text: with others, the text stays as it is until somebody writes.
    if (early && early.value !== element.value) {
      element.value = early.value;
      onChange({ value: early.value, format });
    }
    placeCaret(element, early?.caret ?? caret.current);
    caret.current = undefined;
  });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    takeOver(element);
    return () => {
      caret.current = caretOf(element);
    };
  }, [caret]);
  return (
    <TextArea
      {...{ id, label, hint, error, lang, limit, readOnly }}
      ref={area}
      rows={14}
      value={value}
      onChange={({ target }) => onChange({ value: target.value, format })}
      className={WAITING_CLASS}
    />
  );
}

/** Returns what is selected in a text area that has the focus. */
export function caretOf(element: HTMLTextAreaElement): Caret | undefined {
  if (element.ownerDocument.activeElement !== element) return undefined;
  return { start: element.selectionStart, end: element.selectionEnd };
}

/** Puts the focus and the cursor into a text area, where another one had them. */
export function placeCaret(element: HTMLTextAreaElement, caret: Caret | undefined): void {
  if (!caret) return;
  element.focus({ preventScroll: true });
  element.setSelectionRange(caret.start, caret.end);
}

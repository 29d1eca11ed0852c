import { useEffect, useId, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CONTROL_CLASS } from '../../../ui/field.tsx';
import { SaveState } from '../../editor/save-state.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { SegmentCopy, SegmentCopyState } from './use-segment-copy.ts';

interface SegmentEditorProps {
  label: string;
  lang: string;
  copy: SegmentCopy;
  state: SegmentCopyState;
  autoFocus: boolean;
  onClose(): void;
}

/** Edits the translation of a segment with its marks as they are, and says whether the server has it. */
export function SegmentEditor({ label, lang, copy, state, autoFocus, onClose }: SegmentEditorProps) {
  const texts = useDeskMessages().translations;
  const field = useRef<HTMLTextAreaElement>(null);
  const hintId = useId();
  useEffect(() => {
    const { current } = field;
    if (!autoFocus || !current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [autoFocus]);
  return (
    <div className="grid gap-1.5">
      <textarea
        ref={field}
        aria-label={label}
        aria-describedby={hintId}
        lang={lang}
        spellCheck
        value={state.document.text}
        onChange={({ target }) => copy.change({ text: target.value })}
        className={`${CONTROL_CLASS} field-sizing-content min-h-20 resize-y font-serif text-[1.0625rem]! leading-relaxed`}
      />
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
        <SaveState status={state.status} onRetry={() => void copy.flush()} />
        <Button variant="quiet" size="small" className="-mr-3" onClick={onClose}>
          {texts.editor.done}
        </Button>
      </div>
      <p id={hintId} className="text-sm text-muted touch:sr-only">
        {texts.editor.hint}
      </p>
    </div>
  );
}

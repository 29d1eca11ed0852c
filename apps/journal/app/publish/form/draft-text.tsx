import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { DeskText } from '../../desk/editor/desk-text.tsx';
import { forgetUndoOf } from '../../editor/forget-undo.ts';
import type { Caret, TextEditorProps } from '../../editor/text-editor-props.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import { MAX_CONTENT_LENGTH, SAFE_CONTENT_LENGTH } from '../translation/translate-part.ts';

export interface DraftTextProps extends Pick<TextEditorProps, 'error' | 'readOnly' | 'ref'> {
  id: string;
  authorId: string;
  draft: DraftState;
}

/** Edits the text of a new post: in a text area until the editor of the desk is there, and then in that. */
export function DraftText({ id, authorId, draft, readOnly, error, ref }: DraftTextProps) {
  const { m, language } = useLanguage();
  const { contentField } = m.publish;
  const caret = useRef<Caret>(undefined);
  const undoKey = `${authorId}:new:${draft.store.id}`;
  const round = useRounds(draft.isEmpty, undoKey);
  const safeLength = new Intl.NumberFormat(language).format(SAFE_CONTENT_LENGTH);
  const isLong = draft.content.length > SAFE_CONTENT_LENGTH;
  const field = { id, readOnly, error, hint: isLong ? contentField.long(safeLength) : contentField.hint };
  return (
    <DeskText
      {...field}
      key={round}
      ref={ref}
      lang={draft.details.language ?? undefined}
      text={draft}
      undoKey={undoKey}
      onChange={draft.setTexts}
      waiting={<WaitingArea {...field} draft={draft} caret={caret} />}
      takeCaret={() => {
        const taken = caret.current;
        caret.current = undefined;
        return taken;
      }}
    />
  );
}

/** Counts how often a draft was emptied. What was typed before that cannot be taken back in the next one. */
function useRounds(isEmpty: boolean, undoKey: string): number {
  const [{ wasEmpty, round }, setRound] = useState({ wasEmpty: isEmpty, round: 0 });
  if (isEmpty !== wasEmpty) setRound({ wasEmpty: isEmpty, round: isEmpty ? round + 1 : round });
  useEffect(() => {
    if (isEmpty) forgetUndoOf(undoKey);
  }, [isEmpty, undoKey]);
  return round;
}

interface WaitingAreaProps extends Pick<DraftTextProps, 'id' | 'draft' | 'readOnly' | 'error'> {
  hint: string;
  /** Receives what is selected when the area goes, if it has the focus then. */
  caret: RefObject<Caret | undefined>;
}

function WaitingArea({ draft, caret, ...field }: WaitingAreaProps) {
  const { contentField } = useLanguage().m.publish;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = area.current;
    return () => {
      if (!element || element.ownerDocument.activeElement !== element) return;
      caret.current = { start: element.selectionStart, end: element.selectionEnd };
    };
  }, [caret]);
  return (
    <TextArea
      {...field}
      ref={area}
      label={contentField.label}
      rows={14}
      limit={MAX_CONTENT_LENGTH}
      value={draft.content}
      onChange={(event) => draft.setTexts({ content: event.target.value })}
      className="font-serif text-lg"
    />
  );
}

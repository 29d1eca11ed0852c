import { useEffect, useState } from 'react';
import { DeskText } from '../../desk/editor/desk-text.tsx';
import { forgetUndoOf } from '../../editor/forget-undo.ts';
import type { TextEditorProps } from '../../editor/text-editor-props.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import { SAFE_CONTENT_LENGTH } from '../translation/translate-part.ts';

export interface DraftTextProps extends Pick<TextEditorProps, 'error' | 'readOnly' | 'ref'> {
  id: string;
  authorId: string;
  draft: DraftState;
  /** Whether a model proposes descriptions of pictures here. */
  canDescribe: boolean;
}

/** Edits the text of a new post. */
export function DraftText({ id, authorId, draft, canDescribe, readOnly, error, ref }: DraftTextProps) {
  const { m, language } = useLanguage();
  const { contentField } = m.publish;
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
      canDescribe={canDescribe}
      undoKey={undoKey}
      onChange={draft.setTexts}
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

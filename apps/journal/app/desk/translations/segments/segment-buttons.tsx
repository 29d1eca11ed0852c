import { Check, MessageSquare } from 'lucide-react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { useHasModel } from '../../../site/site.ts';
import { Button } from '../../../ui/button.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { KeyCommand } from '../page/keys.ts';
import { needsReason } from '../segment-states.ts';
import type { SegmentActions } from './use-segment-actions.ts';

interface SegmentButtonsProps {
  segment: TranslatedSegment;
  /** Names the segment, for the buttons of the others. */
  label: string;
  text: string;
  isCurrent: boolean;
  isEditing: boolean;
  mayReview: boolean;
  busy: SegmentActions['busy'];
  onCommand(command: KeyCommand): void;
}

/** Offers what can be done with a segment. The segments that are not being read show how to edit them, and nothing else. */
export function SegmentButtons(props: SegmentButtonsProps) {
  const { segment, label, text, isCurrent, isEditing, mayReview, busy, onCommand } = props;
  const texts = useDeskMessages().translations;
  const { actions } = texts;
  const hasModel = useHasModel();
  const { blocked, state, proposal, comments } = segment;
  if (!isCurrent && !isEditing) {
    return (
      <div className="-ml-3 flex flex-wrap items-center">
        <Button
          variant="quiet"
          size="small"
          className="text-muted!"
          aria-label={`${actions.edit}: ${label}`}
          // The focus would make this the current segment, whose buttons stand elsewhere, before the press is over.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onCommand('edit')}
        >
          {actions.edit}
        </Button>
        {comments > 0 && <CommentCount comments={comments} />}
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {mayReview && (state !== 'reviewed' || isEditing) && text !== '' && !needsReason(segment) && (
        <Button size="small" disabled={busy !== undefined} onClick={() => onCommand('accept')}>
          <Check aria-hidden="true" className="size-4" />
          {actions.accept}
        </Button>
      )}
      {proposal !== null && proposal !== text && (
        <Button
          variant="outline"
          size="small"
          busy={busy === 'take-proposal'}
          onClick={() => onCommand('take')}
        >
          {actions.take}
        </Button>
      )}
      {!isEditing && (
        <Button variant="outline" size="small" onClick={() => onCommand('edit')}>
          {blocked ? actions.correct : actions.edit}
        </Button>
      )}
      {hasModel && (
        <Button variant="outline" size="small" busy={busy === 'ask'} onClick={() => onCommand('ask')}>
          {busy === 'ask' ? actions.asking : actions.ask}
        </Button>
      )}
      {blocked && mayReview && (
        <Button variant="outline" size="small" onClick={() => onCommand('overrule')}>
          {actions.overrule}
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => onCommand('history')}>
        {actions.history}
      </Button>
      <Button variant="quiet" size="small" onClick={() => onCommand('comments')}>
        {comments > 0 ? <CommentCount comments={comments} /> : actions.comment}
      </Button>
    </div>
  );
}

function CommentCount({ comments }: { comments: number }) {
  const texts = useDeskMessages().translations;
  return (
    <span className="inline-flex items-center gap-1.5 text-sm">
      <MessageSquare aria-hidden="true" className="size-4" />
      {texts.comments.count(comments)}
    </span>
  );
}

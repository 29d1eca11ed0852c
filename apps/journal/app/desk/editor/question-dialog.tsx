import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { DeskPost } from '../desk-client.ts';
import { useDeskMessages } from '../use-desk.ts';
import type { DeskActions } from './use-desk-actions.ts';

/** Names an action that is done only after its author has confirmed it. */
export type Question = 'unpublish' | 'discard' | 'delete';

export interface QuestionDialogProps {
  asked: Question | undefined;
  post: DeskPost;
  actions: DeskActions;
  /** Called when the question is answered, and what was confirmed is done. */
  onAnswer(): void;
}

/** Asks for confirmation before it unpublishes, discards or deletes a post, and then does so. */
export function QuestionDialog({ asked, post, actions, onAnswer }: QuestionDialogProps) {
  const { editor: texts } = useDeskMessages();
  const question = asked && describe(asked, post, texts);
  const confirm = async () => {
    if (asked === 'unpublish') await actions.unpublish();
    if (asked === 'discard') await actions.discard();
    if (asked === 'delete') await actions.remove();
    onAnswer();
  };
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={question?.title ?? ''}
      description={question?.text ?? ''}
      cancel={texts.cancel}
      confirm={question?.confirm}
      isHarmless={asked === 'unpublish'}
      busy={actions.busy !== undefined}
      onConfirm={() => void confirm()}
      onCancel={onAnswer}
    />
  );
}

function describe(question: Question, post: DeskPost, texts: ReturnType<typeof useDeskMessages>['editor']) {
  if (question === 'discard') {
    const { discard } = texts;
    return post.publishedDocument
      ? { title: discard.changesTitle, text: discard.changesText, confirm: discard.changes }
      : { title: discard.draftTitle, text: discard.draftText, confirm: discard.draft };
  }
  const { title, text, action } = texts[question];
  return { title, text, confirm: action };
}

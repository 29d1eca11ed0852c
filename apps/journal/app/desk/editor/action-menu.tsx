import { Link } from 'react-router';
import type { DeskPost } from '../desk-client.ts';
import { MENU_ITEM, MoreMenu, MoreMenuItem } from '../more-menu.tsx';
import { useDeskMessages } from '../use-desk.ts';
import type { Question } from './question-dialog.tsx';
import type { DeskActions } from './use-desk-actions.ts';

export type DeskPanel = 'preview' | 'history' | 'schedule';

export interface ActionMenuProps {
  post: DeskPost;
  /** Whether the working copy differs from what readers see. */
  changed: boolean;
  actions: DeskActions;
  onOpen(panel: DeskPanel): void;
  /** Asks before something is done. */
  onAsk(question: Question): void;
}

/** Renders the menu of what is rare or final, as far as it can be done with the post as it is. */
export function ActionMenu({ post, changed, actions, onOpen, onAsk }: ActionMenuProps) {
  const { editor: texts, schedule } = useDeskMessages();
  const { state, can, publishedDocument } = post;
  const isLive = state === 'published';
  const canDiscard = can.edit && (publishedDocument ? changed : can.delete);
  const item = (isOffered: boolean, words: string, act: () => void, className?: string) =>
    isOffered && (
      <MoreMenuItem onChoose={act} className={className}>
        {words}
      </MoreMenuItem>
    );
  return (
    <MoreMenu size="small" className="min-w-56">
      {isLive && (
        <Link to={`/post/${post.id}`} className={MENU_ITEM}>
          {texts.view}
        </Link>
      )}
      {item(
        can.publish && (!isLive || changed),
        state === 'scheduled' ? schedule.change : schedule.action,
        () => onOpen('schedule'),
      )}
      {item(can.publish && state === 'scheduled', schedule.cancel, () => void actions.unschedule())}
      {item(can.publish && isLive, texts.unpublish.action, () => onAsk('unpublish'))}
      {item(canDiscard, publishedDocument ? texts.discard.changes : texts.discard.draft, () =>
        onAsk('discard'),
      )}
      {item(
        can.delete && publishedDocument !== null,
        texts.delete.action,
        () => onAsk('delete'),
        'text-accent',
      )}
    </MoreMenu>
  );
}

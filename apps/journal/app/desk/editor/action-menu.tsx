import { Ellipsis } from 'lucide-react';
import { useId, useRef } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import type { DeskPost } from '../desk-client.ts';
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

const ITEM =
  'flex min-h-11 w-full items-center px-4 text-left text-[0.9375rem] transition-colors hover:text-accent disabled:opacity-45';

/** Renders the menu of what is rare or final, as far as it can be done with the post as it is. */
export function ActionMenu({ post, changed, actions, onOpen, onAsk }: ActionMenuProps) {
  const { editor: texts, schedule } = useDeskMessages();
  const id = useId();
  const anchor = `--desk${id.replace(/\W/g, '')}`;
  const menu = useRef<HTMLDivElement>(null);
  const { state, can, publishedDocument } = post;
  const isLive = state === 'published';
  const canDiscard = can.edit && (publishedDocument ? changed : can.delete);
  const item = (isOffered: boolean, words: string, act: () => void, className = '') =>
    isOffered && (
      <button
        type="button"
        className={`${ITEM} ${className}`}
        onClick={() => {
          menu.current?.hidePopover();
          act();
        }}
      >
        {words}
      </button>
    );
  return (
    <>
      <Button
        variant="outline"
        size="small"
        aria-label={texts.more}
        title={texts.more}
        popoverTarget={id}
        style={{ anchorName: anchor }}
        className="px-2.5!"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        style={{ positionAnchor: anchor }}
        className="anchored-menu min-w-56 py-1.5"
      >
        {isLive && (
          <Link to={`/post/${post.id}`} className={ITEM}>
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
      </div>
    </>
  );
}

import { Ellipsis, Eye, History } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { DeskPost } from '../desk-client.ts';
import { useDeskMessages } from '../use-desk.ts';
import type { DeskActions } from './use-desk-actions.ts';

export type DeskPanel = 'preview' | 'history' | 'schedule';

export interface DeskActionBarProps {
  post: DeskPost;
  /** Whether the working copy differs from what readers see. */
  changed: boolean;
  actions: DeskActions;
  onOpen(panel: DeskPanel): void;
  /** Publishes, after what must be asked before. */
  onPublish(): void;
}

type Question = 'unpublish' | 'discard' | 'delete';

const MENU_ITEM =
  'flex min-h-11 w-full items-center px-4 text-left text-[0.9375rem] transition-colors hover:text-accent disabled:opacity-45';

/** Renders what can be done with a post. What is rare or final is in a menu. */
export function DeskActionBar({ post, changed, actions, onOpen, onPublish }: DeskActionBarProps) {
  const { editor: texts, preview, history, schedule } = useDeskMessages();
  const [asked, setAsked] = useState<Question>();
  const menuId = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { state, can } = post;
  const { busy } = actions;
  const isLive = state === 'published';
  const canDiscard = post.publishedDocument ? changed : can.delete;
  const question = asked && describe(asked, post, texts);
  const choose = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };
  const confirm = async () => {
    if (asked === 'unpublish') await actions.unpublish();
    if (asked === 'discard') await actions.discard();
    if (asked === 'delete') await actions.remove();
    setAsked(undefined);
  };
  const publishWords = isLive
    ? texts.publishChanges
    : state === 'scheduled'
      ? texts.publishNow
      : texts.publish;
  return (
    <div className="flex flex-1 flex-wrap items-center justify-end gap-1.5 sm:gap-3">
      <Button variant="quiet" size="small" onClick={() => onOpen('preview')}>
        <Eye aria-hidden="true" className="size-4 sm:hidden" />
        <span className="max-sm:sr-only">{preview.action}</span>
      </Button>
      <Button variant="quiet" size="small" onClick={() => onOpen('history')}>
        <History aria-hidden="true" className="size-4 sm:hidden" />
        <span className="max-sm:sr-only">{history.action}</span>
      </Button>
      <Button
        variant="outline"
        size="small"
        aria-label={texts.more}
        title={texts.more}
        popoverTarget={menuId}
        style={{ anchorName: `--${anchorOf(menuId)}` }}
        className="px-2.5!"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </Button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        style={{ positionAnchor: `--${anchorOf(menuId)}` }}
        className="anchored-menu min-w-56 py-1.5"
      >
        {isLive && (
          <Link to={`/post/${post.id}`} className={MENU_ITEM}>
            {texts.view}
          </Link>
        )}
        {can.publish && !isLive && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => onOpen('schedule'))}>
            {state === 'scheduled' ? schedule.change : schedule.action}
          </button>
        )}
        {can.publish && isLive && changed && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => onOpen('schedule'))}>
            {schedule.action}
          </button>
        )}
        {can.publish && state === 'scheduled' && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => void actions.unschedule())}>
            {schedule.cancel}
          </button>
        )}
        {can.publish && isLive && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => setAsked('unpublish'))}>
            {texts.unpublish.action}
          </button>
        )}
        {can.edit && canDiscard && (
          <button type="button" className={MENU_ITEM} onClick={choose(() => setAsked('discard'))}>
            {post.publishedDocument ? texts.discard.changes : texts.discard.draft}
          </button>
        )}
        {can.delete && post.publishedDocument && (
          <button
            type="button"
            className={`${MENU_ITEM} text-accent`}
            onClick={choose(() => setAsked('delete'))}
          >
            {texts.delete.action}
          </button>
        )}
      </div>
      {can.publish && (
        <Button
          size="small"
          busy={busy === 'publish' || busy === 'schedule'}
          disabled={busy !== undefined || (isLive && !changed)}
          title={isLive && !changed ? texts.noChanges : undefined}
          onClick={onPublish}
        >
          {busy === 'publish' ? texts.publishing : publishWords}
        </Button>
      )}
      <Dialog
        open={asked !== undefined}
        onOpenChange={(open) => open || busy || setAsked(undefined)}
        title={question?.title ?? ''}
        description={question?.text ?? ''}
        role="alertdialog"
      >
        <Button variant="outline" disabled={busy !== undefined} onClick={() => setAsked(undefined)}>
          {texts.cancel}
        </Button>
        <Button
          variant={asked === 'unpublish' ? 'primary' : 'danger'}
          busy={busy !== undefined}
          onClick={() => void confirm()}
        >
          {question?.confirm}
        </Button>
      </Dialog>
    </div>
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

/** Returns an id as part of a CSS name. */
function anchorOf(id: string): string {
  return `desk${id.replace(/\W/g, '')}`;
}

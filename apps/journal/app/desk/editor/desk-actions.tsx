import { Eye, History } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useDeskMessages } from '../use-desk.ts';
import { ActionMenu, type ActionMenuProps } from './action-menu.tsx';
import { type Question, QuestionDialog } from './question-dialog.tsx';
import type { DeskActions } from './use-desk-actions.ts';

interface DeskActionBarProps extends Omit<ActionMenuProps, 'onAsk'> {
  /** Publishes, after what must be asked before. */
  onPublish(): void;
}

/** Renders what can be done with a post. What is rare or final is in a menu. */
export function DeskActionBar({ post, changed, actions, onOpen, onPublish }: DeskActionBarProps) {
  const { preview, history } = useDeskMessages();
  const [asked, setAsked] = useState<Question>();
  return (
    <div className="flex flex-1 flex-wrap items-center justify-end max-sm:basis-full gap-1.5 sm:gap-3">
      <Button variant="quiet" size="small" onClick={() => onOpen('preview')}>
        <Eye aria-hidden="true" className="size-4 sm:hidden" />
        <span className="max-sm:sr-only">{preview.action}</span>
      </Button>
      <Button variant="quiet" size="small" onClick={() => onOpen('history')}>
        <History aria-hidden="true" className="size-4 sm:hidden" />
        <span className="max-sm:sr-only">{history.action}</span>
      </Button>
      <ActionMenu post={post} changed={changed} actions={actions} onOpen={onOpen} onAsk={setAsked} />
      {post.can.publish && (
        <PublishButton post={post} changed={changed} busy={actions.busy} onPublish={onPublish} />
      )}
      <QuestionDialog asked={asked} post={post} actions={actions} onAnswer={() => setAsked(undefined)} />
    </div>
  );
}

interface PublishButtonProps extends Pick<DeskActionBarProps, 'post' | 'changed' | 'onPublish'> {
  busy: DeskActions['busy'];
}

function PublishButton({ post: { state }, changed, busy, onPublish }: PublishButtonProps) {
  const { editor: texts } = useDeskMessages();
  const isPublished = state === 'published' && !changed;
  const whole = { published: texts.publishChanges, scheduled: texts.publishNow };
  const words =
    busy === 'publish'
      ? texts.publishing
      : state === 'published' || state === 'scheduled'
        ? whole[state]
        : texts.publish;
  return (
    <Button
      size="small"
      // A phone has room for one word, and the state says the rest.
      aria-label={words}
      busy={busy === 'publish' || busy === 'schedule'}
      disabled={busy !== undefined || isPublished}
      title={isPublished ? texts.noChanges : undefined}
      onClick={onPublish}
    >
      <span className="max-sm:hidden">{words}</span>
      <span className="sm:hidden">{busy === 'publish' ? words : texts.publish}</span>
    </Button>
  );
}

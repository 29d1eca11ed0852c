import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { deskNoticeText, showFailure } from '../notices.tsx';
import { useDesk, useDeskMessages } from '../use-desk.ts';

interface BulkActionsProps {
  /** The ids of the selected posts. */
  selected: readonly string[];
  onClear(): void;
  /** Called with the posts that something was done with. Those that failed stay selected. */
  onDone(ids: readonly string[]): void;
}

type Action = 'unpublish' | 'delete';

/** Offers to unpublish or to delete the selected posts, after a confirmation. */
export function BulkActions({ selected, onClear, onDone }: BulkActionsProps) {
  const texts = useDeskMessages().posts;
  const desk = useDesk();
  const [asked, setAsked] = useState<Action>();
  const { busy: doing, run } = useBusy<Action>((error) => {
    showFailure(error);
    // Of many posts, some may be done.
    onDone([]);
  });
  const busy = doing !== undefined;

  const act = async (action: Action) => {
    await run(action, async () => {
      const results = await (action === 'delete' ? desk.remove(selected) : desk.unpublishAll(selected));
      const done = results.filter(({ error }) => error === null).map(({ id }) => id);
      const left = results.length - done.length;
      if (done.length > 0) toast.success(deskNoticeText(({ posts }) => posts[action].done(done.length)));
      if (left > 0) toast.error(deskNoticeText(({ posts }) => posts.partly(left)));
      onDone(done);
    });
    setAsked(undefined);
  };
  return (
    <section
      aria-label={texts.selected(selected.length)}
      className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-hairline bg-paper px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:mx-0 sm:px-0"
    >
      <p role="status" className="mr-auto font-medium tabular-nums">
        {texts.selected(selected.length)}
      </p>
      <Button variant="quiet" size="small" onClick={onClear}>
        {texts.unselect}
      </Button>
      <Button variant="outline" size="small" onClick={() => setAsked('unpublish')}>
        {texts.unpublish.action}
      </Button>
      <Button variant="danger" size="small" onClick={() => setAsked('delete')}>
        {texts.delete.action}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked ? texts[asked].title(selected.length) : ''}
        description={asked ? texts[asked].text(selected.length) : ''}
        cancel={texts.cancel}
        confirm={busy ? texts.working : asked && texts[asked].action}
        isHarmless={asked !== 'delete'}
        busy={busy}
        onConfirm={() => asked && void act(asked)}
        onCancel={() => setAsked(undefined)}
      />
    </section>
  );
}

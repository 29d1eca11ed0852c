import { useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { DraftState } from '../draft/use-draft.ts';

export interface DraftNoteProps {
  draft: Pick<DraftState, 'interrupted' | 'checkpoint'>;
  /** Called once the author has confirmed it. The note is removed then, so the focus must be moved. */
  onDiscard(): void;
}

/** Says that an earlier draft is back, and what is known of a publish that was broken off. Offers to discard the draft. */
export function DraftNote({ draft: { interrupted, checkpoint }, onDiscard }: DraftNoteProps) {
  const { m } = useLanguage();
  const texts = m.publish;
  const [asking, setAsking] = useState(false);
  const discard = () => {
    setAsking(false);
    onDiscard();
  };
  // The post's id is stored before the post is sent.
  const interruption = checkpoint.postId === undefined ? texts.interrupted.before : texts.interrupted.during;
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-y py-1.5 text-[0.9375rem] ${interrupted ? 'border-accent' : 'border-hairline'}`}
    >
      <p role={interrupted ? 'alert' : undefined} className={interrupted ? 'text-ink' : 'text-muted'}>
        {interrupted ? interruption : texts.draftRestored}
      </p>
      <Button variant="quiet" size="small" onClick={() => setAsking(true)} className="-mx-3">
        {texts.discardDraft}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={texts.discardDraft}
        description={texts.confirmDiscard}
        role="alertdialog"
      >
        <Button variant="outline" onClick={() => setAsking(false)}>
          {texts.keepDraft}
        </Button>
        <Button variant="danger" onClick={discard}>
          {texts.discardDraft}
        </Button>
      </Dialog>
    </div>
  );
}

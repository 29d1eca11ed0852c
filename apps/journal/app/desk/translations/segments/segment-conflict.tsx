import { useEffect, useRef } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { WordDifference } from '../../history/word-difference.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import type { SegmentCopy, SegmentCopyState } from './use-segment-copy.ts';

export interface SegmentConflictProps {
  name: TranslationName;
  segment: TranslatedSegment;
  copy: SegmentCopy;
  state: SegmentCopyState;
  onSegment(segment: TranslatedSegment): void;
  onClose(): void;
}

/**
 * Shows what two people wrote in one segment, and has the second one choose. What is given up is in the segment's history:
 * the other version already, and the own one because it is saved before the other comes back.
 */
export function SegmentConflict({ name, segment, copy, state, onSegment, onClose }: SegmentConflictProps) {
  const messages = useDeskMessages();
  const texts = messages.translations.conflict;
  const client = useTranslations();
  const { isBusy: busy, attempt } = useAttempt();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { status } = state;
  if (status.name !== 'stale') return null;
  const { theirs } = status;
  const mine = state.document;

  const settle = async (takesTheirs: boolean) => {
    await attempt(async () => {
      if (!(await copy.resolve(mine, theirs))) return;
      if (takesTheirs) {
        const { version } = copy.getState().base;
        const action = { name: 'restore', version: theirs.version } as const;
        const restored = await client.act(name, { id: segment.id, version }, action);
        copy.adopt({ version: restored.version, document: { text: restored.text } });
        onSegment(restored);
      }
      toast.success(texts.kept);
      onClose();
    });
  };
  return (
    <section aria-label={texts.title} className="grid gap-3 border border-field p-4">
      <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
        {texts.title}
      </h3>
      <p role="alert" className="text-[0.9375rem] text-muted">
        {texts.text(theirs.updatedBy?.name ?? messages.conflict.somebody)}
      </p>
      <h4 className="small-caps-label text-muted">{messages.conflict.mine}</h4>
      <WordDifference before={theirs.document.text} after={mine.text} side="after" lang={name.language} />
      <h4 className="small-caps-label text-muted">{messages.conflict.theirs}</h4>
      <WordDifference before={theirs.document.text} after={mine.text} side="before" lang={name.language} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={busy} onClick={() => void settle(false)}>
          {messages.conflict.keepMine}
        </Button>
        <Button variant="outline" size="small" busy={busy} onClick={() => void settle(true)}>
          {messages.conflict.takeTheirs}
        </Button>
      </div>
    </section>
  );
}

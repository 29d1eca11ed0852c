import { useEffect, useRef } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { useOpenParts, WordDifference } from '../../history/word-difference.tsx';
import { deskNoticeText, showFailure, showUnsaved } from '../../notices.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import { currentOf, type SegmentCopy, type SegmentCopyState } from './use-segment-copy.ts';

interface SegmentConflictProps {
  name: TranslationName;
  segment: TranslatedSegment;
  copy: SegmentCopy;
  /** The two versions. */
  state: SegmentCopyState;
  /** Called with the two versions while one of them is being made the segment's text, and with `undefined` after that. */
  onSettling(state: SegmentCopyState | undefined): void;
  onSegment(segment: TranslatedSegment): void;
  onClose(): void;
}

/**
 * Shows what two people wrote in one segment, and has the second one choose. What is given up is in the segment's history:
 * the other version already, and the own one because it is saved before the other comes back. Both stay in sight until all
 * of that is done.
 */
export function SegmentConflict(props: SegmentConflictProps) {
  const { name, segment, copy, state, onSettling, onSegment, onClose } = props;
  const messages = useDeskMessages();
  const texts = messages.translations.conflict;
  const client = useTranslations();
  const { busy, run } = useBusy(showFailure);
  const openParts = useOpenParts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { status } = state;
  if (status.name !== 'stale') return null;
  const { theirs } = status;
  const mine = state.document;
  const difference = { ...openParts, before: theirs.document.text, after: mine.text, lang: name.language };

  const restoreTheirs = async () => {
    try {
      const { version } = copy.getState().base;
      const action = { name: 'restore', version: theirs.version } as const;
      const restored = await client.act(name, { id: segment.id, version }, action);
      copy.adopt(currentOf(restored));
      onSegment(restored);
    } catch (error) {
      copy.note(theirs);
      throw error;
    }
  };
  const settle = (takesTheirs: boolean) => {
    onSettling(state);
    return run('settle', async () => {
      try {
        if (await copy.resolve(mine, theirs)) {
          if (takesTheirs) await restoreTheirs();
          toast.success(deskNoticeText(({ translations }) => translations.conflict.kept));
          onClose();
          return;
        }
        const { status: failed } = copy.getState();
        // The own text must not be sent later, when its author has chosen the other one.
        if (takesTheirs && (failed.name === 'offline' || failed.name === 'refused')) {
          copy.note(theirs);
          showUnsaved(failed);
        }
      } finally {
        onSettling(undefined);
      }
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
      <WordDifference {...difference} side="after" />
      <h4 className="small-caps-label text-muted">{messages.conflict.theirs}</h4>
      <WordDifference {...difference} side="before" />
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={busy !== undefined} onClick={() => void settle(false)}>
          {messages.conflict.keepMine}
        </Button>
        <Button variant="outline" size="small" busy={busy !== undefined} onClick={() => void settle(true)}>
          {messages.conflict.takeTheirs}
        </Button>
      </div>
    </section>
  );
}

import type { RefObject } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { detailOf } from '../../desk-requests.ts';
import { deskNoticeText, showFailure, showReason, showUnsaved } from '../../notices.tsx';
import { needsReason } from '../segment-states.ts';
import type { SegmentAction, TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import { currentOf, type SegmentCopy } from './use-segment-copy.ts';

interface UseSegmentActionsOptions {
  name: TranslationName;
  segment: TranslatedSegment;
  copy: SegmentCopy;
  /** The segment as the server had it last. */
  saved: RefObject<TranslatedSegment>;
  onSegment(segment: TranslatedSegment): void;
}

export interface SegmentActions {
  busy: SegmentAction['name'] | 'ask' | 'recall' | undefined;
  /** Acts on what the server has of the segment, after what is written is saved. Tells failures by a notice. */
  act(action: SegmentAction): Promise<boolean>;
  /** Has the model translate the segment once more. What a person wrote stays: the new words are a proposal beside it. */
  ask(): Promise<boolean>;
  /** Writes how the memory has the most alike segment, if it has one with other words; nothing is reviewed by that. */
  recall(): Promise<boolean>;
  /** Shows the segment as reviewed at once, so that its reviewer goes on, and takes that back if it fails. */
  accept(): Promise<boolean>;
}

/** Returns what can be done with a segment. One thing at a time is done. */
export function useSegmentActions({
  name,
  segment,
  copy,
  saved,
  onSegment,
}: UseSegmentActionsOptions): SegmentActions {
  const client = useTranslations();
  const { busy, run: runOne } = useBusy<NonNullable<SegmentActions['busy']>>(showFailure);

  /** Does one thing after what is written is saved. `before` is shown again when it fails. */
  const run = async (
    what: NonNullable<SegmentActions['busy']>,
    call: (version: number) => Promise<boolean>,
    before?: TranslatedSegment,
  ): Promise<boolean> => {
    const isDone = await runOne(what, async () => {
      try {
        const result = await copy.act(call);
        if (result !== undefined) return result;
      } catch (error) {
        const current = detailOf<TranslatedSegment>(error, 'current');
        const shown = current ?? before;
        if (shown) onSegment(shown);
        if (!current) throw error;
        showReason(({ translations }) => translations.changedMeanwhile);
        return false;
      }
      if (before) onSegment(before);
      const { status } = copy.getState();
      if (status.name === 'offline' || status.name === 'refused') showUnsaved(status);
      return false;
    });
    return isDone === true;
  };
  const act = async (action: SegmentAction, version: number) => {
    const changed = await client.act(name, { id: segment.id, version }, action);
    copy.adopt(currentOf(changed));
    onSegment(changed);
    return true;
  };
  const ask = () =>
    run('ask', async () => {
      await client.translate(name.postId, { languages: [name.language], segments: [segment.id] });
      onSegment(saved.current);
      return true;
    });
  const recall = () =>
    run('recall', async () => {
      const { text } = copy.getState().document;
      const [first] = otherMatches(await client.matches(name, segment.id), text);
      // A person who has begun to write meanwhile has the matches beside the field.
      if (copy.getState().document.text !== text) return false;
      if (!first) {
        toast.message(deskNoticeText(({ translations }) => translations.memory.none));
        return false;
      }
      copy.change({ text: first.text });
      return true;
    });
  const refuse = () => {
    toast.error(
      deskNoticeText(({ translations }) => translations.accept.refused),
      { description: deskNoticeText(({ translations }) => translations.accept.blocked) },
    );
    onSegment(saved.current);
    return false;
  };
  const accept = async () => {
    const { text } = copy.getState().document;
    if (needsReason(segment) && text === segment.text) return refuse();
    onSegment({ ...segment, text, state: 'reviewed', blocked: needsReason(segment) });
    // What was written may contradict the original as well.
    return run(
      'accept',
      async (version) =>
        needsReason(saved.current) ? refuse() : act({ name: 'accept', release: false }, version),
      segment,
    );
  };
  return { busy, act: (action) => run(action.name, (version) => act(action, version)), ask, recall, accept };
}

/** Returns the matches of the memory that say something else than what is written: the others are no help. */
export function otherMatches<Match extends { text: string }>(
  matches: readonly Match[],
  text: string,
): Match[] {
  return matches.filter((match) => match.text !== text);
}

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { TranslatedSegment } from '../../../../project/translations.ts';
import type { CurrentCopy } from '../../desk-client.ts';
import { detailOf } from '../../desk-requests.ts';
import { WorkingCopy, type WorkingCopyState } from '../../saving/working-copy.ts';
import type { TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';

/** Holds what a person writes in one segment. */
interface SegmentText {
  text: string;
}

export type SegmentCopy = WorkingCopy<SegmentText>;
export type SegmentCopyState = WorkingCopyState<SegmentText>;

interface UseSegmentCopyOptions {
  userId: string;
  name: TranslationName;
  segment: TranslatedSegment;
  /** Called with the segment as the server has it after a save. */
  onSaved(segment: TranslatedSegment): void;
}

/**
 * Returns what is written in a segment, which is saved a second after the last key, kept in the browser without a
 * connection, and never sent over what somebody else has saved meanwhile.
 */
export function useSegmentCopy({ userId, name, segment, onSaved }: UseSegmentCopyOptions) {
  const client = useTranslations();
  const reportSaved = useEffectEvent(onSaved);
  const [copy] = useState(
    () =>
      new WorkingCopy<SegmentText>({
        authorId: userId,
        id: `${name.postId}/${name.language}/${segment.id}`,
        loaded: currentOf(segment),
        async save({ version, document }, options) {
          const saved = await client.save(name, { id: segment.id, version, text: document.text }, options);
          reportSaved(saved);
          return { version: saved.version, savedAt: Date.now() };
        },
        isSame: (one, other) => one.text === other.text,
        currentOf(error) {
          const current = detailOf<TranslatedSegment>(error, 'current');
          return current && currentOf(current);
        },
      }),
  );
  const { version, text } = segment;
  useEffect(() => copy.start(), [copy]);
  useEffect(() => copy.follow({ version, document: { text } }), [copy, version, text]);
  return { copy, state: useSyncExternalStore(copy.subscribe, copy.getState, copy.getState) };
}

/** Returns a segment as a working copy takes it from the server. */
export function currentOf({ version, text, writer }: TranslatedSegment): CurrentCopy<SegmentText> {
  const updatedBy = writer?.kind === 'person' ? { id: '', name: writer.name } : null;
  return { version, document: { text }, updatedBy, updatedAt: Date.now() };
}

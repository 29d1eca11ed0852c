import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../client/client-context.tsx';
import type { Checkpoint } from './checkpoint.ts';
import { type DraftDetails, NO_DETAILS } from './draft-details.ts';
import { type DraftStore, type DraftTexts, draftStoreOf } from './draft-store.ts';
import { EMPTY_DRAFT } from './stored-drafts.ts';

export interface DraftState extends Required<DraftTexts> {
  details: DraftDetails;
  image: File | null;
  checkpoint: Checkpoint;
  /** Whether the draft was cleared, or nothing is in it yet. */
  isEmpty: boolean;
  /** Whether an earlier draft was there when the form was opened. */
  restored: boolean;
  /** Whether the page was left while the draft was being published. */
  interrupted: boolean;
  store: DraftStore;
  setTexts(changes: Partial<DraftTexts>): void;
  setImage(image: File): void;
  /** Empties the form and deletes the stored draft. */
  discard(): void;
}

const NO_SOURCES: DraftState['sources'] = [];

/**
 * Returns a draft. Each change is stored at once and survives a reload. The form is empty once the draft is published or
 * discarded, in whichever tab. `busy` tells whether this tab is publishing it.
 */
export function useDraft(draftId: string, busy: boolean): DraftState {
  const store = draftStoreOf(useClient(), draftId);
  const draft = useSyncExternalStore(store.subscribe, store.getDraft);
  const { title, content, achieved, details = NO_DETAILS } = draft;
  const { contentFormat = 'plain', sources = NO_SOURCES } = draft;
  const [image, showImage] = useState<File | null>(null);
  const [restored, setRestored] = useState(Boolean(title || content));
  const [interrupted, setInterrupted] = useState(draft.publishing && !busy);
  const isEmpty = draft === EMPTY_DRAFT;

  useEffect(() => {
    if (!isEmpty) return;
    showImage(null);
    setRestored(false);
    setInterrupted(false);
  }, [isEmpty]);
  useEffect(() => {
    if (busy) setInterrupted(false);
  }, [busy]);

  useEffect(() => {
    let current = true;
    void store.readImage().then((stored) => {
      if (!current || !stored) return;
      showImage((chosen) => chosen ?? stored);
      setRestored(true);
    });
    return () => {
      current = false;
    };
  }, [store]);

  return {
    title,
    content,
    contentFormat,
    sources,
    details,
    checkpoint: achieved,
    image,
    isEmpty,
    restored,
    interrupted,
    store,
    setTexts: store.writeTexts,
    setImage(next) {
      showImage(next);
      void store.writeImage(next);
    },
    discard() {
      showImage(null);
      setRestored(false);
      void store.clear();
    },
  };
}

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../client/client-context.tsx';
import type { Checkpoint } from './checkpoint.ts';
import { type DraftStore, type DraftTexts, draftStoreOf, EMPTY_DRAFT } from './draft-store.ts';

export interface DraftState extends DraftTexts {
  image: File | null;
  checkpoint: Checkpoint;
  /** Whether an earlier draft was there when the form was opened. */
  restored: boolean;
  store: DraftStore;
  setTexts(changes: Partial<DraftTexts>): void;
  setImage(image: File): void;
  /** Empties the form and deletes the stored draft. */
  discard(): void;
}

/**
 * Returns the author's draft. Each change is stored at once and survives a reload. Other tabs show the same texts, and
 * an empty form once the draft is published or discarded.
 */
export function useDraft(authorId: string): DraftState {
  const store = draftStoreOf(useClient(), authorId);
  const draft = useSyncExternalStore(store.subscribe, store.getDraft);
  const { title, content, achieved } = draft;
  const [image, showImage] = useState<File | null>(null);
  const [restored, setRestored] = useState(Boolean(title || content));
  const isEmpty = draft === EMPTY_DRAFT;

  useEffect(() => {
    if (!isEmpty) return;
    showImage(null);
    setRestored(false);
  }, [isEmpty]);

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
    checkpoint: achieved,
    image,
    restored,
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

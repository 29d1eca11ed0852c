import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../../client/client-context.tsx';
import type { Achieved } from './checkpoint.ts';
import { type DraftStore, type DraftTexts, EMPTY_DRAFT } from './draft-store.ts';
import { draftStoreOf } from './draft-store-of.ts';

export interface DraftState extends DraftTexts {
  image: File | null;
  achieved: Achieved;
  /** There was something to come back to when the form was opened. */
  restored: boolean;
  store: DraftStore;
  setTexts(changes: Partial<DraftTexts>): void;
  setImage(image: File): void;
  /** Empties the form and forgets the draft. */
  discard(): void;
}

/**
 * What the author wrote and chose: each change is kept at once, and is there again after a refresh. Other tabs show the
 * same texts, and an empty form once the draft is published or thrown away.
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
    void store.readImage().then((kept) => {
      if (!current || !kept) return;
      showImage((chosen) => chosen ?? kept);
      setRestored(true);
    });
    return () => {
      current = false;
    };
  }, [store]);

  return {
    title,
    content,
    achieved,
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

import { useEffect, useMemo, useState } from 'react';
import { createDraftStore, type DraftStore, type DraftTexts } from './draft-store.ts';

export interface DraftState extends DraftTexts {
  image: File | null;
  /** There was something to come back to when the form was opened. */
  restored: boolean;
  store: DraftStore;
  setTexts(changes: Partial<DraftTexts>): void;
  setImage(image: File): void;
  /** Empties the form and forgets the draft. */
  discard(): void;
}

/** What the author wrote and chose: each change is kept at once, and is there again after a refresh. */
export function useDraft(authorId: string): DraftState {
  const store = useMemo(() => createDraftStore(authorId), [authorId]);
  const [texts, showTexts] = useState(() => store.readTexts());
  const [image, showImage] = useState<File | null>(null);
  const [restored, setRestored] = useState(Boolean(texts.title || texts.content));

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
    ...texts,
    image,
    restored,
    store,
    setTexts(changes) {
      const next = { ...texts, ...changes };
      showTexts(next);
      store.writeTexts(next);
    },
    setImage(next) {
      showImage(next);
      void store.writeImage(next);
    },
    discard() {
      showTexts({ title: '', content: '' });
      showImage(null);
      setRestored(false);
      void store.clear();
    },
  };
}

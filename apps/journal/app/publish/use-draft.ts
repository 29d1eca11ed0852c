import { useEffect, useRef, useState } from 'react';
import { type Draft, emptyDraft, keepImage, keepText, listDrafts, removeDraft } from './drafts.ts';

export interface DraftState {
  draft: Draft;
  /** The author's other drafts in this browser. */
  others: readonly Draft[];
  /** Whether the draft was here when the form was opened. */
  isRestored: boolean;
  /** Changes the draft and keeps it: its text at once, its image when this resolves. */
  change(changes: Partial<Draft>): Promise<void>;
  /** Shows another draft. */
  open(other: Draft): void;
  /** Empties the form, and removes the draft from this browser. */
  remove(): Promise<void>;
}

/** Returns the draft that an author works on, the last one that was changed in this browser; `undefined` until it is read. */
export function useDraft(authorId: string): DraftState | undefined {
  const [drafts, setDrafts] = useState<readonly Draft[]>();
  const [isRestored, setRestored] = useState(false);
  const latest = useRef<Draft>(undefined);
  const writing = useRef(Promise.resolve());
  const show = (draft: Draft, others: readonly Draft[]) => {
    latest.current = draft;
    setDrafts([draft, ...others]);
  };

  useEffect(() => {
    let isCurrent = true;
    void listDrafts(authorId).then((found) => {
      if (!isCurrent) return;
      const [last = emptyDraft(authorId), ...others] = found;
      latest.current = last;
      setRestored(found.length > 0);
      setDrafts([last, ...others]);
    });
    return () => {
      isCurrent = false;
    };
  }, [authorId]);

  const [draft, ...others] = drafts ?? [];
  if (!draft) return undefined;
  return {
    draft,
    others,
    isRestored,
    change(changes) {
      const before = latest.current ?? draft;
      const kept = keepText({ ...before, ...changes });
      show(kept, others);
      if (changes.image || kept.id !== before.id)
        writing.current = writing.current.then(() => keepImage(kept));
      return writing.current;
    },
    open(other) {
      setRestored(true);
      const rest = others.filter(({ id }) => id !== other.id);
      show(other, draft.title || draft.content || draft.image ? [...rest, latest.current ?? draft] : rest);
    },
    async remove() {
      await writing.current;
      const { id } = latest.current ?? draft;
      setRestored(false);
      show(emptyDraft(authorId), others);
      await removeDraft(id);
    },
  };
}

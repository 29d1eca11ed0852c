import { useEffect, useRef, useState } from 'react';
import { type Draft, emptyDraft, keepDraft, listDrafts, removeDraft } from './drafts.ts';

export interface DraftState {
  draft: Draft;
  /** The author's other drafts in this browser. */
  others: readonly Draft[];
  /** Whether the draft was here when the form was opened. */
  isRestored: boolean;
  /** Changes the draft and keeps it. Resolves when it is kept. */
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
      show({ ...(latest.current ?? draft), ...changes }, others);
      writing.current = writing.current.then(async () => {
        const now = latest.current ?? draft;
        const { id, at, postId } = await keepDraft(now, changes.image !== undefined);
        latest.current = { ...(latest.current ?? now), id, at, postId };
      });
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

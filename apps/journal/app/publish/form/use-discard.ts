import { noticeText } from '../../language/notice-text.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import type { ServerDraft } from '../draft/use-server-draft.ts';

/** Milliseconds for which a discarded draft can be brought back. */
const UNDO_MS = 20_000;

export interface UseDiscardOptions {
  draft: DraftState;
  server: Pick<ServerDraft, 'discard'>;
  /** Stops what works on the draft. */
  cancel(): void;
}

/** Returns a function that discards the draft here and on the server, and offers to bring it back. */
export function useDiscard({ draft, server, cancel }: UseDiscardOptions): () => void {
  return () => {
    cancel();
    server.discard();
    const { title, content, contentFormat, sources, details, image } = draft;
    draft.discard();
    const undo = () => {
      // The draft on the server is in the bin: this one is saved as another.
      draft.setTexts({ title, content, contentFormat, sources, details });
      if (image) draft.setImage(image);
    };
    toast.success(
      noticeText(({ m }) => m.publish.discarded),
      { duration: UNDO_MS, action: { label: noticeText(({ m }) => m.publish.undoDiscard), onClick: undo } },
    );
  };
}

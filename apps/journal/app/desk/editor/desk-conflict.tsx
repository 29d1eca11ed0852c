import { useAuth } from '../../client/client-context.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { ConflictView } from '../conflict/conflict-view.tsx';
import type { DeskPost } from '../desk-client.ts';
import type { DeskDocument } from '../document.ts';
import { deskNoticeText, showFailure } from '../notices.tsx';
import type { WorkingCopy, WorkingCopyState } from '../saving/working-copy.ts';
import { useDesk, useDeskMessages, useTimes } from '../use-desk.ts';

interface DeskConflictProps {
  post: DeskPost;
  copy: WorkingCopy;
  /** The copy of this page, and that of somebody else unless another program has written one. */
  state: WorkingCopyState;
  /** Called with the state while it is being settled, and with `undefined` after that. */
  onSettling(state: WorkingCopyState | undefined): void;
  onPost(post: DeskPost): void;
}

/**
 * Has the author choose between the copy of this page and one that somebody else, or another program, has written. Both stay
 * in sight until the server has what was chosen.
 */
export function DeskConflict({ post, copy, state, onSettling, onPost }: DeskConflictProps) {
  const messages = useDeskMessages();
  const texts = messages.conflict;
  const desk = useDesk();
  const times = useTimes();
  const { user } = useAuth();
  const { busy, run } = useBusy(showFailure);
  const { document: mine, base, status } = state;
  const theirs = status.name === 'stale' ? status.theirs : undefined;
  const other = theirs?.document ?? post.elsewhere?.document ?? mine;

  /** Goes on with a document; of the other one and this one, what is given up is kept in the history. */
  const settle = async (document: DeskDocument, given: DeskDocument | undefined) => {
    onSettling(state);
    await run('settle', async () => {
      try {
        if (given) await desk.keep(post.id, given);
        if (theirs) await copy.resolve(document, theirs);
        else {
          copy.change(document);
          if (!(await copy.flush())) return;
          // The author has seen what the other program made.
          const fresh = await desk.read(post.id);
          onPost({
            ...fresh,
            elsewhere: null,
            ...(post.elsewhere && { replaces: post.elsewhere.updatedAt }),
          });
        }
        if (copy.getState().status.name === 'stale')
          toast.error(deskNoticeText(({ conflict }) => conflict.stillStale));
        else if (given) toast.success(deskNoticeText(({ conflict }) => conflict.kept));
      } finally {
        onSettling(undefined);
      }
    });
  };
  const explanation = theirs
    ? texts.text(
        theirs.updatedBy?.id === user?.id ? texts.you : (theirs.updatedBy?.name ?? texts.somebody),
        times.full(theirs.updatedAt),
      )
    : texts.foreign(times.full(post.elsewhere?.updatedAt ?? post.updatedAt));
  return (
    <ConflictView
      // Another save by somebody else is another question.
      key={theirs?.version ?? post.elsewhere?.updatedAt}
      explanation={explanation}
      base={theirs ? base.document : (post.publishedDocument ?? undefined)}
      mine={mine}
      theirs={other}
      busy={busy !== undefined}
      onKeepMine={() => void settle(mine, other)}
      onTakeTheirs={() => void settle(other, mine)}
      onMerge={(document) => void settle(document, other)}
    />
  );
}

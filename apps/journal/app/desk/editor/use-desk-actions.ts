import { FabricaError } from '@fabrica/client';
import { useEffect } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { useAuth } from '../../client/client-context.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { currentCopyOf, type DeskPost, elsewhereOf, type PublishOptions } from '../desk-client.ts';
import { deskNoticeText, showFailure, showUnsaved } from '../notices.tsx';
import type { WorkingCopy } from '../saving/working-copy.ts';
import { timesIn, useDesk } from '../use-desk.ts';

type DeskAction = 'publish' | 'schedule' | 'unschedule' | 'unpublish' | 'discard' | 'delete' | 'restore';

interface DeskActionsOptions {
  post: DeskPost;
  copy: WorkingCopy;
  /** Called with the post as it is after an action. */
  onPost(post: DeskPost): void;
}

export interface DeskActions {
  /** The action that is under way. */
  busy: DeskAction | undefined;
  /** Saves what is written. Tells why it cannot, and resolves with whether the server has everything. */
  save(): Promise<boolean>;
  publish(options?: PublishOptions): Promise<boolean>;
  unschedule(): Promise<boolean>;
  unpublish(): Promise<boolean>;
  discard(): Promise<boolean>;
  remove(): Promise<boolean>;
  restore(revisionId: string): Promise<boolean>;
}

/**
 * Returns the actions on a post. Each saves what is written first, and acts on the version that the server has then. They
 * tell their outcome by notices, or ask about it on the page, and resolve with whether they succeeded.
 */
export function useDeskActions({ post, copy, onPost }: DeskActionsOptions): DeskActions {
  const desk = useDesk();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { busy, run: runOne } = useBusy<DeskAction>((error) => {
    const theirs = currentCopyOf(error);
    if (theirs) return copy.note(theirs);
    const elsewhere = elsewhereOf(error);
    if (elsewhere) return onPost({ ...post, elsewhere });
    showFailure(error);
    // It may have happened: the page shows what the server has.
    if (isLost(error)) void copy.act(refresh).catch(() => undefined);
  });
  const { id } = post;
  const { user } = useAuth();

  /** Every press that needs a saved copy shows a notice why it does nothing. Other reasons are asked about on the page. */
  const showWhyUnsaved = () => {
    const { status } = copy.getState();
    if (status.name === 'offline' || status.name === 'refused') showUnsaved(status);
  };
  const save = async () => {
    const isSaved = await copy.flush();
    if (!isSaved) showWhyUnsaved();
    return isSaved;
  };
  /** Acts on the version that the server has of the copy. */
  const run = async (action: DeskAction, act: (version: number) => Promise<void>) => {
    const isDone = await runOne(action, () => copy.act((version) => act(version).then(() => true)));
    if (!isDone) showWhyUnsaved();
    return isDone === true;
  };

  /** Shows the post as it is on the server, and asks about what was written meanwhile where the server has other words. */
  const refresh = async () => {
    const fresh = await desk.read(id);
    copy.adopt(fresh);
    onPost(fresh);
    return fresh;
  };
  const restore = (revision: string) =>
    run('restore', async (version) => {
      await desk.restore(id, revision, version);
      await refresh();
    });
  /** Offers to take the discarded changes back, and again after a press that has not done it. */
  const offerUndo = (revision: string) => showDiscarded(id, () => void undo(revision));
  const undo = async (revision: string) => {
    if (!(await restore(revision))) return offerUndo(revision);
    toast.success(deskNoticeText(({ editor }) => editor.discard.undone));
    await navigate(`/admin/posts/${id}`);
  };
  // It is of the copy that another visit to the desk has shown. The history has the changes too.
  useEffect(() => toast.dismiss(undoNotice(id)), [id]);

  return {
    busy,
    save,
    publish: (given) =>
      run(given?.at === undefined ? 'publish' : 'schedule', async (version) => {
        const wanted = { ...given, ...(post.replaces !== undefined && { replaces: post.replaces }) };
        await publishOnce(() => desk.publish(id, version, wanted), {
          isDone: async () => {
            const { state, changed } = await desk.read(id);
            return wanted.at === undefined ? state === 'published' && !changed : state === 'scheduled';
          },
        });
        const { state, scheduledAt, timeZone } = await refresh();
        toast.success(
          state === 'scheduled' && scheduledAt !== null
            ? deskNoticeText(({ schedule }, language) =>
                schedule.done(timesIn(language).zoned(scheduledAt, timeZone)),
              )
            : deskNoticeText(({ editor }) => editor.published),
        );
        void revalidate();
      }),
    unschedule: () =>
      run('unschedule', async (version) => {
        await desk.unschedule(id, version);
        await refresh();
        toast.success(deskNoticeText(({ schedule }) => schedule.cancelled));
      }),
    unpublish: () =>
      run('unpublish', async (version) => {
        await desk.unpublish(id, version);
        await refresh();
        toast.success(deskNoticeText(({ editor }) => editor.unpublish.done));
      }),
    discard: async () => {
      let kept: string | undefined;
      const isDone = await run('discard', async (version) => {
        const discarded = await desk.discard(id, version);
        kept = discarded.undo;
        const by = { updatedBy: user && { id: user.id, name: null }, updatedAt: Date.now() };
        const document = discarded.document ?? copy.getState().document;
        copy.adopt({ ...by, document, version: discarded.version });
        if (post.publishedDocument) await refresh();
        else await navigate('/admin/posts');
      });
      // Nothing is under way any more that would have a press do nothing.
      if (kept !== undefined) offerUndo(kept);
      return isDone;
    },
    remove: () =>
      run('delete', async () => {
        const [result] = await desk.remove([id]);
        if (result?.error) throw new FabricaError('FORBIDDEN', result.error.message, { status: 403 });
        toast.success(deskNoticeText(({ editor }) => editor.delete.done));
        await navigate('/admin/posts');
      }),
    restore: async (revisionId) => {
      const isDone = await restore(revisionId);
      if (isDone) toast.success(deskNoticeText(({ history }) => history.restored));
      return isDone;
    },
  };
}

/** Milliseconds for which something can be undone by its notice. */
const UNDO_MS = 20_000;

function undoNotice(postId: string): string {
  return `undo-${postId}`;
}

function showDiscarded(postId: string, onUndo: () => void): void {
  const label = deskNoticeText(({ editor }) => editor.discard.undo);
  toast.success(
    deskNoticeText(({ editor }) => editor.discard.done),
    { id: undoNotice(postId), duration: UNDO_MS, action: { label, onClick: onUndo } },
  );
}

/** Returns whether nothing came back: what was asked for may have happened. */
function isLost(error: unknown): boolean {
  return error instanceof FabricaError && error.code === 'NETWORK_ERROR';
}

/** Publishes. A publication whose response was lost may have happened, so it is not sent again before that is known. */
async function publishOnce(
  publish: () => Promise<unknown>,
  { isDone }: { isDone: () => Promise<boolean> },
): Promise<void> {
  try {
    await publish();
  } catch (error) {
    if (!isLost(error) || !(await isDone().catch(() => false))) throw error;
  }
}

import { FabricaError } from '@fabrica/client';
import { useNavigate, useRevalidator } from 'react-router';
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
  });
  const { id } = post;

  /** Every press that needs a saved copy shows a notice why it does nothing. Other reasons are asked about on the page. */
  const save = async () => {
    if (await copy.flush()) return true;
    const { status } = copy.getState();
    if (status.name === 'offline' || status.name === 'refused') showUnsaved(status);
    return false;
  };
  /** Acts on the version that the server has of the copy. */
  const run = async (action: DeskAction, act: (version: number) => Promise<void>) => {
    const isDone = await runOne(action, async () => {
      if (!(await save())) return false;
      await act(copy.getState().base.version);
      return true;
    });
    return isDone === true;
  };

  /** Shows the post as it is on the server, unless the author has written on meanwhile. */
  const refresh = async (replaces: boolean) => {
    const fresh = await desk.read(id);
    if (replaces) copy.replace(fresh);
    else copy.adopt(fresh);
    onPost(fresh);
    return fresh;
  };
  const undo = (revision: string) => async () => {
    const restored = await run('restore', async (version) => {
      await desk.restore(id, revision, version);
      await refresh(true);
    });
    if (!restored) return;
    toast.success(deskNoticeText(({ editor }) => editor.discard.undone));
    await navigate(`/admin/posts/${id}`);
  };

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
        const { state, scheduledAt, timeZone } = await refresh(false);
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
        await refresh(false);
        toast.success(deskNoticeText(({ schedule }) => schedule.cancelled));
      }),
    unpublish: () =>
      run('unpublish', async (version) => {
        await desk.unpublish(id, version);
        await refresh(false);
        toast.success(deskNoticeText(({ editor }) => editor.unpublish.done));
      }),
    discard: () =>
      run('discard', async (version) => {
        const discarded = await desk.discard(id, version);
        const action = discarded.undo && {
          label: deskNoticeText(({ editor }) => editor.discard.undo),
          onClick: () => void undo(discarded.undo ?? '')(),
        };
        copy.adopt({ version: discarded.version, document: copy.getState().document });
        try {
          if (post.publishedDocument) await refresh(true);
          else await navigate('/admin/posts');
        } finally {
          // Nothing is under way any more that would have a press do nothing.
          toast.success(
            deskNoticeText(({ editor }) => editor.discard.done),
            { duration: UNDO_MS, ...(action && { action }) },
          );
        }
      }),
    remove: () =>
      run('delete', async () => {
        const [result] = await desk.remove([id]);
        if (result?.error) throw new FabricaError('FORBIDDEN', result.error.message, { status: 403 });
        toast.success(deskNoticeText(({ editor }) => editor.delete.done));
        await navigate('/admin/posts');
      }),
    restore: (revisionId) =>
      run('restore', async (version) => {
        await desk.restore(id, revisionId, version);
        await refresh(true);
        toast.success(deskNoticeText(({ history }) => history.restored));
      }),
  };
}

/** Milliseconds for which something can be undone by its notice. */
const UNDO_MS = 20_000;

/** Publishes. A publication whose response was lost may have happened, so it is not sent again before that is known. */
async function publishOnce(
  publish: () => Promise<unknown>,
  { isDone }: { isDone: () => Promise<boolean> },
): Promise<void> {
  try {
    await publish();
  } catch (error) {
    const isUnknown = error instanceof FabricaError && error.code === 'NETWORK_ERROR';
    if (!isUnknown || !(await isDone().catch(() => false))) throw error;
  }
}

import { FabricaError } from '@fabrica/client';
import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '../../ui/toasts.tsx';
import type { PublishOptions } from '../desk-client.ts';
import { deskNoticeText } from '../notices.tsx';
import { timesIn, useDesk } from '../use-desk.ts';
import { type ActionRunner, type ActionRunnerOptions, useActionRunner } from './use-action-runner.ts';

export interface DeskActions extends Pick<ActionRunner, 'busy' | 'save'> {
  publish(options?: PublishOptions): Promise<boolean>;
  unschedule(): Promise<boolean>;
  unpublish(): Promise<boolean>;
  discard(): Promise<boolean>;
  remove(): Promise<boolean>;
  restore(revisionId: string): Promise<boolean>;
}

/**
 * Returns the actions on a post. Each saves what is written first, and acts on the version that the server has then. They
 * tell their outcome by notices and resolve with whether they succeeded.
 */
export function useDeskActions(options: ActionRunnerOptions): DeskActions {
  const { post, copy, onPost } = options;
  const desk = useDesk();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { busy, save, run } = useActionRunner(options);
  const { id } = post;

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
        toast.success(
          deskNoticeText(({ editor }) => editor.discard.done),
          { duration: UNDO_MS, ...(action && { action }) },
        );
        if (post.publishedDocument) await refresh(true);
        else await navigate('/admin/posts');
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

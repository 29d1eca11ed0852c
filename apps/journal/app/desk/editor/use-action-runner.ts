import { useBusy } from '../../ui/use-busy.ts';
import { currentCopyOf, type DeskPost, elsewhereOf } from '../desk-client.ts';
import { showFailure, showUnsaved } from '../notices.tsx';
import type { WorkingCopy } from '../saving/working-copy.ts';

export type DeskAction =
  | 'publish'
  | 'schedule'
  | 'unschedule'
  | 'unpublish'
  | 'discard'
  | 'delete'
  | 'restore';

export interface ActionRunnerOptions {
  post: DeskPost;
  copy: WorkingCopy;
  /** Called with the post as it is after an action. */
  onPost(post: DeskPost): void;
}

export interface ActionRunner {
  /** The action that is under way. */
  busy: DeskAction | undefined;
  /** Saves what is written. Tells why it cannot, and resolves with whether the server has everything. */
  save(): Promise<boolean>;
  /** Runs one action at a time on the version that the server has of the copy. Resolves with whether it succeeded. */
  run(action: DeskAction, act: (version: number) => Promise<void>): Promise<boolean>;
}

/** Runs actions on a post: each saves what is written first. What fails is shown in a notice, or asked about on the page. */
export function useActionRunner({ post, copy, onPost }: ActionRunnerOptions): ActionRunner {
  const fail = (error: unknown) => {
    const theirs = currentCopyOf(error);
    if (theirs) return copy.note(theirs);
    const elsewhere = elsewhereOf(error);
    if (elsewhere) return onPost({ ...post, elsewhere });
    showFailure(error);
  };
  /** Every press that needs a saved copy shows a notice why it does nothing. Other reasons are asked about on the page. */
  const save = async (): Promise<boolean> => {
    if (await copy.flush()) return true;
    const { status } = copy.getState();
    if (status.name === 'offline' || status.name === 'refused') showUnsaved(status);
    return false;
  };
  const { busy, run } = useBusy<DeskAction>(fail);
  return {
    busy,
    save,
    run: async (action, act) => {
      const isDone = await run(action, async () => {
        if (!(await save())) return false;
        await act(copy.getState().base.version);
        return true;
      });
      return isDone === true;
    },
  };
}

import { type Dispatch, type RefObject, type SetStateAction, useRef } from 'react';
import type { DisplayedComment } from '../../../project/entities.ts';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { useRefresher } from '../../live/use-refresher.ts';
import { type CommentListState, mergeNewest, updateComments } from './comment-list.ts';
import { type CommentsPage, countComments, loadComments, loadCommentsById } from './load-comments.ts';

/** Records the changes by this reader that responses to earlier requests do not contain. */
export interface OwnChanges {
  /** Number of changes so far. */
  count: number;
  /** Ids of the comments that this reader or others deleted. */
  deleted: Set<string>;
}

interface CommentRefresherOptions {
  postId: string;
  /** Whether comments are shown; until then only their number is refreshed. */
  isShown: boolean;
  list: CommentListState;
  setList: Dispatch<SetStateAction<CommentListState>>;
  /** Resolves when the page of comments that was requested last is shown. */
  loading: RefObject<Promise<void>>;
  /** Tells when the list that is shown was requested. */
  requestedAt: RefObject<number>;
  own: RefObject<OwnChanges>;
}

interface CommentRefresher {
  /** Fetches the newest comments. */
  refreshNewest(): void;
  /** Fetches one comment and its likes. */
  refreshComment(id: string): void;
  /** Fetches the newest comments and all that are shown, unless they were requested after `missedUntil`. */
  refreshAll(missedUntil: number): void;
}

/** Collects what a refresh must fetch. */
interface PendingRefresh {
  newest: boolean;
  /** Until when changes to any comment may have been missed. */
  missedUntil: number;
  ids: Set<string>;
}

const nothingPending = (): PendingRefresh => ({
  newest: false,
  missedUntil: Number.NEGATIVE_INFINITY,
  ids: new Set(),
});

/** Returns functions that bring comments up to date. Requests that come together share one fetch. */
export function useCommentRefresher({
  postId,
  isShown,
  list,
  setList,
  loading,
  requestedAt,
  own,
}: CommentRefresherOptions): CommentRefresher {
  const client = useClient();
  const userId = useAuth().user?.id ?? null;
  const pending = useRef(nothingPending());

  const fetchPending = async ({ newest, missedUntil, ids }: PendingRefresh) => {
    if (!isShown) {
      const count = await countComments(client, postId);
      return setList((shown) => ({ ...shown, count }));
    }
    await loading.current;
    const all = missedUntil > requestedAt.current;
    const requested = all ? list.comments.map(({ id }) => id) : [...ids];
    let page: CommentsPage | null;
    let others: DisplayedComment[];
    let missing: string[];
    let before: number;
    do {
      before = own.current.count;
      page = newest || all ? await loadComments(client, { postId, userId }) : null;
      const inPage = new Set(page?.comments.map(({ id }) => id));
      missing = requested.filter((id) => !inPage.has(id));
      others = await loadCommentsById(client, missing, userId);
    } while (before !== own.current.count);
    const newestPage = page && withoutDeleted(page, own.current.deleted);
    // The reader's own new comments were posted in another tab and are expected here.
    const isOwn = (comment: DisplayedComment) => comment.userId === userId;
    setList((shown) => {
      const updated = updateComments(shown, missing, others);
      return newestPage ? mergeNewest(updated, newestPage, isOwn) : updated;
    });
  };

  const refresh = useRefresher(async () => {
    const current = pending.current;
    pending.current = nothingPending();
    try {
      await fetchPending(current);
    } catch (error) {
      // What could not be fetched remains pending, together with what was added meanwhile.
      pending.current.newest ||= current.newest;
      pending.current.missedUntil = Math.max(pending.current.missedUntil, current.missedUntil);
      for (const id of current.ids) pending.current.ids.add(id);
      throw error;
    }
  });

  return {
    refreshNewest() {
      pending.current.newest = true;
      refresh();
    },
    refreshComment(id) {
      pending.current.ids.add(id);
      refresh();
    },
    refreshAll(missedUntil) {
      pending.current.missedUntil = Math.max(pending.current.missedUntil, missedUntil);
      refresh();
    },
  };
}

/** Returns the page without comments that were deleted while it was fetched. */
export function withoutDeleted(page: CommentsPage, deleted: ReadonlySet<string>): CommentsPage {
  return { ...page, comments: page.comments.filter(({ id }) => !deleted.has(id)) };
}

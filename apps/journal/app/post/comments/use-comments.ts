import { useCallback, useEffect, useRef, useState } from 'react';
import type { DisplayedComment, PostComment } from '../../../project/entities.ts';
import { useAuth, useClient } from '../../client/client-context.tsx';
import type { LikeState } from '../likes/use-like.ts';
import type { OpenedComments } from '../served-post.ts';
import {
  addComment,
  appendPage,
  type CommentListState,
  emptyCommentList,
  removeComment,
  showWaiting,
  updateComments,
} from './comment-list.ts';
import { isAnonymous, loadComments } from './load-comments.ts';
import { type OwnChanges, useCommentRefresher, withoutDeleted } from './use-comment-refresher.ts';

export interface CommentList {
  /** Number of all comments of the post. */
  count: number;
  status: CommentListState['status'];
  comments: readonly DisplayedComment[];
  /** `null` when there are no older comments. */
  nextCursor: string | null;
  /** New comments of others, which `showWaiting` shows. */
  waiting: readonly DisplayedComment[];
  showWaiting(): void;
  /** Loads older comments, or the first page again after a failure. */
  load(): void;
  /** Shows a comment that was just posted at the top. */
  add(comment: PostComment): void;
  remove(id: string): void;
  /** Shows the result of a press on a comment's heart. It is the same function with every render. */
  setLike(id: string, like: LikeState): void;
  /** Refreshes the list after somebody posted a comment. */
  onCreated(): void;
  /** Refreshes a comment after it or its likes changed. */
  onChanged(id: string): void;
  /** Removes a comment that somebody deleted. */
  onDeleted(id: string): void;
  /** Refreshes the whole list after changes may have been missed, the last of them at that time. */
  refreshAll(missedUntil: number): void;
}

interface UseCommentsOptions {
  /** Number of comments when the page was rendered. */
  count: number;
  /** Whether the comments are open and may load; before, only their number is kept up to date. */
  isOpen: boolean;
  /** The comments that the page was rendered with. */
  opened: OpenedComments | null;
}

/** Returns a post's comments with this reader's likes. They are loaded when `isOpen` becomes true. */
export function useComments(postId: string, { count, isOpen, opened }: UseCommentsOptions): CommentList {
  const client = useClient();
  const { user, isLoading } = useAuth();
  const userId = user?.id ?? null;
  const isShown = isOpen && !isLoading;
  const [list, setList] = useState(() => renderedList(count, opened));
  /** Whether the comments that the page was rendered with are shown. They do not tell this reader's likes. */
  const isRendered = useRef(opened !== null);
  /** Number of the last request; the responses to earlier ones are ignored. */
  const lastRequest = useRef(0);
  const loading = useRef(Promise.resolve());
  /** Tells when the list that is shown was requested. It has all changes until then. */
  const requestedAt = useRef(Number.NEGATIVE_INFINITY);
  const own = useRef<OwnChanges>({ count: 0, deleted: new Set() });

  const load = useCallback(
    async (cursor: string | null) => {
      lastRequest.current += 1;
      const request = lastRequest.current;
      const isCurrent = () => request === lastRequest.current;
      const isRefreshed = isRendered.current && cursor === null;
      isRendered.current = false;
      const started = performance.now();
      if (!isRefreshed) {
        setList((shown) => ({ ...(cursor ? shown : emptyCommentList(shown.count)), status: 'loading' }));
      }
      try {
        const page = await loadComments(client, { postId, userId, cursor: cursor ?? undefined });
        if (!isCurrent()) return;
        if (cursor === null) requestedAt.current = started;
        setList((shown) =>
          appendPage(
            isRefreshed ? emptyCommentList(shown.count) : shown,
            withoutDeleted(page, own.current.deleted),
          ),
        );
      } catch (error) {
        reportError(error);
        if (isCurrent()) setList((shown) => ({ ...shown, status: 'failed' }));
      }
    },
    [client, postId, userId],
  );

  useEffect(() => {
    if (!isShown) return;
    loading.current = load(null);
    return () => {
      lastRequest.current += 1;
      setList((shown) => emptyCommentList(shown.count));
    };
  }, [load, isShown]);

  const refresher = useCommentRefresher({ postId, isShown, list, setList, loading, requestedAt, own });
  const applyOwn = useCallback((change: (shown: CommentListState) => CommentListState) => {
    own.current.count += 1;
    setList(change);
  }, []);
  const setLike = useCallback(
    (id: string, { count: likes, liked: hasLiked }: LikeState) => {
      const change = (comment: DisplayedComment) =>
        comment.id === id ? { ...comment, likes, hasLiked } : comment;
      applyOwn((shown) => ({ ...shown, comments: shown.comments.map(change) }));
    },
    [applyOwn],
  );

  return {
    count: list.count,
    status: list.status,
    comments: list.comments,
    nextCursor: list.nextCursor,
    waiting: list.waiting,
    showWaiting: () => setList(showWaiting),
    load() {
      loading.current = load(list.nextCursor);
    },
    add(comment) {
      const photoUrl = isAnonymous(comment) ? null : (user?.photoURL ?? null);
      applyOwn((shown) => addComment(shown, { ...comment, likes: 0, hasLiked: false, photoUrl }));
    },
    remove(id) {
      own.current.deleted.add(id);
      applyOwn((shown) => removeComment(shown, id));
    },
    setLike,
    onCreated: refresher.refreshNewest,
    onChanged(id) {
      const isListed = [...list.comments, ...list.waiting].some((comment) => comment.id === id);
      if (isListed || list.status === 'loading') refresher.refreshComment(id);
    },
    onDeleted(id) {
      own.current.deleted.add(id);
      setList((shown) => updateComments(shown, [id], []));
      refresher.refreshNewest();
    },
    refreshAll: refresher.refreshAll,
  };
}

/** Returns the list that a page was rendered with, which is empty where its URL opens no comments. */
function renderedList(count: number, opened: OpenedComments | null): CommentListState {
  const empty = emptyCommentList(count);
  if (!opened) return empty;
  return opened.page ? appendPage(empty, opened.page) : { ...empty, status: 'failed' };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { useAuth, useClient } from '../client/client-context.tsx';
import type { DisplayedComment, PostComment } from '../entities.ts';
import { type CommentsPage, loadComments } from './load-comments.ts';

export interface CommentList {
  status: 'loading' | 'ready' | 'failed';
  comments: readonly DisplayedComment[];
  hasMore: boolean;
  /** Loads older comments, or the first ones anew after a failure. */
  load(): void;
  /** Puts a comment that was just posted on top. */
  add(comment: PostComment): void;
  remove(id: string): void;
}

interface State {
  status: CommentList['status'];
  comments: readonly DisplayedComment[];
  nextCursor: string | null;
}

const NOTHING: State = { status: 'loading', comments: [], nextCursor: null };

/** A post's comments with this reader's likes; `onCount` is told how many there are in all. */
export function useComments(
  postId: string,
  onCount: (change: (count: number) => number) => void,
): CommentList {
  const client = useClient();
  const { user, isLoading } = useAuth();
  const userId = user?.id ?? null;
  const [state, setState] = useState<State>(NOTHING);
  /** What was asked for last; answers to anything earlier are no longer wanted. */
  const latest = useRef(0);

  const load = useCallback(
    async (cursor: string | null) => {
      latest.current += 1;
      const mine = latest.current;
      const current = () => mine === latest.current;
      setState((shown) => ({ ...(cursor ? shown : NOTHING), status: 'loading' }));
      try {
        const page = await loadComments(client, { postId, userId, cursor: cursor ?? undefined });
        if (!current()) return;
        setState((shown) => append(shown.comments, page));
        onCount(() => page.count);
      } catch (error) {
        reportError(error);
        if (current()) setState((shown) => ({ ...shown, status: 'failed' }));
      }
    },
    [client, postId, userId, onCount],
  );

  useEffect(() => {
    if (!isLoading) void load(null);
    return () => {
      latest.current += 1;
    };
  }, [load, isLoading]);

  return {
    status: state.status,
    comments: state.comments,
    hasMore: state.nextCursor !== null,
    load: () => void load(state.nextCursor),
    add(comment) {
      const displayed = { ...comment, likes: 0, hasLiked: false };
      setState((shown) => ({ ...shown, comments: [displayed, ...shown.comments] }));
      onCount((count) => count + 1);
    },
    remove(id) {
      setState((shown) => ({ ...shown, comments: shown.comments.filter((comment) => comment.id !== id) }));
      onCount((count) => Math.max(0, count - 1));
    },
  };
}

/** A comment that arrived while the list was on its way is shown once. */
function append(shown: readonly DisplayedComment[], { comments, nextCursor }: CommentsPage): State {
  const known = new Set(shown.map(({ id }) => id));
  return {
    status: 'ready',
    nextCursor,
    comments: [...shown, ...comments.filter(({ id }) => !known.has(id))],
  };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { useAuth, useClient } from '../../client/client-context.tsx';
import type { DisplayedComment, PostComment } from '../../entities.ts';
import { useRefresher } from '../../live/use-refresher.ts';
import type { LikeState } from '../likes/use-like.ts';
import {
  addComment,
  admitWaiting,
  appendPage,
  type CommentListState,
  countedComments,
  mergeNewest,
  removeComment,
  updateComments,
} from './comment-list.ts';
import { type CommentsPage, countComments, loadComments, loadCommentsById } from './load-comments.ts';

export interface CommentList {
  /** All comments of the post. */
  count: number;
  status: CommentListState['status'];
  comments: readonly DisplayedComment[];
  hasMore: boolean;
  /** New ones of others, until `showWaiting`. */
  waiting: readonly DisplayedComment[];
  showWaiting(): void;
  /** Loads older comments, or the first ones anew after a failure. */
  load(): void;
  /** Puts a comment that was just posted on top. */
  add(comment: PostComment): void;
  remove(id: string): void;
  /** What a press on a comment's heart came to. */
  setLike(id: string, like: LikeState): void;
  /** There are others than before. */
  hearOfNew(): void;
  /** This one, or its likes, are not what they were. */
  hearOfChange(id: string): void;
  hearOfRemoval(id: string): void;
  /** Anything may have changed. */
  refreshAll(): void;
}

interface UseCommentsOptions {
  /** How many there were when the page was made. */
  count: number;
  /** Whether they are shown: before, only their number is kept up to date. */
  isOpen: boolean;
}

/** What is to be fetched anew. */
interface Wanted {
  newest: boolean;
  all: boolean;
  ids: Set<string>;
}

const nothingWanted = (): Wanted => ({ newest: false, all: false, ids: new Set() });

/** A post's comments with this reader's likes, loaded when they are opened. */
export function useComments(postId: string, { count: atFirst, isOpen }: UseCommentsOptions): CommentList {
  const client = useClient();
  const { user, isLoading } = useAuth();
  const userId = user?.id ?? null;
  const [list, setList] = useState(() => countedComments(atFirst));
  /** What was asked for last; answers to anything earlier are no longer wanted. */
  const latest = useRef(0);
  const loading = useRef(Promise.resolve());
  /** What this reader did here so far: answers to what was asked before it do not know of it. */
  const ownActs = useRef(0);
  /** Removed while their page may have been on its way. */
  const gone = useRef(new Set<string>());
  const wanted = useRef(nothingWanted());

  const load = useCallback(
    async (cursor: string | null) => {
      latest.current += 1;
      const mine = latest.current;
      const current = () => mine === latest.current;
      setList((shown) => ({ ...(cursor ? shown : countedComments(shown.count)), status: 'loading' }));
      try {
        const page = await loadComments(client, { postId, userId, cursor: cursor ?? undefined });
        if (!current()) return;
        setList((shown) => appendPage(shown, without(page, gone.current)));
      } catch (error) {
        reportError(error);
        if (current()) setList((shown) => ({ ...shown, status: 'failed' }));
      }
    },
    [client, postId, userId],
  );

  useEffect(() => {
    if (!isOpen || isLoading) return;
    loading.current = load(null);
    return () => {
      latest.current += 1;
      setList((shown) => countedComments(shown.count));
    };
  }, [load, isLoading, isOpen]);

  const fetchWanted = async ({ newest, all, ids }: Wanted) => {
    if (!isOpen || isLoading) {
      const count = await countComments(client, postId);
      return setList((known) => ({ ...known, count }));
    }
    await loading.current;
    const shown = all ? list.comments.map(({ id }) => id) : [...ids];
    let page: CommentsPage | null;
    let others: DisplayedComment[];
    let asked: string[];
    let before: number;
    do {
      before = ownActs.current;
      page = newest || all ? await loadComments(client, { postId, userId }) : null;
      const inPage = new Set(page?.comments.map(({ id }) => id));
      asked = shown.filter((id) => !inPage.has(id));
      others = await loadCommentsById(client, asked, userId);
    } while (before !== ownActs.current);
    const answer = page && without(page, gone.current);
    const updated = (known: CommentListState) => updateComments(known, asked, others);
    // The reader's own come from another tab: whoever wrote them expects them.
    const isOwn = (comment: DisplayedComment) => comment.userId === userId;
    setList((known) => (answer ? mergeNewest(updated(known), answer, isOwn) : updated(known)));
  };

  const refresh = useRefresher(async () => {
    const asked = wanted.current;
    wanted.current = nothingWanted();
    try {
      await fetchWanted(asked);
    } catch (error) {
      const { newest, all, ids } = wanted.current;
      wanted.current = {
        newest: newest || asked.newest,
        all: all || asked.all,
        ids: new Set([...ids, ...asked.ids]),
      };
      throw error;
    }
  });

  return {
    count: list.count,
    status: list.status,
    comments: list.comments,
    hasMore: list.nextCursor !== null,
    waiting: list.waiting,
    showWaiting: () => setList(admitWaiting),
    load() {
      loading.current = load(list.nextCursor);
    },
    add(comment) {
      ownActs.current += 1;
      setList((known) => addComment(known, { ...comment, likes: 0, hasLiked: false }));
    },
    remove(id) {
      ownActs.current += 1;
      gone.current.add(id);
      setList((known) => removeComment(known, id));
    },
    setLike(id, { count: likes, liked: hasLiked }) {
      ownActs.current += 1;
      const change = (comment: DisplayedComment) =>
        comment.id === id ? { ...comment, likes, hasLiked } : comment;
      setList((known) => ({ ...known, comments: known.comments.map(change) }));
    },
    hearOfNew() {
      wanted.current.newest = true;
      refresh();
    },
    hearOfChange(id) {
      const isShown = [...list.comments, ...list.waiting].some((comment) => comment.id === id);
      if (!isShown && list.status !== 'loading') return;
      wanted.current.ids.add(id);
      refresh();
    },
    hearOfRemoval(id) {
      gone.current.add(id);
      setList((known) => updateComments(known, [id], []));
      wanted.current.newest = true;
      refresh();
    },
    refreshAll() {
      wanted.current.all = true;
      refresh();
    },
  };
}

function without(page: CommentsPage, gone: ReadonlySet<string>): CommentsPage {
  return { ...page, comments: page.comments.filter(({ id }) => !gone.has(id)) };
}

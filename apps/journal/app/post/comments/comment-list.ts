import type { DisplayedComment } from '../../../project/entities.ts';
import type { CommentsPage } from './load-comments.ts';

/** Holds the comments of a post that a reader has loaded, newest first. */
export interface CommentListState {
  /** Number of all comments of the post. */
  count: number;
  status: 'loading' | 'ready' | 'failed';
  comments: readonly DisplayedComment[];
  nextCursor: string | null;
  /** New comments of others. They are shown when the reader presses a button, so that nothing moves by itself. */
  waiting: readonly DisplayedComment[];
  /** Cursor after the waiting comments when more arrived than one page holds; `null` when they reach the shown ones. */
  gapCursor: string | null;
}

/** Returns the state before any comment is loaded. */
export function emptyCommentList(count: number): CommentListState {
  return { count, status: 'loading', comments: [], nextCursor: null, waiting: [], gapCursor: null };
}

/** Adds a page of older comments at the end, without those that are listed already. */
export function appendPage(
  list: CommentListState,
  { comments, nextCursor, count }: CommentsPage,
): CommentListState {
  const known = new Set([...list.comments, ...list.waiting].map(({ id }) => id));
  return {
    ...list,
    count,
    status: 'ready',
    nextCursor,
    comments: [...list.comments, ...comments.filter(({ id }) => !known.has(id))],
  };
}

/**
 * Merges the current first page into the list. Shown comments are updated, and removed where the page no longer has
 * them. New ones wait, unless `isShownAtOnce` accepts them or the list is empty. Older pages stay as they are.
 */
export function mergeNewest(
  list: CommentListState,
  page: CommentsPage,
  isShownAtOnce: (comment: DisplayedComment) => boolean,
): CommentListState {
  const { count } = page;
  // The button for another attempt stays, so that it does not disappear under the reader's finger.
  if (list.status === 'failed' && list.comments.length === 0) return { ...list, count };
  const inPage = new Map(page.comments.map((comment) => [comment.id, comment]));
  const oldest = page.comments.at(-1)?.createdAt ?? 0;
  const isOlder = ({ createdAt }: DisplayedComment) => page.nextCursor !== null && createdAt <= oldest;
  const remaining = list.comments
    .filter((comment) => inPage.has(comment.id) || isOlder(comment))
    .map((comment) => inPage.get(comment.id) ?? comment);
  if (remaining.length === 0) {
    return { ...emptyCommentList(count), ...page, status: 'ready' };
  }
  const shown = new Set(remaining.map(({ id }) => id));
  const unknown = page.comments.filter(({ id }) => !shown.has(id));
  const reachesShown = page.nextCursor === null || unknown.length < page.comments.length;
  return {
    ...list,
    count,
    comments: newestFirst([...unknown.filter(isShownAtOnce), ...remaining]),
    nextCursor: page.nextCursor === null ? null : list.nextCursor,
    waiting: unknown.filter((comment) => !isShownAtOnce(comment)),
    gapCursor: reachesShown ? null : page.nextCursor,
  };
}

/** Shows the waiting comments. Those behind a gap are dropped, and loaded again with the next page. */
export function showWaiting(list: CommentListState): CommentListState {
  const { waiting, gapCursor } = list;
  const oldest = waiting.at(-1)?.createdAt ?? 0;
  const remaining = gapCursor ? list.comments.filter(({ createdAt }) => createdAt >= oldest) : list.comments;
  return {
    ...list,
    comments: newestFirst([...waiting, ...remaining]),
    nextCursor: gapCursor ?? list.nextCursor,
    waiting: [],
    gapCursor: null,
  };
}

/** Adds a comment that this reader posted, unless a refresh has added it before. */
export function addComment(list: CommentListState, comment: DisplayedComment): CommentListState {
  if (list.comments.some(({ id }) => id === comment.id)) return list;
  return { ...list, count: list.count + 1, comments: [comment, ...list.comments] };
}

/** Removes a comment that this reader deleted, unless a refresh has removed it before. */
export function removeComment(list: CommentListState, id: string): CommentListState {
  if (!list.comments.some((comment) => comment.id === id)) return list;
  return { ...updateComments(list, [id], []), count: Math.max(0, list.count - 1) };
}

/** Replaces the comments with these ids by their current state, and removes those that are not in it. */
export function updateComments(
  list: CommentListState,
  ids: readonly string[],
  current: readonly DisplayedComment[],
): CommentListState {
  const updated = new Set(ids);
  const found = new Map(current.map((comment) => [comment.id, comment]));
  const update = (comments: readonly DisplayedComment[]) =>
    comments.flatMap((comment) => (updated.has(comment.id) ? (found.get(comment.id) ?? []) : comment));
  return { ...list, comments: update(list.comments), waiting: update(list.waiting) };
}

function newestFirst(comments: DisplayedComment[]): DisplayedComment[] {
  return comments.sort((a, b) => b.createdAt - a.createdAt);
}

import type { DisplayedComment } from '../../entities.ts';
import type { CommentsPage } from './load-comments.ts';

/** The comments of a post as far as a reader has them, newest first. */
export interface CommentListState {
  /** All comments of the post. */
  count: number;
  status: 'loading' | 'ready' | 'failed';
  comments: readonly DisplayedComment[];
  nextCursor: string | null;
  /** Comments of others that came since; shown when the reader asks for them, so that nothing moves on its own. */
  waiting: readonly DisplayedComment[];
  /** Where to go on behind those that wait, when more came than one page holds; null when they reach what is shown. */
  gapCursor: string | null;
}

/** Nothing but their number, before they are loaded. */
export function countedComments(count: number): CommentListState {
  return { count, status: 'loading', comments: [], nextCursor: null, waiting: [], gapCursor: null };
}

/** Older comments go below; one that is there already is shown once. */
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
 * The newest page as it is now: what is shown of it is brought up to date, what is no longer in it goes, what is new
 * waits, unless `mayEnter` says otherwise or nothing is shown that could move. Older pages stay as they are.
 */
export function mergeNewest(
  list: CommentListState,
  page: CommentsPage,
  mayEnter: (comment: DisplayedComment) => boolean,
): CommentListState {
  const { count } = page;
  // The next try is offered, and should not slip away from whoever is about to press it.
  if (list.status === 'failed' && list.comments.length === 0) return { ...list, count };
  const inPage = new Map(page.comments.map((comment) => [comment.id, comment]));
  const oldest = page.comments.at(-1)?.createdAt ?? 0;
  const isOlder = ({ createdAt }: DisplayedComment) => page.nextCursor !== null && createdAt <= oldest;
  const kept = list.comments
    .filter((comment) => inPage.has(comment.id) || isOlder(comment))
    .map((comment) => inPage.get(comment.id) ?? comment);
  if (kept.length === 0) {
    return { ...countedComments(count), ...page, status: 'ready' };
  }
  const shown = new Set(kept.map(({ id }) => id));
  const unknown = page.comments.filter(({ id }) => !shown.has(id));
  const reachesShown = page.nextCursor === null || unknown.length < page.comments.length;
  return {
    ...list,
    count,
    comments: newestFirst([...unknown.filter(mayEnter), ...kept]),
    nextCursor: page.nextCursor === null ? null : list.nextCursor,
    waiting: unknown.filter((comment) => !mayEnter(comment)),
    gapCursor: reachesShown ? null : page.nextCursor,
  };
}

/** Those that waited take their places. Across a gap the older ones go, and are loaded anew by whoever goes on. */
export function admitWaiting(list: CommentListState): CommentListState {
  const { waiting, gapCursor } = list;
  const oldest = waiting.at(-1)?.createdAt ?? 0;
  const staying = gapCursor ? list.comments.filter(({ createdAt }) => createdAt >= oldest) : list.comments;
  return {
    ...list,
    comments: newestFirst([...waiting, ...staying]),
    nextCursor: gapCursor ?? list.nextCursor,
    waiting: [],
    gapCursor: null,
  };
}

/** A comment that this reader just posted; word of it may have come first. */
export function addComment(list: CommentListState, comment: DisplayedComment): CommentListState {
  if (list.comments.some(({ id }) => id === comment.id)) return list;
  return { ...list, count: list.count + 1, comments: [comment, ...list.comments] };
}

/** One that this reader took down, likewise. */
export function removeComment(list: CommentListState, id: string): CommentListState {
  if (!list.comments.some((comment) => comment.id === id)) return list;
  return { ...updateComments(list, [id], []), count: Math.max(0, list.count - 1) };
}

/** These comments as they are now; those of them that are not among the answers are gone. */
export function updateComments(
  list: CommentListState,
  ids: readonly string[],
  answers: readonly DisplayedComment[],
): CommentListState {
  const asked = new Set(ids);
  const found = new Map(answers.map((comment) => [comment.id, comment]));
  const update = (comments: readonly DisplayedComment[]) =>
    comments.flatMap((comment) => (asked.has(comment.id) ? (found.get(comment.id) ?? []) : comment));
  return { ...list, comments: update(list.comments), waiting: update(list.waiting) };
}

function newestFirst(comments: DisplayedComment[]): DisplayedComment[] {
  return comments.sort((a, b) => b.createdAt - a.createdAt);
}

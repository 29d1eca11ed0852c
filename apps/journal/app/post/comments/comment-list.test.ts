import { describe, expect, it } from 'vitest';
import type { DisplayedComment } from '../../../project/entities.ts';
import {
  addComment,
  appendPage,
  emptyCommentList,
  mergeNewest,
  removeComment,
  showWaiting,
  updateComments,
} from './comment-list.ts';

/** Returns the comment with this id, which was written at this time. */
function comment(number: number, over: Partial<DisplayedComment> = {}): DisplayedComment {
  const written = { id: String(number), createdAt: number, postId: 'post_1', userId: 'ada' };
  return {
    ...written,
    userName: 'Ada',
    content: `${number}`,
    likes: 0,
    hasLiked: false,
    photoUrl: null,
    ...over,
  };
}

function page(numbers: number[], nextCursor: string | null, count = 100) {
  return { comments: numbers.map((number) => comment(number)), nextCursor, count };
}

const shown = (numbers: number[], nextCursor: string | null) =>
  appendPage(emptyCommentList(0), page(numbers, nextCursor));
const ids = (comments: readonly DisplayedComment[]) => comments.map(({ id }) => Number(id));
const never = () => false;

describe('merging the newest page of comments', () => {
  it('merging the newest page lets new comments wait, updates shown ones and keeps older pages', () => {
    const before = appendPage(shown([6, 5, 4], 'below 4'), page([3, 2], 'below 2'));
    const fetched = {
      ...page([7, 6, 5], 'below 5', 7),
      comments: [7, 6, 5].map((n) => comment(n, { likes: n })),
    };
    const after = mergeNewest(before, fetched, never);
    expect(ids(after.comments)).toEqual([6, 5, 4, 3, 2]);
    expect(after.comments.map(({ likes }) => likes)).toEqual([6, 5, 0, 0, 0]);
    expect(ids(after.waiting)).toEqual([7]);
    expect(after).toMatchObject({ count: 7, nextCursor: 'below 2' });
    const shownAll = showWaiting(after);
    expect(ids(shownAll.comments)).toEqual([7, 6, 5, 4, 3, 2]);
    expect(shownAll).toMatchObject({ waiting: [], nextCursor: 'below 2' });
  });

  it('merging the newest page removes comments that it no longer has, within its range', () => {
    const before = shown([6, 5, 4, 3], 'below 3');
    expect(ids(mergeNewest(before, page([6, 4], 'below 4'), never).comments)).toEqual([6, 4, 3]);
    expect(mergeNewest(before, page([6, 4], null), never)).toMatchObject({ nextCursor: null });
    expect(ids(mergeNewest(before, page([6, 4], null), never).comments)).toEqual([6, 4]);
  });

  it('merging the newest page shows accepted comments at once, and all comments in an empty list', () => {
    const own = ({ id }: DisplayedComment) => id === '8';
    const after = mergeNewest(shown([6], null), page([8, 7, 6], null), own);
    expect([ids(after.comments), ids(after.waiting)]).toEqual([[8, 6], [7]]);
    expect(ids(showWaiting(after).comments)).toEqual([8, 7, 6]);
    expect(mergeNewest(emptyCommentList(0), page([2, 1], 'below 1'), never)).toMatchObject({
      status: 'ready',
      nextCursor: 'below 1',
      waiting: [],
    });
  });

  it('showing waiting comments across a gap continues from them, so that no comment is left out', () => {
    const after = mergeNewest(shown([3, 2], 'below 2'), page([9, 8], 'below 8'), never);
    expect([ids(after.comments), ids(after.waiting)]).toEqual([
      [3, 2],
      [9, 8],
    ]);
    const withOwn = addComment(after, comment(10));
    const shownAll = showWaiting(withOwn);
    expect(ids(shownAll.comments)).toEqual([10, 9, 8]);
    expect(shownAll.nextCursor).toBe('below 8');
  });
});

it('the reader’s own comment is counted once, also when a refresh added it first', () => {
  const known = shown([2, 1], null);
  expect(addComment(known, comment(3))).toMatchObject({ count: 101, comments: [{ id: '3' }, {}, {}] });
  expect(addComment(known, comment(2))).toBe(known);
  expect(removeComment(known, '1')).toMatchObject({ count: 99, comments: [{ id: '2' }] });
  expect(removeComment(known, '7')).toBe(known);
});

it('updating single comments replaces them and removes those that no longer exist', () => {
  const after = updateComments(shown([3, 2, 1], null), ['3', '1'], [comment(3, { userName: 'Anonymous' })]);
  expect(after.comments).toMatchObject([
    { id: '3', userName: 'Anonymous' },
    { id: '2', userName: 'Ada' },
  ]);
  expect(after.comments).toHaveLength(2);
});

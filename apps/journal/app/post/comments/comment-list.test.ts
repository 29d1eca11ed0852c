import { describe, expect, it } from 'vitest';
import type { DisplayedComment } from '../../entities.ts';
import {
  addComment,
  admitWaiting,
  appendPage,
  countedComments,
  mergeNewest,
  removeComment,
  updateComments,
} from './comment-list.ts';

/** `7` is the comment that was written at 7. */
function comment(number: number, over: Partial<DisplayedComment> = {}): DisplayedComment {
  const written = { id: String(number), createdAt: number, postId: 'post_1', userId: 'ada' };
  return { ...written, userName: 'Ada', content: `${number}`, likes: 0, hasLiked: false, ...over };
}

function page(numbers: number[], nextCursor: string | null, count = 100) {
  return { comments: numbers.map((number) => comment(number)), nextCursor, count };
}

const shown = (numbers: number[], nextCursor: string | null) =>
  appendPage(countedComments(0), page(numbers, nextCursor));
const ids = (comments: readonly DisplayedComment[]) => comments.map(({ id }) => Number(id));
const nobody = () => false;

describe('the newest page, fetched anew', () => {
  it('lets new comments wait, updates what is shown and keeps older pages', () => {
    const before = appendPage(shown([6, 5, 4], 'below 4'), page([3, 2], 'below 2'));
    const fetched = {
      ...page([7, 6, 5], 'below 5', 7),
      comments: [7, 6, 5].map((n) => comment(n, { likes: n })),
    };
    const after = mergeNewest(before, fetched, nobody);
    expect(ids(after.comments)).toEqual([6, 5, 4, 3, 2]);
    expect(after.comments.map(({ likes }) => likes)).toEqual([6, 5, 0, 0, 0]);
    expect(ids(after.waiting)).toEqual([7]);
    expect(after).toMatchObject({ count: 7, nextCursor: 'below 2' });
    const admitted = admitWaiting(after);
    expect(ids(admitted.comments)).toEqual([7, 6, 5, 4, 3, 2]);
    expect(admitted).toMatchObject({ waiting: [], nextCursor: 'below 2' });
  });

  it('takes away what is no longer in it, as far as it reaches', () => {
    const before = shown([6, 5, 4, 3], 'below 3');
    expect(ids(mergeNewest(before, page([6, 4], 'below 4'), nobody).comments)).toEqual([6, 4, 3]);
    expect(mergeNewest(before, page([6, 4], null), nobody)).toMatchObject({ nextCursor: null });
    expect(ids(mergeNewest(before, page([6, 4], null), nobody).comments)).toEqual([6, 4]);
  });

  it('shows at once what may enter, and all of it where nothing is shown', () => {
    const own = ({ id }: DisplayedComment) => id === '8';
    const after = mergeNewest(shown([6], null), page([8, 7, 6], null), own);
    expect([ids(after.comments), ids(after.waiting)]).toEqual([[8, 6], [7]]);
    expect(ids(admitWaiting(after).comments)).toEqual([8, 7, 6]);
    expect(mergeNewest(countedComments(0), page([2, 1], 'below 1'), nobody)).toMatchObject({
      status: 'ready',
      nextCursor: 'below 1',
      waiting: [],
    });
  });

  it('across a gap leaves no comment out: whoever asks for the new ones goes on from them', () => {
    const after = mergeNewest(shown([3, 2], 'below 2'), page([9, 8], 'below 8'), nobody);
    expect([ids(after.comments), ids(after.waiting)]).toEqual([
      [3, 2],
      [9, 8],
    ]);
    const withOwn = addComment(after, comment(10));
    const admitted = admitWaiting(withOwn);
    expect(ids(admitted.comments)).toEqual([10, 9, 8]);
    expect(admitted.nextCursor).toBe('below 8');
  });
});

it('counts what the reader does once, also where word of it came first', () => {
  const known = shown([2, 1], null);
  expect(addComment(known, comment(3))).toMatchObject({ count: 101, comments: [{ id: '3' }, {}, {}] });
  expect(addComment(known, comment(2))).toBe(known);
  expect(removeComment(known, '1')).toMatchObject({ count: 99, comments: [{ id: '2' }] });
  expect(removeComment(known, '7')).toBe(known);
});

it('updates single comments, and takes away those that are gone', () => {
  const after = updateComments(shown([3, 2, 1], null), ['3', '1'], [comment(3, { userName: 'Anonymous' })]);
  expect(after.comments).toMatchObject([
    { id: '3', userName: 'Anonymous' },
    { id: '2', userName: 'Ada' },
  ]);
  expect(after.comments).toHaveLength(2);
});

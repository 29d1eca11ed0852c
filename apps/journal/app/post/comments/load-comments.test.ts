import { createClient } from '@fabrica/client';
import { expect, it } from 'vitest';
import { loadComments } from './load-comments.ts';

const COMMENTS = ['c2', 'c1'].map((id) => ({
  id,
  post_id: 'post_1',
  user_id: 'user_1',
  user_name: 'Ada',
  content: id,
  created_at: 1,
}));
const LIKES = [
  { comment_id: 'c1', user_id: 'user_1' },
  { comment_id: 'c1', user_id: 'user_2' },
];

/** The public client, with a database that is played at the wire. */
function scriptedClient(comments: object[]) {
  const asked: URL[] = [];
  const client = createClient({
    projectId: 'journal',
    origin: 'https://journal.example',
    fetch: async (input) => {
      const url = new URL(String(input));
      asked.push(url);
      if (url.pathname.endsWith('/comment_likes')) return Response.json(LIKES);
      const headers = { 'content-range': `0-1/${comments.length}`, 'x-next-cursor': 'older' };
      return Response.json(comments, { headers });
    },
  });
  return { client, asked };
}

it('asks for the likes of all comments at once, and tells the reader’s own apart', async () => {
  const { client, asked } = scriptedClient(COMMENTS);
  const page = await loadComments(client, { postId: 'post_1', userId: 'user_2' });
  expect(page).toMatchObject({
    count: 2,
    nextCursor: 'older',
    comments: [
      { id: 'c2', likes: 0, hasLiked: false },
      { id: 'c1', likes: 2, hasLiked: true },
    ],
  });
  expect(asked).toHaveLength(2);
  expect(asked[0]?.searchParams.get('order')).toBe('created_at.desc');
  expect(asked[1]?.searchParams.get('comment_id')).toBe('in.(c2,c1)');
});

it('shows a visitor the counts, but no like as the visitor’s own', async () => {
  const { client } = scriptedClient(COMMENTS);
  const { comments } = await loadComments(client, { postId: 'post_1', userId: null });
  expect(comments.map(({ likes, hasLiked }) => [likes, hasLiked])).toEqual([
    [0, false],
    [2, false],
  ]);
});

it('asks for no likes where there are no comments', async () => {
  const { client, asked } = scriptedClient([]);
  await loadComments(client, { postId: 'post_1', userId: 'user_2' });
  expect(asked).toHaveLength(1);
});

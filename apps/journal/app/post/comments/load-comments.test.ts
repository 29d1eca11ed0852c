import { createClient } from '@fabrica/client';
import { expect, it } from 'vitest';
import { loadComments } from './load-comments.ts';

const COMMENTS = ['c2', 'c1'].map((id, order) => ({
  id,
  post_id: 'post_1',
  user_id: 'user_1',
  user_name: order === 0 ? 'Anonymous' : 'Ada',
  content: id,
  created_at: 1,
}));
const LIKES = [
  { comment_id: 'c1', user_id: 'user_1' },
  { comment_id: 'c1', user_id: 'user_2' },
];
const PROFILES = [{ id: 'user_1', photo_url: '/storage/journal/avatars/1.png' }];

/** Creates the public client with a stand-in for the backend's database. */
function createTestClient(comments: object[]) {
  const requested: URL[] = [];
  const client = createClient({
    projectId: 'journal',
    origin: 'https://journal.example',
    fetch: async (input) => {
      const url = new URL(String(input));
      requested.push(url);
      if (url.pathname.endsWith('/comment_likes')) return Response.json(LIKES);
      if (url.pathname.endsWith('/profiles')) return Response.json(PROFILES);
      const headers = { 'content-range': `0-1/${comments.length}`, 'x-next-cursor': 'older' };
      return Response.json(comments, { headers });
    },
  });
  return { client, requested };
}

it('loading comments fetches all their likes and photos with one request each and marks the reader’s own', async () => {
  const { client, requested } = createTestClient(COMMENTS);
  const page = await loadComments(client, { postId: 'post_1', userId: 'user_2' });
  expect(page).toMatchObject({
    count: 2,
    nextCursor: 'older',
    comments: [
      { id: 'c2', likes: 0, hasLiked: false, photoUrl: null },
      { id: 'c1', likes: 2, hasLiked: true, photoUrl: '/storage/journal/avatars/1.png' },
    ],
  });
  expect(requested).toHaveLength(3);
  expect(requested[0]?.searchParams.get('order')).toBe('created_at.desc');
  expect(requested[1]?.searchParams.get('comment_id')).toBe('in.(c2,c1)');
  expect(requested[2]?.searchParams.get('id')).toBe('in.(user_1)');
});

it('loading comments as a visitor marks no like as their own', async () => {
  const { client } = createTestClient(COMMENTS);
  const { comments } = await loadComments(client, { postId: 'post_1', userId: null });
  expect(comments.map(({ likes, hasLiked }) => [likes, hasLiked])).toEqual([
    [0, false],
    [2, false],
  ]);
});

it('loading an empty page of comments requests no likes', async () => {
  const { client, requested } = createTestClient([]);
  await loadComments(client, { postId: 'post_1', userId: 'user_2' });
  expect(requested).toHaveLength(1);
});

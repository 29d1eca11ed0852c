import type { Announcement, Row } from '@fabrica/backend';
import type { TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestJournal } from '../testing/open-test-journal.ts';
import { announce } from './channels.ts';

let db: TestDatabase;
beforeEach(async () => {
  db = await openTestJournal();
});
afterEach(() => db.close());

const post = {
  user_id: 'ada',
  title: 'Heart',
  content: 'A muscle.',
  image_url: '/storage/journal/posts/1.png',
};

/** Returns the announcements since the last call. */
async function announced(): Promise<Announcement[]> {
  const find = async (table: string, id: string) =>
    (await db.database.reader.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst()) as
      | Row
      | undefined;
  const lists = await Promise.all(db.events.splice(0).map((event) => announce(event, find)));
  return lists.flat();
}

async function create(table: string, row: object): Promise<string> {
  const headers = { prefer: 'return=representation' };
  const { status, body } = await db.service('POST', table, { body: row, headers });
  expect(status).toBe(201);
  return [body].flat()[0].id;
}

it('publishing, changing and removing a post is announced to the gallery and to the post’s readers', async () => {
  const id = await create('journal_posts', { ...post, published: 0 });
  expect(await announced()).toEqual([]);
  const both = (type: string) =>
    ['gallery', `post:${id}`].map((channel) => ({ channel, type, data: { id } }));
  const change = (body: object) => db.service('PATCH', `journal_posts?id=eq.${id}`, { body });
  await change({ title: 'The heart' });
  expect(await announced()).toEqual([]);
  await change({ published: 1 });
  expect(await announced()).toEqual(both('post.published'));
  await change({ title: 'Heart' });
  expect(await announced()).toEqual(both('post.changed'));
  await change({ published: 0 });
  expect(await announced()).toEqual(both('post.removed'));
  await change({ published: 1 });
  await announced();
  await db.service('DELETE', `journal_posts?id=eq.${id}`);
  expect(await announced()).toEqual(both('post.removed'));
});

it('what readers may know of the translations of a post is announced to nobody', async () => {
  const row = { ...post, id: 'post_1', published: 1, updated_at: 1, translations: null };
  const event = {
    projectId: 'journal',
    table: 'journal_posts',
    operation: 'update',
    id: 'post_1',
    changed: ['translations'],
  } as const;
  const after = { ...row, translations: '{"de":{}}' };
  const find = async () => undefined;
  expect(await announce({ ...event, before: row, after }, find)).toEqual([]);
  expect(await announce({ ...event, before: row, after: { ...after, updated_at: 2 } }, find)).toHaveLength(2);
});

it('likes and comments are announced to the readers of their post, without any content', async () => {
  const postId = await create('journal_posts', post);
  await announced();
  const channel = `post:${postId}`;
  const likeId = await create('post_likes', { post_id: postId, user_id: 'ben' });
  expect(await announced()).toEqual([{ channel, type: 'like.created', data: { id: likeId } }]);
  const comment = { post_id: postId, user_id: 'ben', user_name: 'Ben', content: 'A secret.' };
  const commentId = await create('post_comments', comment);
  expect(await announced()).toEqual([{ channel, type: 'comment.created', data: { id: commentId } }]);
  const id = await create('comment_likes', { comment_id: commentId, user_id: 'ada' });
  const data = { id, commentId };
  expect(await announced()).toEqual([{ channel, type: 'comment-like.created', data }]);
  await db.service('DELETE', `comment_likes?id=eq.${id}`);
  expect(await announced()).toEqual([{ channel, type: 'comment-like.deleted', data }]);
  await db.service('DELETE', `post_likes?id=eq.${likeId}`);
  expect(await announced()).toEqual([{ channel, type: 'like.deleted', data: { id: likeId } }]);
});

it('likes of an unpublished post are not announced, and deleting a post announces nothing but that', async () => {
  const draft = await create('journal_posts', { ...post, published: 0 });
  await create('post_likes', { post_id: draft, user_id: 'ada' });
  expect(await announced()).toEqual([]);
  const published = await create('journal_posts', post);
  await create('post_likes', { post_id: published, user_id: 'ada' });
  await announced();
  await db.service('DELETE', `journal_posts?id=eq.${published}`);
  expect((await announced()).map(({ type }) => type)).toEqual(['post.removed', 'post.removed']);
});

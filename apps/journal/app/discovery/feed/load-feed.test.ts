import { createClient } from '@fabrica/client';
import { expect, test } from 'vitest';
import { buildPostRow } from '../../../testing/open-test-journal.ts';
import { loadFeed } from './load-feed.ts';

test('a post whose row no other program should have written is reported, and the feed has the others', async () => {
  const rows = ['post_first', 'post_broken', 'post_last'].map((id) =>
    buildPostRow({ ...{ id, user_id: 'ada', language: 'en' }, cover: id === 'post_broken' ? '{' : null }),
  );
  const fetch = async () => Response.json(rows);
  const client = createClient({
    projectId: 'journal',
    origin: 'https://journal.example',
    secretKey: 'sk_test',
    fetch,
  });
  const failures: unknown[] = [];
  const reportFailure = (error: unknown) => void failures.push(error);
  const posts = await loadFeed({ client, language: 'en', parseMarkdown: async () => null, reportFailure });
  expect(posts.map(({ id }) => id)).toEqual(['post_first', 'post_last']);
  expect(failures.filter((error) => error instanceof SyntaxError)).toHaveLength(1);
});

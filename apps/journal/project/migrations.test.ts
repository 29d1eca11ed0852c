import type { TestDatabase } from '@fabrica/backend/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestJournal } from './build-test-journal.ts';

let db: TestDatabase;

/** SQL of every reading statement, as it reaches the engine. */
const statements: string[] = [];

beforeAll(async () => {
  db = await openTestJournal();
  const { query } = db.database;
  db.database.query = (text, parameters) => {
    statements.push(text);
    return query(text, parameters);
  };
});

afterAll(() => db.close());

/** The lists of product.md section 7, and those of the screens that page and count them. */
test.each([
  'journal_posts?select=id,title,title_en,image_url,created_at&published=eq.1&order=created_at.desc&limit=24',
  'journal_posts?id=eq.p1',
  'post_likes?post_id=eq.p1',
  'post_likes?post_id=eq.p1&user_id=eq.ada',
  'post_comments?post_id=eq.p1&order=created_at.desc',
  'comment_likes?comment_id=eq.c1',
  'comment_likes?comment_id=eq.c1&user_id=eq.ada',
  'comment_likes?comment_id=in.(c1,c2,c3)&user_id=eq.ada',
  'profiles?id=eq.ada',
])('%s is answered by an index, for readers and for authors', async (path) => {
  const author = db.as({
    kind: 'user',
    id: 'ada',
    email: 'ada@example.org',
    displayName: null,
    role: 'author',
  });
  for (const send of [db.anonymous, author]) {
    statements.length = 0;
    expect((await send('GET', path)).status).toBe(200);
    for (const statement of statements) {
      const plan = await sql
        .raw<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
        .execute(db.database.reader);
      const steps = plan.rows.map(({ detail }) => detail);
      expect(steps[0]).toMatch(/^SEARCH .* USING (COVERING )?INDEX/);
      expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
      if (path.includes('order=')) expect(steps).toHaveLength(1);
    }
  }
});

test('the second page of the gallery is found by the index too', async () => {
  for (let at = 0; at < 3; at += 1) {
    await db.service('POST', 'journal_posts', {
      body: { id: `p${at}`, user_id: 'ada', title: 'x', content: 'x', image_url: '/x.png', created_at: 1 },
    });
  }
  const gallery = 'journal_posts?published=eq.1&order=created_at.desc&limit=1';
  const { headers } = await db.anonymous('GET', gallery);
  statements.length = 0;
  const { body } = await db.anonymous('GET', `${gallery}&cursor=${headers.get('x-next-cursor')}`);
  expect(body).toMatchObject([{ id: 'p1' }]);
  const plan = await sql
    .raw<{ detail: string }>(`EXPLAIN QUERY PLAN ${statements[0]}`)
    .execute(db.database.reader);
  expect(plan.rows).toHaveLength(1);
  expect(plan.rows[0]?.detail).toContain('(published=? AND (created_at,id)<(?,?))');
});

import type { Send, TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildPost, openTestJournal } from '../testing/open-test-journal.ts';
import { tables } from './tables.ts';

/**
 * Who may do what (the rules' table in ARCHITECTURE.md). Ada owns the posts `ada-open` and `ada-draft`, Ben a post,
 * and both commented on and liked `ada-open`. Rea has the role `reader`; the service role is bound by nothing.
 */
const roles = ['anonymous', 'ada', 'ben', 'reader', 'admin', 'service'] as const;
type Role = (typeof roles)[number];

let db: TestDatabase;
let as: Record<Role, Send>;

const user = (id: string, role: string, displayName: string | null = null): Send =>
  db.as({ kind: 'user', id, email: `${id}@example.org`, displayName, role });

beforeEach(async () => {
  db = await openTestJournal();
  as = {
    anonymous: db.anonymous,
    ada: user('ada', 'author', 'Ada'),
    ben: user('ben', 'author'),
    reader: user('rea', 'reader'),
    admin: user('root', 'admin'),
    service: db.service,
  };
  const rows: Record<string, unknown[]> = {
    journal_posts: [
      buildPost({ id: 'ada-open', user_id: 'ada' }),
      buildPost({ id: 'ada-draft', user_id: 'ada', published: 0 }),
      buildPost({ id: 'ben-open', user_id: 'ben' }),
    ],
    post_comments: [
      { id: 'c-ada', post_id: 'ada-open', user_id: 'ada', user_name: 'Ada', content: 'Hello' },
      { id: 'c-ben', post_id: 'ada-open', user_id: 'ben', user_name: 'ben@example.org', content: 'Hello' },
      { id: 'c-rea', post_id: 'ben-open', user_id: 'rea', user_name: 'rea@example.org', content: 'Hello' },
    ],
    post_likes: [
      { id: 'l-ada', post_id: 'ada-open', user_id: 'ada' },
      { id: 'l-ben', post_id: 'ada-open', user_id: 'ben' },
    ],
    comment_likes: [
      { id: 'k-ada', comment_id: 'c-ben', user_id: 'ada' },
      { id: 'k-ben', comment_id: 'c-ben', user_id: 'ben' },
    ],
  };
  for (const [table, body] of Object.entries(rows)) {
    expect((await db.service('POST', table, { body })).status).toBe(201);
  }
  db.events.length = 0;
});

afterEach(() => db.close());

/** Status for each role, in the order of `roles`. */
async function statuses(
  act: (send: Send, role: Role) => Promise<{ status: number }>,
): Promise<Record<Role, number>> {
  const entries: [Role, number][] = [];
  for (const role of roles) entries.push([role, (await act(as[role], role)).status]);
  return Object.fromEntries(entries) as Record<Role, number>;
}

const table = (
  anonymous: number,
  ada: number,
  ben: number,
  reader: number,
  admin: number,
  service: number,
): Record<Role, number> => ({ anonymous, ada, ben, reader, admin, service });

describe('reading', () => {
  const seen = async (path: string) => {
    const counts: Record<string, number> = {};
    for (const role of roles) counts[role] = (await as[role]('GET', path)).body.length;
    return counts;
  };

  test('posts are seen when they are published, and one’s own always', async () => {
    expect(await seen('journal_posts')).toEqual(table(2, 3, 2, 2, 2, 3));
    expect(await seen('journal_posts?id=eq.ada-draft')).toEqual(table(0, 1, 0, 0, 0, 1));
    expect(await seen('journal_posts?published=eq.0')).toEqual(table(0, 1, 0, 0, 0, 1));
    expect(await seen('journal_posts?or=(published.eq.0,id.like.*)')).toEqual(table(2, 3, 2, 2, 2, 3));
    expect(await seen('journal_posts?not.and=(published.eq.1)')).toEqual(table(0, 1, 0, 0, 0, 1));
  });

  test('likes, comments and profiles are seen by all', async () => {
    expect(await seen('post_likes')).toEqual(table(2, 2, 2, 2, 2, 2));
    expect(await seen('post_comments')).toEqual(table(3, 3, 3, 3, 3, 3));
    expect(await seen('comment_likes')).toEqual(table(2, 2, 2, 2, 2, 2));
    expect(await seen('profiles')).toEqual(table(3, 3, 3, 3, 3, 3));
  });

  test('a profile never shows the address, and accounts are no table at all', async () => {
    const { body } = await db.anonymous('GET', 'profiles?id=eq.ada');
    expect(body).toEqual([{ id: 'ada', display_name: 'Ada', photo_url: null }]);
    expect((await db.anonymous('GET', 'profiles?select=email')).body.code).toBe('UNKNOWN_COLUMN');
    expect((await db.anonymous('GET', 'profiles?email=eq.ada@example.org')).status).toBe(400);
    expect((await db.service('GET', 'users')).status).toBe(404);
  });
});

describe('creating, as oneself', () => {
  const ids: Record<Role, string> = {
    anonymous: 'nobody',
    ada: 'ada',
    ben: 'ben',
    reader: 'rea',
    admin: 'root',
    service: 'ben',
  };

  test('a post takes an account that may publish', async () => {
    const act = (send: Send, role: Role) =>
      send('POST', 'journal_posts', { body: buildPost({ user_id: ids[role] }) });
    expect(await statuses(act)).toEqual(table(401, 201, 201, 403, 201, 201));
  });

  test('a like takes any account, and is the same one the second time', async () => {
    const like = (send: Send, role: Role) =>
      send('POST', 'post_likes', { body: { post_id: 'ben-open', user_id: ids[role] } });
    expect(await statuses(like)).toEqual(table(401, 201, 201, 201, 201, 200));
    expect(await statuses(like)).toEqual(table(401, 200, 200, 200, 200, 200));
    expect((await db.service('GET', 'post_likes?post_id=eq.ben-open')).body).toHaveLength(4);
    const likeComment = (send: Send, role: Role) =>
      send('POST', 'comment_likes', { body: { comment_id: 'c-rea', user_id: ids[role] } });
    expect(await statuses(likeComment)).toEqual(table(401, 201, 201, 201, 201, 200));
    expect(await statuses(likeComment)).toEqual(table(401, 200, 200, 200, 200, 200));
  });

  test('a comment takes any account, under its own name', async () => {
    const comment = (name: string) => (send: Send, role: Role) =>
      send('POST', 'post_comments', {
        body: { post_id: 'ada-open', user_id: ids[role], user_name: name, content: 'So it is.' },
      });
    expect(await statuses(comment('Ada'))).toEqual(table(401, 201, 403, 403, 403, 201));
    expect(await statuses(comment('ada@example.org'))).toEqual(table(401, 403, 403, 403, 403, 201));
    expect(await statuses(comment('ben@example.org'))).toEqual(table(401, 403, 201, 403, 403, 201));
    expect(await statuses(comment('Anonymous'))).toEqual(table(401, 403, 403, 403, 403, 201));
  });
});

test('nobody creates anything in another’s name', async () => {
  const forged: [string, Record<string, unknown>][] = [
    ['journal_posts', buildPost({ user_id: 'ada' })],
    ['post_likes', { post_id: 'ben-open', user_id: 'ada' }],
    ['post_likes', { post_id: 'ada-open', user_id: 'ada' }],
    ['post_comments', { post_id: 'ada-open', user_id: 'ada', user_name: 'Ada', content: 'x' }],
    ['post_comments', { post_id: 'ada-open', user_id: 'ben', user_name: 'Ada', content: 'x' }],
    ['comment_likes', { comment_id: 'c-rea', user_id: 'ada' }],
  ];
  for (const [name, body] of forged) {
    for (const path of [name, `${name}?on_conflict=id`]) {
      const sent = await statuses((send, role) =>
        role === 'ada' ? send('HEAD', name) : send('POST', path, { body }),
      );
      expect({ ...sent, service: 0 }, name).toEqual(table(401, 200, 403, 403, 403, 0));
    }
  }
  await statuses((send, role) =>
    role === 'service'
      ? send('HEAD', 'post_likes')
      : send('POST', 'post_likes', {
          body: [
            { post_id: 'ben-open', user_id: 'ben' },
            { post_id: 'ben-open', user_id: 'ada' },
          ],
        }),
  );
  expect((await db.service('GET', 'post_likes?post_id=eq.ben-open&user_id=neq.ada')).body).toEqual([]);
});

describe('changing', () => {
  test('posts are changed by their owners alone', async () => {
    const edit = (send: Send) => send('PATCH', 'journal_posts?id=eq.ada-open', { body: { title: 'Lung' } });
    expect(await statuses(edit)).toEqual(table(401, 204, 403, 403, 403, 204));
    const draft = (send: Send) => send('PATCH', 'journal_posts?id=eq.ada-draft', { body: { title: 'Lung' } });
    expect({ ...(await statuses(draft)), ada: 0, service: 0 }).toEqual(table(401, 0, 204, 204, 204, 0));
    expect((await db.service('GET', 'journal_posts?id=eq.ben-open')).body).toMatchObject([
      { title: 'Heart' },
    ]);
  });

  test('a post cannot be given away, dated back or renamed', async () => {
    for (const change of [{ user_id: 'ben' }, { created_at: 1 }, { id: 'mine' }]) {
      const { status } = await as.ada('PATCH', 'journal_posts?id=eq.ada-open', { body: change });
      expect(status, JSON.stringify(change)).toBe(403);
    }
    await as.ada('PATCH', 'journal_posts?id=eq.ada-open', { body: { title: 'Lung', updated_at: 5 } });
    const { body } = await db.service('GET', 'journal_posts?id=eq.ada-open');
    expect(body[0].updated_at).toBeGreaterThan(body[0].created_at - 1);
  });

  test('everybody else’s posts stay as they are when all are meant', async () => {
    const edit = await as.ben('PATCH', 'journal_posts?id=neq.x', { body: { title: 'Ben’s' } });
    expect(edit.status).toBe(204);
    const { body } = await db.service('GET', 'journal_posts?title=eq.Ben’s');
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['ben-open']);
  });

  test.each([
    ['post_likes', 'l-ben', { user_id: 'ada' }],
    ['post_comments', 'c-ben', { content: 'Changed' }],
    ['comment_likes', 'k-ben', { user_id: 'ada' }],
  ])('%s are never changed', async (name, id, change) => {
    const edit = (send: Send) => send('PATCH', `${name}?id=eq.${id}`, { body: change });
    expect({ ...(await statuses(edit)), service: 0 }).toEqual(table(401, 403, 403, 403, 403, 0));
  });

  test('an upsert opens nothing that a change would not', async () => {
    const upsert = (name: string, body: Record<string, unknown>) =>
      statuses((send, role) =>
        role === 'service' ? send('HEAD', name) : send('POST', `${name}?on_conflict=id`, { body }),
      );
    expect(await upsert('journal_posts', { id: 'ben-open', title: 'Mine', user_id: 'ada' })).toEqual(
      table(401, 403, 403, 403, 403, 200),
    );
    expect(await upsert('post_comments', { id: 'c-ben', content: 'Changed' })).toEqual(
      table(401, 403, 403, 403, 403, 200),
    );
    expect((await db.service('GET', 'post_comments?id=eq.c-ben')).body).toMatchObject([{ content: 'Hello' }]);
  });
});

describe('deleting', () => {
  /** Each role tries on a database of its own, for the first one to succeed would leave nothing to the others. */
  test.each([
    ['journal_posts', 'ada-open', table(401, 204, 403, 403, 403, 204)],
    ['journal_posts', 'ada-draft', table(401, 204, 204, 204, 204, 204)],
    ['post_likes', 'l-ben', table(401, 403, 204, 403, 403, 204)],
    ['post_comments', 'c-ben', table(401, 204, 204, 403, 403, 204)],
    ['post_comments', 'c-ada', table(401, 204, 403, 403, 403, 204)],
    ['post_comments', 'c-rea', table(401, 403, 204, 204, 403, 204)],
    ['comment_likes', 'k-ada', table(401, 204, 403, 403, 403, 204)],
    ['comment_likes', 'k-ben', table(401, 403, 204, 403, 403, 204)],
  ])('%s %s', async (name, id, expected) => {
    const { body: rows } = await db.service('GET', `${name}?id=eq.${id}`);
    const remove = async (send: Send) => {
      const answer = await send('DELETE', `${name}?id=eq.${id}`);
      const { body: left } = await db.service('GET', `${name}?id=eq.${id}`);
      if (answer.status !== 204) expect(left).toEqual(rows);
      if (left.length === 0) await db.service('POST', name, { body: rows });
      return answer;
    };
    expect(await statuses(remove)).toEqual(expected);
  });

  test('a draft that nobody else sees is not deleted by anybody else', async () => {
    for (const role of ['ben', 'reader', 'admin'] as const) {
      await as[role]('DELETE', 'journal_posts?id=eq.ada-draft');
    }
    expect((await as.ada('GET', 'journal_posts?id=eq.ada-draft')).body).toHaveLength(1);
  });

  test('a post takes its likes, comments and their likes along', async () => {
    await as.ada('DELETE', 'journal_posts?id=eq.ada-open');
    expect((await db.service('GET', 'post_likes')).body).toEqual([]);
    expect((await db.service('GET', 'comment_likes')).body).toEqual([]);
    expect((await db.service('GET', 'post_comments')).body).toMatchObject([{ id: 'c-rea' }]);
    const told = db.events.map(({ table: name, id }) => `${name}/${id}`);
    expect(told[0]).toBe('journal_posts/ada-open');
    expect(told.slice(1).sort()).toEqual([
      'comment_likes/k-ada',
      'comment_likes/k-ben',
      'post_comments/c-ada',
      'post_comments/c-ben',
      'post_likes/l-ada',
      'post_likes/l-ben',
    ]);
  });
});

test('profiles are written by nobody here', async () => {
  for (const [method, body] of [
    ['POST', { id: 'x' }],
    ['PATCH', { display_name: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const write = (send: Send) => send(method, `profiles${method === 'POST' ? '' : '?id=eq.ada'}`, { body });
    expect(await statuses(write)).toEqual(table(401, 403, 403, 403, 403, 405));
  }
});

test('nothing is said of a post by those who cannot read it', async () => {
  const say = (send: Send, id: string, name: string) => [
    send('POST', 'post_likes', { body: { post_id: 'ada-draft', user_id: id } }),
    send('POST', 'post_comments', {
      body: { post_id: 'ada-draft', user_id: id, user_name: name, content: 'Seen' },
    }),
    send('POST', 'comment_likes', { body: { comment_id: 'c-draft', user_id: id } }),
  ];
  await db.service('POST', 'post_comments', {
    body: { id: 'c-draft', post_id: 'ada-draft', user_id: 'ada', user_name: 'Ada', content: 'To do' },
  });
  const strange = await Promise.all(say(as.ben, 'ben', 'ben@example.org'));
  expect(strange.map(({ status }) => status)).toEqual([403, 403, 403]);
  const own = await Promise.all(say(as.ada, 'ada', 'Ada'));
  expect(own.map(({ status }) => status)).toEqual([201, 201, 201]);
});

test('a post’s picture has an address of the web, and no script for one', async () => {
  const publish = async (address: string) =>
    (
      await as.ada('POST', 'journal_posts', {
        body: buildPost({ user_id: 'ada', image_url: address }),
      })
    ).status;
  for (const address of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//elsewhere.example/x.png',
    'x.png',
    '/x.png"><script>',
    '/x y.png',
  ])
    expect(await publish(address), address).toBe(400);
  for (const address of [
    '/storage/journal/posts/1.png?v=ab',
    'https://cdn.example/1.png',
    'http://[::1]/1.png',
  ])
    expect(await publish(address), address).toBe(201);
});

test('a post’s picture may have a size and a placeholder, which its owner changes with it', async () => {
  const image = {
    image_width: 1280,
    image_height: 1600,
    image_placeholder: 'jAcKBgI4R5hniAeXqIZ5h3iHVnlwhQc=',
  };
  const change = (send: Send, body: Record<string, unknown>) =>
    send('PATCH', 'journal_posts?id=eq.ada-open', { body, headers: { prefer: 'return=representation' } });
  expect((await change(as.ada, image)).body).toMatchObject([image]);
  expect((await change(as.ben, image)).status).toBe(403);
  for (const body of [
    { image_width: 0 },
    { image_height: 1.5 },
    { image_width: '1280' },
    { image_placeholder: 'url(//elsewhere.example)' },
    { image_placeholder: 'A'.repeat(101) },
  ])
    expect((await change(as.ada, body)).status, JSON.stringify(body)).toBe(400);
});

test('which translations a post lacks is said by its owner, in one form', async () => {
  const change = (send: Send, untranslated: unknown) =>
    send('PATCH', 'journal_posts?id=eq.ada-open', { body: { untranslated } });
  const all = ['title', 'content'].flatMap((field) =>
    ['en', 'es', 'fr', 'de'].map((language) => `${field}:${language}`),
  );
  for (const parts of ['title:de', 'content:fr,title:es', all.join(','), null])
    expect((await change(as.ada, parts)).status, String(parts)).toBe(204);
  expect((await change(as.ben, 'title:de')).status).toBe(403);
  for (const parts of [
    '',
    'de',
    'title:it',
    'title:de,',
    'image:de',
    ' title:de',
    [...all, ...all].join(','),
    1,
  ])
    expect((await change(as.ada, parts)).status, String(parts)).toBe(400);
});

test('limits of the journal’s own texts', async () => {
  const comment = (content: unknown) =>
    as.ben('POST', 'post_comments', {
      body: { post_id: 'ada-open', user_id: 'ben', user_name: 'ben@example.org', content },
      headers: { prefer: 'return=representation' },
    });
  for (const content of ['', ' \n\t ', 'x'.repeat(5_001), 5, null, 'a\0']) {
    expect((await comment(content)).status).toBe(400);
  }
  expect((await comment(` ${'x'.repeat(5_000)} `)).body[0].content).toHaveLength(5_000);
  for (const field of ['title', 'content', 'image_url'] as const) {
    const { status } = await as.ada('POST', 'journal_posts', {
      body: buildPost({ user_id: 'ada', [field]: ' ' }),
    });
    expect(status, field).toBe(400);
  }
});

test('every table has rules', () => {
  for (const [name, { policies }] of Object.entries(tables))
    expect(Object.keys(policies), name).toContain('anonymous');
});

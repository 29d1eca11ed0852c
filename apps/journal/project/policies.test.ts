import type { SendTestRequest, TestDatabase } from '@fabrica/backend/testing/database/build-test-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPostRow, openTestJournal } from '../testing/open-test-journal.ts';
import { tables } from './tables.ts';

/**
 * These are the callers of the table of rules in ARCHITECTURE.md. Ada owns the posts `ada-open` and `ada-draft`, Ben
 * a post, and both commented on and liked `ada-open`. Rea has the role `reader`, Eda `editor`; no policy applies to the
 * service role.
 */
const roles = ['anonymous', 'ada', 'ben', 'reader', 'editor', 'admin', 'service'] as const;
type Role = (typeof roles)[number];

let db: TestDatabase;
let as: Record<Role, SendTestRequest>;

const user = (id: string, role: string, displayName: string | null = null): SendTestRequest =>
  db.as({ kind: 'user', id, email: `${id}@example.org`, displayName, role });

beforeAll(async () => {
  db = await openTestJournal();
  as = {
    anonymous: db.anonymous,
    ada: user('ada', 'author', 'Ada'),
    ben: user('ben', 'author'),
    reader: user('rea', 'reader'),
    editor: user('eda', 'editor'),
    admin: user('root', 'admin'),
    service: db.service,
  };
  await createRows();
});

/** Restores the rows if a test has written some. */
beforeEach(async () => {
  if (db.events.length === 0) return;
  expect((await db.service('DELETE', 'journal_posts?id=not.is.null')).status).toBe(204);
  await createRows();
});

afterAll(() => db.close());

const rows: Record<string, unknown[]> = {
  journal_posts: [
    buildPostRow({ id: 'ada-open', user_id: 'ada' }),
    buildPostRow({ id: 'ada-draft', user_id: 'ada', published: 0 }),
    buildPostRow({ id: 'ben-open', user_id: 'ben' }),
  ],
  post_comments: [
    { id: 'c-ada', post_id: 'ada-open', user_id: 'ada', user_name: 'Ada', content: 'Hello' },
    { id: 'c-ben', post_id: 'ada-open', user_id: 'ben', user_name: 'Anonymous', content: 'Hello' },
    { id: 'c-rea', post_id: 'ben-open', user_id: 'rea', user_name: 'Anonymous', content: 'Hello' },
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

async function createRows(): Promise<void> {
  for (const [table, body] of Object.entries(rows)) {
    expect((await db.service('POST', table, { body })).status).toBe(201);
  }
  db.events.length = 0;
}

/** Returns the status of the response to each role. */
async function statuses(
  act: (send: SendTestRequest, role: Role) => Promise<{ status: number }>,
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
  editor: number,
  admin: number,
  service: number,
): Record<Role, number> => ({ anonymous, ada, ben, reader, editor, admin, service });

describe('reading', () => {
  const seen = async (path: string) => {
    const counts: Record<string, number> = {};
    for (const role of roles) counts[role] = (await as[role]('GET', path)).body.length;
    return counts;
  };

  test('published posts are visible to everyone, and unpublished ones to their owners and editors', async () => {
    expect(await seen('journal_posts')).toEqual(table(2, 3, 2, 2, 3, 3, 3));
    expect(await seen('journal_posts?id=eq.ada-draft')).toEqual(table(0, 1, 0, 0, 1, 1, 1));
    expect(await seen('journal_posts?published=eq.0')).toEqual(table(0, 1, 0, 0, 1, 1, 1));
    expect(await seen('journal_posts?or=(published.eq.0,id.like.*)')).toEqual(table(2, 3, 2, 2, 3, 3, 3));
    expect(await seen('journal_posts?not.and=(published.eq.1)')).toEqual(table(0, 1, 0, 0, 1, 1, 1));
  });

  test('likes and comments of published posts are visible to everyone, and a profile to those who know its id', async () => {
    expect(await seen('post_likes')).toEqual(table(2, 2, 2, 2, 2, 2, 2));
    expect(await seen('post_comments')).toEqual(table(3, 3, 3, 3, 3, 3, 3));
    expect(await seen('comment_likes')).toEqual(table(2, 2, 2, 2, 2, 2, 2));
    expect(await seen('profiles?id=eq.ben')).toEqual(table(1, 1, 1, 1, 1, 1, 1));
    expect(await seen('profiles?id=in.(ada,ben)&select=id')).toEqual(table(2, 2, 2, 2, 2, 2, 2));
    expect(await seen('profiles?or=(id.eq.ada,id.eq.ben)')).toEqual(table(2, 2, 2, 2, 2, 2, 2));
  });

  test('the likes and comments of a withdrawn post are read and counted by its owner, editors and those who gave them', async () => {
    const lists = ['post_likes?post_id=eq.ada-open', 'post_comments?post_id=eq.ada-open', 'comment_likes'];
    const found = async (path: string) => {
      const count = { headers: { prefer: 'count=exact' } };
      const counts: Record<string, number> = {};
      for (const role of roles) {
        const { body, headers } = await as[role]('GET', path, count);
        counts[role] = body.length;
        expect(headers.get('content-range')?.split('/')[1], `${role} ${path}`).toBe(`${body.length}`);
      }
      return counts;
    };
    // A response that is cached is read twice before.
    for (const path of [...lists, ...lists]) expect(await found(path)).toEqual(table(2, 2, 2, 2, 2, 2, 2));
    await db.service('PATCH', 'journal_posts?id=eq.ada-open', { body: { published: 0 } });
    for (const path of lists) expect(await found(path), path).toEqual(table(0, 2, 1, 0, 2, 2, 2));
    expect(await seen('post_comments')).toEqual(table(1, 3, 2, 1, 3, 3, 3));
    expect(await seen('post_comments?id=eq.c-ada')).toEqual(table(0, 1, 0, 0, 1, 1, 1));
    expect(await seen('comment_likes?or=(id.eq.k-ada,comment_id.eq.c-none)')).toEqual(
      table(0, 1, 0, 0, 1, 1, 1),
    );
    expect((await as.ben('DELETE', 'post_comments?id=eq.c-ben')).status).toBe(204);
    expect((await db.service('GET', 'post_comments?id=eq.c-ben')).body).toEqual([]);
  });

  test('comments of a hidden account are readable to nobody but the service role, and again once it is shown', async () => {
    const hide = (hidden_at: number | null) =>
      db.database.writer.updateTable('users').set({ hidden_at }).where('id', '=', 'ben').execute();
    await hide(1);
    expect(await seen('post_comments')).toEqual(table(2, 2, 2, 2, 2, 2, 3));
    expect(await seen('post_comments?id=eq.c-ben')).toEqual(table(0, 0, 0, 0, 0, 0, 1));
    expect(await statuses((send) => send('GET', 'hidden_accounts'))).toEqual(
      table(401, 403, 403, 403, 403, 403, 200),
    );
    await hide(null);
    expect(await seen('post_comments')).toEqual(table(3, 3, 3, 3, 3, 3, 3));
  });

  test.each([
    'profiles',
    'profiles?display_name=ilike.*a*',
    'profiles?id=like.*',
    'profiles?id=neq.nobody',
    'profiles?id=not.in.(nobody)',
    'profiles?id=gte.a&order=id',
    'profiles?or=(id.eq.ada,display_name.not.is.null)',
    'profiles?not.and=(id.eq.nobody)',
    'profiles?select=id&limit=1',
  ])('nobody but the service role lists accounts by %s', async (path) => {
    expect(await statuses((send) => send('GET', path))).toEqual(table(400, 400, 400, 400, 400, 400, 200));
    expect((await db.anonymous('GET', path)).body.code).toBe('FILTER_REQUIRED');
  });

  /** Everybody may know how many likes there are, and nobody whose they are but for one's own. */
  describe.each([
    ['post_likes', 'l-', 'post_id=eq.ada-open'],
    ['comment_likes', 'k-', 'comment_id=eq.c-ben'],
  ])('%s', (likes, prefix, of) => {
    const read = async (query: string) => (await db.anonymous('GET', `${likes}?${query}`)).body;

    test('all count likes, and nobody sees whose they are but for their own', async () => {
      const hidden = [null, null];
      const owners: Record<Role, (string | null)[]> = {
        anonymous: hidden,
        ada: ['ada', null],
        ben: [null, 'ben'],
        reader: hidden,
        editor: hidden,
        admin: hidden,
        service: ['ada', 'ben'],
      };
      for (const [role, expected] of Object.entries(owners)) {
        const { body } = await as[role as Role]('GET', `${likes}?${of}&order=id`);
        expect(body.map(({ user_id }: { user_id: unknown }) => user_id)).toEqual(expected);
      }
      const counted = await db.anonymous('GET', `${likes}?${of}&limit=1`, {
        headers: { prefer: 'count=exact' },
      });
      expect(counted.headers.get('content-range')).toBe('0-0/2');
      expect(await read(`${of}&select=user_id`)).toEqual([{ user_id: null }, { user_id: null }]);
      const one = { headers: { accept: 'application/vnd.pgrst.object+json' } };
      const { body } = await db.anonymous('GET', `${likes}?id=eq.${prefix}ada&select=id,user_id`, one);
      expect(body).toEqual({ id: `${prefix}ada`, user_id: null });
    });

    test('an account finds its own likes', async () => {
      expect((await as.ada('GET', `${likes}?${of}&user_id=eq.ada`)).body).toMatchObject([
        { id: `${prefix}ada`, user_id: 'ada' },
      ]);
    });

    test.each([
      'user_id=eq.ben',
      'user_id=in.(ben,nobody)',
      'user_id=like.b*',
      'user_id=ilike.B*',
      'user_id=neq.ada',
      'user_id=gt.aaa&user_id=lt.zzz',
      'or=(user_id.eq.ben,user_id.eq.nobody)',
      'and=(id.not.is.null,user_id.eq.ben)',
      'user_id=is.null',
    ])('strangers find no likes by %s', async (query) => {
      expect(await read(query)).toEqual([]);
      expect((await as.reader('GET', `${likes}?${query}`)).body).toEqual([]);
    });

    test.each(['user_id=not.eq.', 'not.and=(user_id.eq.', 'user_id=not.in.(', 'or=(id.eq.x,user_id.not.eq.'])(
      'strangers learn nothing from %s',
      async (start) => {
        const end = start.includes('(') ? ')' : '';
        for (const send of [as.anonymous, as.reader, as.ada]) {
          const [known, unknown] = await Promise.all(
            ['ben', 'nobody'].map(async (id) => (await send('GET', `${likes}?${start}${id}${end}`)).body),
          );
          expect(known).toEqual(unknown);
        }
      },
    );

    test('nobody sorts likes by whose they are', async () => {
      expect(await statuses((send) => send('GET', `${likes}?order=user_id`))).toEqual(
        table(400, 400, 400, 400, 400, 400, 200),
      );
      expect((await db.anonymous('GET', `${likes}?order=created_at,user_id.desc`)).status).toBe(400);
    });
  });

  test('a profile never contains the e-mail address, and the table of accounts is not accessible', async () => {
    const { body } = await db.anonymous('GET', 'profiles?id=eq.ada');
    expect(body).toEqual([{ id: 'ada', display_name: 'Ada', photo_url: null }]);
    expect((await db.anonymous('GET', 'profiles?select=email')).body.code).toBe('UNKNOWN_COLUMN');
    expect((await db.anonymous('GET', 'profiles?email=eq.ada@example.org')).status).toBe(400);
    expect((await db.service('GET', 'users')).status).toBe(404);
  });
});

describe('creating rows in one’s own name', () => {
  const ids: Record<Role, string> = {
    anonymous: 'nobody',
    ada: 'ada',
    ben: 'ben',
    reader: 'rea',
    editor: 'eda',
    admin: 'root',
    service: 'ben',
  };

  test('a post can be created by accounts with the permission to publish', async () => {
    const act = (send: SendTestRequest, role: Role) =>
      send('POST', 'journal_posts', { body: buildPostRow({ user_id: ids[role] }) });
    expect(await statuses(act)).toEqual(table(401, 201, 201, 403, 201, 201, 201));
  });

  test('a like can be created by any account, and a second one is the same like', async () => {
    const like = (send: SendTestRequest, role: Role) =>
      send('POST', 'post_likes', { body: { post_id: 'ben-open', user_id: ids[role] } });
    expect(await statuses(like)).toEqual(table(401, 201, 201, 201, 201, 201, 200));
    expect(await statuses(like)).toEqual(table(401, 200, 200, 200, 200, 200, 200));
    expect((await db.service('GET', 'post_likes?post_id=eq.ben-open')).body).toHaveLength(5);
    const likeComment = (send: SendTestRequest, role: Role) =>
      send('POST', 'comment_likes', { body: { comment_id: 'c-rea', user_id: ids[role] } });
    expect(await statuses(likeComment)).toEqual(table(401, 201, 201, 201, 201, 201, 200));
    expect(await statuses(likeComment)).toEqual(table(401, 200, 200, 200, 200, 200, 200));
  });

  test('a comment of any account has the account’s public name, whatever was sent', async () => {
    const names: Record<string, unknown> = {};
    for (const sent of ['Ada', 'ben@example.org', 'Anonymous', undefined]) {
      const comment = (send: SendTestRequest, role: Role) =>
        send('POST', 'post_comments', {
          body: { post_id: 'ada-open', user_id: ids[role], user_name: sent, content: 'So it is.' },
          headers: { prefer: 'return=representation' },
        }).then((response) => {
          if (response.status === 201) names[`${role} as ${sent}`] = response.body[0].user_name;
          return response;
        });
      const service = sent === 'ben@example.org' || sent === undefined ? 400 : 201;
      expect(await statuses(comment)).toEqual(table(401, 201, 201, 201, 201, 201, service));
    }
    for (const [written, name] of Object.entries(names)) {
      if (!written.startsWith('service'))
        expect(name, written).toBe(written.startsWith('ada') ? 'Ada' : 'Anonymous');
    }
  });

  test('a display name that is an e-mail address is never the name of a comment', async () => {
    const eve = user('eve', 'reader', 'Eve <eve@example.org>');
    const { body } = await eve('POST', 'post_comments', {
      body: { post_id: 'ada-open', user_id: 'eve', content: 'So it is.' },
      headers: { prefer: 'return=representation' },
    });
    expect(body).toMatchObject([{ user_name: 'Anonymous' }]);
  });
});

test('nobody can create a row in another account’s name', async () => {
  const forged: [string, Record<string, unknown>][] = [
    ['journal_posts', buildPostRow({ user_id: 'ada' })],
    ['post_likes', { post_id: 'ben-open', user_id: 'ada' }],
    ['post_likes', { post_id: 'ada-open', user_id: 'ada' }],
    ['post_comments', { post_id: 'ada-open', user_id: 'ada', user_name: 'Ada', content: 'x' }],
    ['comment_likes', { comment_id: 'c-rea', user_id: 'ada' }],
  ];
  for (const [name, body] of forged) {
    for (const path of [name, `${name}?on_conflict=id`]) {
      const sent = await statuses((send, role) =>
        role === 'ada' ? send('HEAD', name) : send('POST', path, { body }),
      );
      expect({ ...sent, service: 0 }, name).toEqual(table(401, 200, 403, 403, 403, 403, 0));
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
  test('a post can be changed by its owner and by editors alone', async () => {
    const edit = (send: SendTestRequest) =>
      send('PATCH', 'journal_posts?id=eq.ada-open', { body: { title: 'Lung' } });
    expect(await statuses(edit)).toEqual(table(401, 204, 403, 403, 204, 204, 204));
    const draft = (send: SendTestRequest) =>
      send('PATCH', 'journal_posts?id=eq.ada-draft', { body: { title: 'Lung' } });
    expect({ ...(await statuses(draft)), ada: 0, service: 0 }).toEqual(table(401, 0, 204, 204, 204, 204, 0));
    expect((await db.service('GET', 'journal_posts?id=eq.ben-open')).body).toMatchObject([
      { title: 'Heart' },
    ]);
  });

  test('the owner, creation time and id of a post cannot be changed', async () => {
    for (const change of [{ user_id: 'ben' }, { created_at: 1 }, { id: 'mine' }]) {
      const { status } = await as.ada('PATCH', 'journal_posts?id=eq.ada-open', { body: change });
      expect(status, JSON.stringify(change)).toBe(403);
    }
    await as.ada('PATCH', 'journal_posts?id=eq.ada-open', { body: { title: 'Lung', updated_at: 5 } });
    const { body } = await db.service('GET', 'journal_posts?id=eq.ada-open');
    expect(body[0].updated_at).toBeGreaterThan(body[0].created_at - 1);
  });

  test('a change of all posts changes only the caller’s own', async () => {
    const edit = await as.ben('PATCH', 'journal_posts?id=neq.x', { body: { title: 'Ben’s' } });
    expect(edit.status).toBe(204);
    const { body } = await db.service('GET', 'journal_posts?title=eq.Ben’s');
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['ben-open']);
  });

  test.each([
    ['post_likes', 'l-ben', { user_id: 'ada' }],
    ['post_comments', 'c-ben', { content: 'Changed' }],
    ['comment_likes', 'k-ben', { user_id: 'ada' }],
  ])('rows of %s cannot be changed', async (name, id, change) => {
    const edit = (send: SendTestRequest) => send('PATCH', `${name}?id=eq.${id}`, { body: change });
    expect({ ...(await statuses(edit)), service: 0 }).toEqual(table(401, 403, 403, 403, 403, 403, 0));
  });

  test('an upsert changes no row that an update may not change', async () => {
    const upsert = (name: string, body: Record<string, unknown>) =>
      statuses((send, role) =>
        role === 'service' ? send('HEAD', name) : send('POST', `${name}?on_conflict=id`, { body }),
      );
    expect(await upsert('journal_posts', { id: 'ben-open', title: 'Mine', user_id: 'ada' })).toEqual(
      table(401, 403, 403, 403, 403, 403, 200),
    );
    expect(await upsert('post_comments', { id: 'c-ben', content: 'Changed' })).toEqual(
      table(401, 403, 403, 403, 403, 403, 200),
    );
    expect((await db.service('GET', 'post_comments?id=eq.c-ben')).body).toMatchObject([{ content: 'Hello' }]);
  });
});

describe('deleting', () => {
  /** A deleted row is created again, so that each role finds it. */
  test.each([
    ['journal_posts', 'ada-open', table(401, 204, 403, 403, 204, 204, 204)],
    ['journal_posts', 'ada-draft', table(401, 204, 204, 204, 204, 204, 204)],
    ['post_likes', 'l-ben', table(401, 403, 204, 403, 403, 403, 204)],
    ['post_comments', 'c-ben', table(401, 204, 204, 403, 204, 204, 204)],
    ['post_comments', 'c-ada', table(401, 204, 403, 403, 204, 204, 204)],
    ['post_comments', 'c-rea', table(401, 403, 204, 204, 204, 204, 204)],
    ['comment_likes', 'k-ada', table(401, 204, 403, 403, 403, 403, 204)],
    ['comment_likes', 'k-ben', table(401, 403, 204, 403, 403, 403, 204)],
  ])(
    'the row of %s with the id %s can be deleted by the expected roles alone',
    async (name, id, expected) => {
      const { body: rows } = await db.service('GET', `${name}?id=eq.${id}`);
      const remove = async (send: SendTestRequest) => {
        const response = await send('DELETE', `${name}?id=eq.${id}`);
        const { body: left } = await db.service('GET', `${name}?id=eq.${id}`);
        if (response.status !== 204) expect(left).toEqual(rows);
        if (left.length === 0) await db.service('POST', name, { body: rows });
        return response;
      };
      expect(await statuses(remove)).toEqual(expected);
    },
  );

  test('a draft cannot be deleted by those who cannot see it', async () => {
    for (const role of ['ben', 'reader'] as const) {
      await as[role]('DELETE', 'journal_posts?id=eq.ada-draft');
    }
    expect((await as.ada('GET', 'journal_posts?id=eq.ada-draft')).body).toHaveLength(1);
  });

  test('deleting a post deletes its likes, its comments and their likes', async () => {
    await as.ada('DELETE', 'journal_posts?id=eq.ada-open');
    expect((await db.service('GET', 'post_likes')).body).toEqual([]);
    expect((await db.service('GET', 'comment_likes')).body).toEqual([]);
    expect((await db.service('GET', 'post_comments')).body).toMatchObject([{ id: 'c-rea' }]);
    const changed = db.events.map(({ table: name, id }) => `${name}/${id}`);
    expect(changed[0]).toBe('journal_posts/ada-open');
    expect(changed.slice(1).sort()).toEqual([
      'comment_likes/k-ada',
      'comment_likes/k-ben',
      'post_comments/c-ada',
      'post_comments/c-ben',
      'post_likes/l-ada',
      'post_likes/l-ben',
    ]);
  });
});

test('profiles cannot be written through the database API', async () => {
  for (const [method, body] of [
    ['POST', { id: 'x' }],
    ['PATCH', { display_name: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const write = (send: SendTestRequest) =>
      send(method, `profiles${method === 'POST' ? '' : '?id=eq.ada'}`, { body });
    expect(await statuses(write)).toEqual(table(401, 403, 403, 403, 403, 403, 405));
  }
});

test('likes and comments cannot be created on a post that the caller cannot read', async () => {
  const engage = (send: SendTestRequest, id: string, name: string) => [
    send('POST', 'post_likes', { body: { post_id: 'ada-draft', user_id: id } }),
    send('POST', 'post_comments', {
      body: { post_id: 'ada-draft', user_id: id, user_name: name, content: 'Seen' },
    }),
    send('POST', 'comment_likes', { body: { comment_id: 'c-draft', user_id: id } }),
  ];
  await db.service('POST', 'post_comments', {
    body: { id: 'c-draft', post_id: 'ada-draft', user_id: 'ada', user_name: 'Ada', content: 'To do' },
  });
  const strange = await Promise.all(engage(as.ben, 'ben', 'ben@example.org'));
  expect(strange.map(({ status }) => status)).toEqual([403, 403, 403]);
  const own = await Promise.all(engage(as.ada, 'ada', 'Ada'));
  expect(own.map(({ status }) => status)).toEqual([201, 201, 201]);
});

test('a post’s image has a path or a URL of this site, in no spelling one of another site, and never a script URL', async () => {
  const publish = async (url: string) =>
    (
      await as.ada('POST', 'journal_posts', {
        body: buildPostRow({ user_id: 'ada', image_url: url }),
      })
    ).status;
  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    '//elsewhere.example/x.png',
    '/\\elsewhere.example/x.png',
    'https:/\\elsewhere.example/x.png',
    'https://elsewhere.example/x.png',
    'https://cdn.example@elsewhere.example/x.png',
    'x.png',
    '/x.png"><script>',
    '/x y.png',
  ])
    expect(await publish(url), url).toBe(400);
  for (const url of ['/storage/journal/posts/1.png?v=ab', 'https://cdn.example/1.png', 'http://[::1]/1.png'])
    expect(await publish(url), url).toBe(201);
});

test('the size and the placeholder of a post’s image can be changed by its owner', async () => {
  const image = {
    image_width: 1280,
    image_height: 1600,
    image_placeholder: 'jAcKBgI4R5hniAeXqIZ5h3iHVnlwhQc=',
  };
  const change = (send: SendTestRequest, body: Record<string, unknown>) =>
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

test('the list of missing translations is set by the post’s owner in one format', async () => {
  const change = (send: SendTestRequest, untranslated: unknown) =>
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

test('comments and posts have limits for the length of their texts', async () => {
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
      body: buildPostRow({ user_id: 'ada', [field]: ' ' }),
    });
    expect(status, field).toBe(400);
  }
});

test('the tables of the desk are the secret key’s, and slugs can be read with their posts', async () => {
  const times = { created_at: 1, updated_at: 1 };
  const draft = {
    ...{
      id: 'ada-open',
      user_id: 'ada',
      version: 1,
      state: 'published',
      changed: 0,
      title: 'Heart',
      people: '',
    },
    ...{ languages: 'en', revisions: 0, revised_at: 1, ...times, document: '{}' },
  };
  const revision = { id: 'r1', post_id: 'ada-open', user_id: 'ada', number: 1, kind: 'saved', created_at: 1 };
  const slug = { language: 'en', current: 1, created_at: 1 };
  const rows: Record<string, Record<string, unknown>> = {
    post_drafts: draft,
    post_revisions: { ...revision, document: '{}' },
    post_previews: { id: 'hash', post_id: 'ada-open', user_id: 'ada', created_at: 1, expires_at: 2 },
    post_files: { id: 'f1', post_id: 'ada-open', user_id: 'ada', url: '/x.png' },
    post_slugs: { id: 'heart', post_id: 'ada-open', ...slug },
  };
  for (const [name, body] of Object.entries(rows)) {
    const create = (send: SendTestRequest) => send('POST', name, { body });
    expect(await statuses(create), name).toEqual(table(401, 403, 403, 403, 403, 403, 201));
    const reading = await statuses((send) => send('GET', name));
    const closed = table(401, 403, 403, 403, 403, 403, 200);
    expect(reading, name).toEqual(name === 'post_slugs' ? table(200, 200, 200, 200, 200, 200, 200) : closed);
    const change = (send: SendTestRequest) => send('PATCH', `${name}?id=neq.x`, { body: { user_id: 'ben' } });
    if (name !== 'post_slugs')
      expect({ ...(await statuses(change)), service: 0 }).toEqual({ ...closed, service: 0 });
  }
  await db.service('POST', 'post_slugs', { body: { id: 'draft', post_id: 'ada-draft', ...slug } });
  expect((await db.anonymous('GET', 'post_slugs')).body).toMatchObject([{ id: 'heart' }]);
});

test('the format, references and people of a post have one form, also when another program writes them', async () => {
  const change = (body: Record<string, unknown>) => as.ada('PATCH', 'journal_posts?id=eq.ada-open', { body });
  for (const body of [
    { content_format: 'markdown' },
    { cover: '{"focal":[50,20],"alt":{"de":"Ein Herz"}}' },
    { sources: '[{"id":"a","type":"book"}]' },
    { byline: '[{"name":"Ada","role":"author"}]' },
    { pictures: '[{"url":"/storage/journal/posts/1.webp","alt":{"de":"Ein Herz"},"caption":{}}]' },
    { content_format: null, cover: null, sources: null, byline: null, pictures: null },
  ])
    expect((await change(body)).status, JSON.stringify(body)).toBe(204);
  for (const body of [
    { content_format: 'html' },
    { cover: '{"focal":[50,120]}' },
    { cover: '{' },
    { sources: '[{"id":"a","type":"book"},{"id":"a","type":"book"}]' },
    { sources: '[{"type":"book"}]' },
    { byline: '[{"name":" ","role":"author"}]' },
    { byline: '[{"name":"Ada","role":"owner"}]' },
    { byline: '[{"name":"Ada <ada@example.org>","role":"author"}]' },
    { pictures: '[{"url":"javascript:alert(1)","alt":{},"caption":{}}]' },
    { pictures: '{}' },
  ])
    expect((await change(body)).status, JSON.stringify(body)).toBe(400);
});

test('every table has policies', () => {
  for (const [name, { policies }] of Object.entries(tables))
    expect(Object.keys(policies), name).toContain('anonymous');
});

import { buildPost } from '@fabrica/test-peers/author.ts';
import { tables } from '../../../apps/journal/project/tables.ts';
import { type AttackClass, type Attempt, pairs } from '../attack.ts';
import { faultOf, notRefused, type Received, type Sent } from '../exchange.ts';
import { type Attacker, SECRET, type Target } from '../target.ts';

const REST = '/api/db/journal/rest/v1';
/** Tables that are closed to all but the secret key, and what belongs to no project's clients at all. */
const CLOSED_TABLES = [
  ...Object.keys(tables).filter((name) => Object.keys(tables[name]?.policies.signedIn ?? {}).length === 0),
  'users',
  'sessions',
  'refresh_tokens',
  'one_time_tokens',
  'identities',
  'audit_log',
  'files',
  'mail_outbox',
  'outbox',
  'outbox_attachments',
  'kept_messages',
  'secrets',
  'ai_usage',
  'analytics_events',
  'notice_items',
  'kysely_migration',
  'sqlite_master',
  'sqlite_schema',
  'sqlite_sequence',
  'pragma_table_info',
  'pg_catalog.pg_class',
  'pg_user',
  'information_schema.tables',
  'journal.users',
  'main.users',
  'Users',
  'USERS',
  '"users"',
  'users;',
  'users--',
  'users%00',
  'journal_posts,users',
  'journal_posts%20users',
  '__proto__',
  'constructor',
  'toString',
];

/** Attempts to read, make, change and delete rows that the row policies keep from the caller. */
export function rowPolicies(target: Target): AttackClass {
  const attackers = Object.entries(target.attackers);
  const { victim, belongings, outsiders } = target;
  const attempt = (
    [who, as]: readonly [string, Attacker],
    what: string,
    sent: Sent,
    judge: (received: Received) => string | undefined | Promise<string | undefined>,
  ): Attempt => ({ what: `${who}: ${what}`, run: async () => judge(await target.send(as, sent)) });

  const read = (path: string): Sent => ({ path: `${REST}/${path}`, headers: { prefer: 'count=exact' } });
  const reads = pairs(outsiders, buildReads(belongings.draft)).map(([attacker, path]) =>
    attempt(attacker, `read of ${path}`, read(path), (received) =>
      received.text.includes(SECRET) || received.text.includes(belongings.draft)
        ? `read the draft: ${received.text.slice(0, 100)}`
        : faultOf(received),
    ),
  );
  const owners = pairs(attackers, [...buildLikeReads(victim.id), ...PROFILE_READS]).map(([attacker, path]) =>
    attempt(attacker, `read of ${path}`, read(path), (received) =>
      received.text.includes(`"${victim.id}"`)
        ? `it shows whose they are: ${received.text.slice(0, 100)}`
        : faultOf(received),
    ),
  );
  const internal = pairs(attackers, pairs(CLOSED_TABLES, ['GET', 'POST', 'PATCH', 'DELETE'])).map(
    ([attacker, [table, method]]) =>
      attempt(
        attacker,
        `${method} ${table}`,
        {
          method,
          path: `${REST}/${table}?id=eq.${victim.id}`,
          ...(method === 'POST' || method === 'PATCH' ? { body: { id: 'x', role: 'admin' } } : {}),
        },
        (received) => notRefused(received, [400, 401, 403, 404]),
      ),
  );
  // Editors may change posts and remove comments, but like for nobody else.
  const writes = buildWrites(target).flatMap(({ table, what, sent }) =>
    (table.endsWith('_likes') ? attackers : outsiders).map((attacker) =>
      attempt(
        attacker,
        what,
        sent(attacker[1]),
        async (received) => faultOf(received) ?? (await changed(target)),
      ),
    ),
  );
  return {
    name: 'row policies',
    attempts: [...reads, ...owners, ...internal, ...writes],
    findHarm: () => harm(target),
  };
}

/** Returns queries that would show who likes something. */
function buildLikeReads(userId: string): string[] {
  return ['post_likes', 'comment_likes'].flatMap((table) =>
    [
      '',
      'select=user_id',
      'select=*',
      `user_id=eq.${userId}`,
      `user_id=in.(${userId})`,
      `or=(user_id.eq.${userId},id.neq.x)`,
      'order=user_id',
      'user_id=not.is.null',
      `user_id=like.${userId.slice(0, 8)}*`,
      `not.and=(user_id.neq.${userId})`,
      `user_id=gte.${userId}&user_id=lte.${userId}`,
      `id=neq.x&or=(user_id.is.null,user_id.eq.${userId})`,
      'order=created_at,user_id.desc',
      'on_conflict=post_id,user_id',
    ].map((query) => `${table}?${query}`),
  );
}

/** Queries that would list the accounts. */
const PROFILE_READS = [
  '',
  'select=id',
  'order=id',
  'display_name=like.V*',
  'limit=1',
  'id=neq.x',
  'id=like.user*',
  'id=gte.a',
].map((query) => `profiles?${query}`);

/** Returns queries that would show the draft if the policy were a filter that another filter can lift. */
function buildReads(draft: string): string[] {
  const filters = [
    '',
    `id=eq.${draft}`,
    `id=in.(${draft})`,
    `id=like.${draft.slice(0, 8)}*`,
    `id=ilike.*${draft.slice(-6)}`,
    `id=gte.${draft}`,
    `id=not.neq.${draft}`,
    'published=eq.0',
    'published=neq.1',
    'published=not.eq.1',
    'published=in.(0,1)',
    'published=is.false',
    'published=lt.1',
    `or=(published.eq.0,id.eq.${draft})`,
    `or=(id.eq.${draft},id.neq.x)`,
    `or=(published.eq.1,published.eq.0)`,
    `and=(or(published.eq.0,published.eq.1))`,
    'not.and=(published.eq.1)',
    'not.or=(published.eq.1)',
    'not.and=(not.or(published.eq.0))',
    `published=eq.1&published=eq.0`,
    `published=eq.0&or=(id.neq.x)`,
    `title=like.${SECRET.slice(0, 4)}*`,
    `content=ilike.*strangers*`,
    'order=published.asc',
    'order=published.asc,id.desc&limit=1',
    'select=id,title&order=title.asc',
    'select=published,content&published=eq.0',
    'limit=10000',
    'offset=0&limit=10000&order=created_at.desc',
    'published=eq.1)%20or%20(1=1',
    `id=eq.x'%20or%20published=0%20--`,
    'select=*,users(*)',
    'select=id,title,(select%20content%20from%20journal_posts)',
    `user_id=neq.x`,
    'cursor=e30',
    'role=eq.service',
    'apikey=service_role',
  ];
  const posts = ['journal_posts', 'searchable_posts'].flatMap((table) =>
    filters.map((filter) => `${table}?${filter}`),
  );
  return [
    ...posts,
    'searchable_posts?text_en=ilike.*strangers*',
    'searchable_posts?select=text_en,text_de',
    `translated_posts?id=eq.${draft}`,
    'translated_posts?select=opening&published=eq.0',
    `post_likes?post_id=eq.${draft}`,
    `post_comments?post_id=eq.${draft}`,
  ];
}

interface Write {
  table: string;
  what: string;
  sent(attacker: Attacker): Sent;
}

/** Returns writes to rows of the victim, or in the victim's name, in every form of the dialect. */
function buildWrites({ victim, belongings }: Target): Write[] {
  const { post, draft, comment, like, commentLike } = belongings;
  const rows: [table: string, id: string, row: Record<string, unknown>][] = [
    ['journal_posts', post, buildPost(victim)],
    ['journal_posts', draft, buildPost(victim)],
    ['post_comments', comment, { post_id: post, user_id: victim.id, content: 'x' }],
    ['post_likes', like, { post_id: post, user_id: victim.id }],
    ['comment_likes', commentLike, { comment_id: comment, user_id: victim.id }],
  ];
  const filtersOf = (id: string) => [
    `id=eq.${id}`,
    `id=in.(${id},x)`,
    `id=like.${id}`,
    `user_id=eq.${victim.id}`,
    `user_id=neq.x`,
    `or=(id.eq.${id},user_id.eq.${victim.id})`,
    `not.and=(id.neq.${id})`,
    `created_at=gte.0`,
  ];
  const write = (table: string, what: string, sent: Sent | ((attacker: Attacker) => Sent)): Write => ({
    table,
    what: `${what} of ${table}`,
    sent: typeof sent === 'function' ? sent : () => sent,
  });
  const changes = rows.flatMap(([table, id]) =>
    filtersOf(id).flatMap((filter) => [
      write(table, `deletion by ${filter}`, { method: 'DELETE', path: `${REST}/${table}?${filter}` }),
      ...Object.entries(tables[table]?.columns ?? {}).map(([column, { type }]) =>
        write(table, `change of ${column} by ${filter}`, {
          method: 'PATCH',
          path: `${REST}/${table}?${filter}`,
          body: { [column]: type === 'integer' ? 1 : 'taken' },
        }),
      ),
    ]),
  );
  const upserts = rows.flatMap(([table, id, row]) =>
    ['', '?on_conflict=id', '?on_conflict=id,user_id', '?on_conflict=user_id', '?columns=id,user_id'].flatMap(
      (query) =>
        ['resolution=merge-duplicates', 'resolution=ignore-duplicates'].flatMap((resolution) => {
          const headers = { prefer: `${resolution},return=representation` };
          const path = `${REST}/${table}${query}`;
          const mine = (attacker: Attacker) => ({ ...row, id, user_id: attacker?.id ?? 'nobody' });
          return [
            write(table, `upsert ${query} in the victim's name, ${resolution},`, {
              method: 'POST',
              path,
              headers,
              body: { ...row, id, content: 'taken' },
            }),
            write(table, `upsert ${query} in one's own name, ${resolution},`, (attacker) => ({
              method: 'POST',
              path,
              headers,
              body: mine(attacker),
            })),
            write(table, `upsert ${query} among others, ${resolution},`, (attacker) => ({
              method: 'POST',
              path,
              headers,
              body: [{ ...mine(attacker), id: `own_${Math.random().toString(36).slice(2)}` }, mine(attacker)],
            })),
          ];
        }),
    ),
  );
  const forged = rows.map(([table, , { id: _, ...row }]) =>
    write(table, "new row in the victim's name", {
      method: 'POST',
      path: `${REST}/${table}`,
      body: row,
    }),
  );
  const methods = rows.flatMap(([table, id]) =>
    ['PUT', 'MERGE', 'OPTIONS', 'HEAD'].map((method) =>
      write(table, method, { method, path: `${REST}/${table}?id=eq.${id}` }),
    ),
  );
  const overridden = rows.flatMap(([table, id]) =>
    ['x-http-method-override', 'x-method-override', 'x-http-method'].map((name) =>
      write(table, name, {
        method: 'POST',
        path: `${REST}/${table}?id=eq.${id}`,
        headers: { [name]: 'DELETE' },
        body: {},
      }),
    ),
  );
  return [...changes, ...upserts, ...forged, ...methods, ...overridden];
}

const snapshots = new WeakMap<Target, string>();

/** Returns what of the victim's rows has changed since it was asked first, and takes the new rows as the next state. */
async function changed(target: Target): Promise<string | undefined> {
  const before = snapshots.get(target);
  const now = await readRows(target);
  snapshots.set(target, now);
  if (before === undefined || before === now) return undefined;
  const at = [...now].findIndex((character, index) => character !== before[index]);
  const around = (rows: string) => rows.slice(Math.max(0, at - 60), at + 140);
  return `of the victim's rows, ${around(before)} is now ${around(now)}`;
}

async function readRows({ service, victim }: Target): Promise<string> {
  const texts = await Promise.all(
    ['journal_posts', 'post_comments', 'post_likes', 'comment_likes'].map(async (table) => {
      const response = await service('GET', `${table}?user_id=eq.${victim.id}&order=id`);
      const text = await response.text();
      if (!response.ok) throw new Error(`The rows of ${table} could not be read: ${response.status} ${text}`);
      return text;
    }),
  );
  return texts.join('\n');
}

async function harm(target: Target): Promise<string[]> {
  const rows = await readRows(target);
  const missing = Object.entries(target.belongings).filter(
    ([what, id]) => what !== 'file' && !rows.includes(`"${id}"`),
  );
  return missing.map(([what]) => `the victim's ${what} is gone`);
}

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Byline } from '../project/document.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../testing/open-test-desk.ts';

/** Those who try: each with the role of the account, and what it is in the bylines. */
const PEOPLE = {
  anonymous: {},
  key: {},
  disabled: { role: 'author', named: 'author' },
  reader: { role: 'reader' },
  stranger: { role: 'author' },
  owner: { role: 'author' },
  coAuthor: { role: 'author', named: 'author' },
  translator: { role: 'author', named: 'translator' },
  illustrator: { role: 'reader', named: 'illustrator' },
  /** An author of what was published and of a revision, and a translator of the working copy. */
  demoted: { role: 'author', named: 'translator' },
  editor: { role: 'editor' },
  admin: { role: 'admin' },
} as const satisfies Record<string, { role?: string; named?: Byline[number]['role'] }>;
type Name = keyof typeof PEOPLE;
const NAMES = Object.keys(PEOPLE) as Name[];

const STATES = ['draft', 'scheduled', 'published', 'unpublished', 'discarded', 'deleted'] as const;
type State = (typeof STATES)[number];
const LIVING: readonly State[] = STATES.filter((state) => state !== 'deleted');
const OPEN: readonly State[] = LIVING.filter((state) => state !== 'discarded');

const EDITORS: readonly Name[] = ['editor', 'admin'];
const PUBLISHERS: readonly Name[] = ['owner', 'coAuthor', ...EDITORS];
const WRITERS: readonly Name[] = [...PUBLISHERS, 'translator', 'illustrator', 'demoted'];
const NAMED: readonly Name[] = ['coAuthor', 'translator', 'illustrator', 'demoted'];
const ACCOUNTS: readonly Name[] = [...WRITERS, 'reader', 'stranger'];

/** Who has which right. */
const RIGHTS = {
  review: EDITORS,
  delete: ['owner', ...EDITORS],
  publish: PUBLISHERS,
  edit: WRITERS,
  named: NAMED,
  author: ACCOUNTS.filter((name) => !['reader', 'illustrator'].includes(name)),
  account: ACCOUNTS,
  // A disabled account is told so, where it would be served without its token.
  anyone: [...ACCOUNTS, 'anonymous', 'key'],
} as const satisfies Record<string, readonly Name[]>;
type Right = keyof typeof RIGHTS;

interface Post {
  id: string;
  version: number;
  state: State;
  segment: { id: string; version: number };
  /** Names all of them as authors. */
  revision: string;
  link: string;
  token: string;
  /** What the owner says about the segment, and a reader about the post. */
  note: string;
  comment: string;
}

interface Verb {
  /** Whoever has the right, in these states of the post. */
  may: Right | ((state: State) => Right);
  /** The states in which it does something for them; in others there is nothing there, or nothing to do. */
  in?: readonly State[];
  /** The status then, where it is no success: what follows the permission has no part in this test. */
  status?: number;
  body?: (post: Post) => unknown;
  query?: (post: Post) => string;
  /** Whether visitors are told that there is nothing, rather than to sign in. */
  needsNoAccount?: boolean;
  /** Whether the post is another one afterwards, and the next one tries with a new one. */
  ends?: boolean;
  /** Whether those who may do it have no right on the post afterwards. */
  leaves?: boolean;
}

const edit: Verb = { may: 'edit' };
const review = (changes: Partial<Verb> = {}): Verb => ({ may: 'review', ...changes });
const LANGUAGE = '/posts/:id/translations/:language{en|es|fr|de}';
const SEGMENT = `${LANGUAGE}/segments/:segment`;
const FILE = '/posts/:id/translations/:file{[a-z]{2}\\.xlf}';

/** Every route of the desk with who may use it when. A route may have several rows, for what its body says. */
const TABLE: Record<string, readonly Verb[]> = {
  'GET /posts': [{ may: 'account' }],
  'GET /accounts': [{ may: 'author', query: () => '?name=Nobody' }],
  'POST /posts': [{ may: 'author', body: () => ({ document: buildDocument() }) }],
  'POST /posts/delete': [{ may: 'delete', in: LIVING, body: ({ id }) => ({ ids: [id] }), ends: true }],
  'POST /posts/unpublish': [
    { may: 'publish', in: ['published'], body: ({ id }) => ({ ids: [id] }), ends: true },
  ],
  'GET /posts/:id': [edit],
  'PUT /posts/:id': [
    { may: 'edit', in: OPEN, body: () => written({ title: 'Changed' }), ends: true },
    { may: 'publish', in: OPEN, body: () => written({ byline: allAuthors() }), ends: true },
  ],
  'DELETE /posts/:id': [{ may: 'delete', ends: true }],
  'GET /bylines': [{ may: 'account' }],
  'PUT /posts/:id/byline': [{ may: 'named' }],
  'DELETE /posts/:id/byline': [{ may: 'named', ends: true, leaves: true }],
  'POST /posts/:id/discard': [
    { may: (state) => (['published', 'unpublished'].includes(state) ? 'edit' : 'delete'), ends: true },
  ],
  'GET /pictures/describe': [{ may: 'account' }],
  'POST /pictures/describe': [
    { may: 'author', status: 404, body: () => ({ url: '/none.png', language: 'en' }) },
  ],
  'POST /posts/:id/publish': [
    { may: 'publish', body: () => ({}), ends: true },
    { may: 'publish', body: () => ({ at: later() }), ends: true },
  ],
  'POST /posts/:id/unschedule': [{ may: 'publish', in: ['scheduled'], ends: true }],
  'POST /posts/:id/unpublish': [{ may: 'publish', in: ['published'], ends: true }],
  'GET /posts/:id/revisions': [edit],
  'POST /posts/:id/revisions': [
    { may: 'edit', body: () => ({ document: written({ byline: allAuthors() }) }) },
  ],
  'GET /posts/:id/revisions/:revision': [edit],
  'POST /posts/:id/revisions/:revision/restore': [{ may: 'edit', ends: true }],
  'POST /posts/:id/preview': [edit],
  'GET /posts/:id/preview': [edit],
  'DELETE /posts/:id/preview/:link?': [{ may: 'edit', ends: true }],
  'GET /preview': [{ may: 'anyone', in: OPEN, query: ({ token }) => `?token=${token}` }],
  'POST /posts/:id/translations/translate': [{ may: 'edit', status: 503, body: () => ({}) }],
  'GET /posts/:id/translations/job': [edit],
  'DELETE /posts/:id/translations/job': [edit],
  [`POST ${SEGMENT}/ask`]: [{ may: 'edit', status: 503 }],
  'GET /translations/terms': [{ may: 'author' }],
  'POST /translations/terms': [review({ status: 400, body: () => ({}) })],
  'PUT /translations/terms/:term': [review({ status: 400, body: () => ({}) })],
  'DELETE /translations/terms/:term': [review({ status: 404 })],
  'GET /translations/terms.tbx': [{ may: 'author' }],
  'POST /translations/terms.tbx': [review({ status: 400, body: () => ({}) })],
  'GET /translations/memory.tmx': [review()],
  'POST /translations/memory.tmx': [review({ status: 400, body: () => ({}) })],
  [`GET ${FILE}`]: [edit],
  [`POST ${FILE}`]: [{ may: 'edit', status: 400, body: () => ({}) }],
  'GET /posts/:id/translations/:language/segments/:segment/matches': [edit],
  'POST /comments/:comment/translation': [
    {
      may: (state) => (state === 'published' ? 'anyone' : 'delete'),
      in: ['published', 'unpublished'],
      needsNoAccount: true,
      body: () => ({ language: 'en' }),
    },
  ],
  'GET /translations/queue': [{ may: 'account' }],
  'GET /posts/:id/translations': [edit],
  [`GET ${LANGUAGE}`]: [edit],
  [`POST ${LANGUAGE}/release`]: [{ may: 'publish' }],
  [`POST ${LANGUAGE}/hold`]: [{ may: 'publish' }],
  [`POST ${LANGUAGE}/withdraw`]: [{ may: 'publish' }],
  [`PUT ${LANGUAGE}/rule`]: [review({ body: () => ({ rule: 'checked' }) })],
  [`POST ${LANGUAGE}/accept-all`]: [review({ body: ({ segment }) => ({ segments: [segment] }) })],
  [`PUT ${SEGMENT}`]: [{ may: 'edit', body: () => ({ text: 'Das Herz' }) }],
  [`POST ${SEGMENT}/accept`]: [review()],
  [`POST ${SEGMENT}/take-proposal`]: [{ may: 'edit', status: 409, body: () => ({ text: 'Das Herz' }) }],
  [`POST ${SEGMENT}/overrule`]: [review({ status: 409, body: () => ({ reason: 'Right.' }) })],
  [`POST ${SEGMENT}/restore`]: [{ may: 'edit', body: () => ({ version: 1 }) }],
  [`GET ${SEGMENT}/history`]: [edit],
  [`GET ${SEGMENT}/comments`]: [edit],
  [`POST ${SEGMENT}/comments`]: [{ may: 'edit', body: () => ({ text: 'Heart?' }) }],
  // The owner wrote it.
  [`DELETE ${SEGMENT}/comments/:comment`]: [{ may: 'delete', ends: true }],
  'POST /translations/reports': [
    {
      may: 'anyone',
      in: ['published'],
      body: ({ id }) => ({ postId: id, language: 'de', quote: 'Herz', message: 'Wrong.' }),
    },
  ],
  'POST /translations/check': [{ may: 'account', body: () => ({ title: 'A', content: 'B', answers: [] }) }],
  'GET /translations/reports': [review()],
  'POST /translations/reports/:report/resolve': [review({ status: 404 })],
};

let desk: TestDesk;
const people = {} as Record<Name, Person>;
/** A post in each state that nobody has changed since. */
const ready = new Map<State, Post>();

beforeAll(async () => {
  desk = await openTestDesk();
  for (const name of NAMES) {
    const { role } = PEOPLE[name] as { role?: string };
    people[name] = role ? await desk.person(name, role) : ANONYMOUS;
  }
  people.key = { id: '', token: desk.context.project.secretKey };
  const { writer } = desk.context.project.database;
  await writer.updateTable('users').set({ disabled_at: 1 }).where('id', '=', people.disabled.id).execute();
});

afterAll(() => desk.close());

const later = () => desk.clock.now + 1_000_000_000;

/** Returns the byline with these people in other roles than they have. */
function bylineWith(roles: Partial<Record<Name, Byline[number]['role']>> = {}): Byline {
  return NAMES.flatMap((name) => {
    const { named } = PEOPLE[name] as { named?: Byline[number]['role'] };
    const role = roles[name] ?? named;
    return role ? [{ name, role, userId: people[name].id }] : [];
  });
}

const allAuthors = () =>
  bylineWith(Object.fromEntries(ACCOUNTS.filter((name) => name !== 'owner').map((name) => [name, 'author'])));

const written = (changes = {}) => buildDocument({ byline: bylineWith(), ...changes });

async function act(as: Name, method: string, path: string, options: Parameters<TestDesk['call']>[3] = {}) {
  const response = await desk.call(people[as], method, path, options);
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
}

async function createPost(state: State): Promise<Post> {
  const document = buildDocument({
    byline: bylineWith({ demoted: 'author' }),
    translations: { de: { title: 'Das Herz', content: 'Das Herz ist ein Muskel, der das Blut pumpt.' } },
  });
  const { id } = await act('owner', 'POST', 'posts', { body: { document } });
  const path = `posts/${id}`;
  let comment = 'comment_none';
  if (state === 'published' || state === 'unpublished') {
    await act('owner', 'POST', `${path}/publish`, { version: 1, body: {} });
    comment = `comment_${id}`;
    const words = { id: comment, post_id: id, user_id: people.reader.id, user_name: 'reader' };
    const body = {
      ...words,
      content: 'The heart of the body is a muscle, and this is for all of us to know.',
    };
    await act('reader', 'POST', '/api/db/journal/rest/v1/post_comments', { body });
  }
  const { version: before } = await act('owner', 'GET', path);
  await act('owner', 'PUT', path, { version: before, body: written() });
  const kept = await act('owner', 'POST', `${path}/revisions`, {
    body: { document: written({ title: 'As it was', byline: allAuthors() }) },
  });
  const preview = await act('owner', 'POST', `${path}/preview`, { body: { days: 30 } });
  const { segments } = await act('owner', 'GET', `${path}/translations/de`);
  const segment = `${path}/translations/de/segments/${segments[0].id}`;
  // What one account writes over the words of another keeps them.
  await act('editor', 'PUT', segment, { version: segments[0].version, body: { text: 'Ein Herz' } });
  const note = await act('owner', 'POST', `${segment}/comments`, { body: { text: 'One?' } });
  const { version } = await act('owner', 'GET', path);
  if (state === 'scheduled')
    await act('owner', 'POST', `${path}/publish`, { version, body: { at: later() } });
  if (state === 'unpublished') await act('owner', 'POST', `${path}/unpublish`, { version });
  if (state === 'discarded') await act('owner', 'POST', `${path}/discard`, { version });
  const post = {
    ...{ id, state, version, revision: kept.id, link: preview.id, note: note.id, comment },
    ...{ token: preview.url.split('/').at(-1), segment: { id: segments[0].id, version: 0 } },
  };
  await refresh(post);
  // Those whom a byline names are asked after it is saved.
  const asked = async () => (await act('translator', 'GET', 'bylines')).posts;
  await expect.poll(asked).toContainEqual(expect.objectContaining({ id }));
  if (state === 'deleted') await act('owner', 'DELETE', path);
  return post;
}

/** Takes over the versions that the last one who was allowed to has left. */
async function refresh(post: Post): Promise<void> {
  post.version = (await act('admin', 'GET', `posts/${post.id}`)).version;
  const { segments } = await act('admin', 'GET', `posts/${post.id}/translations/de`);
  post.segment.version = segments[0].version;
}

async function postIn(state: State): Promise<Post> {
  const post = ready.get(state) ?? (await createPost(state));
  ready.set(state, post);
  return post;
}

const STATUS: Record<string, number> = { FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 };

/** Sends a verb on a post, and returns its status; of one of several posts, that of this one. */
async function send(as: Name, route: string, { body, query }: Verb, post: Post): Promise<number> {
  const [method = '', pattern = ''] = route.split(' ');
  const parameters: Record<string, string> = {
    ...{ id: post.id, segment: post.segment.id, language: 'de', file: 'de.xlf', link: post.link },
    ...{ revision: post.revision, term: 'term_none', report: 'report_none' },
    comment: pattern.startsWith('/comments/') ? post.comment : post.note,
  };
  const path = pattern
    .slice(1)
    .replace(/:(\w+)(?:\{(?:[^{}]|\{\d\})*\})?\??/g, (_, name: string) => parameters[name] ?? name);
  const version = pattern.includes('/segments/') ? post.segment.version : post.version;
  const { status, body: sent } = await desk.call(people[as], method, path + (query?.(post) ?? ''), {
    ...(method !== 'GET' && { version }),
    ...(body && { body: body(post) }),
  });
  return STATUS[sent?.results?.[0]?.error?.code] ?? status;
}

/** What an account sees of its own rights, and of who else has some; undefined for who sees nothing of the post. */
async function rightsOf(as: Name, { id }: Post) {
  const { status, body } = await desk.call(people[as], 'GET', `posts/${id}`);
  return status === 200 ? { can: body.can, byline: body.document.byline } : undefined;
}

async function contentOf({ id }: Post) {
  const { status, body } = await desk.call(people.admin, 'GET', `posts/${id}`);
  const { version, state, document, scheduledAt } = status === 200 ? body : {};
  return { status, version, state, document, scheduledAt };
}

/** Whether a route is of a post, whose state matters. */
const isOfPost = (route: string, verb: Verb) =>
  /:id|:comment|\/posts\/|GET \/preview/.test(route) || verb.in !== undefined;

test('every route of the desk has a row in the table of rights, and no row is of a route that is gone', () => {
  expect(desk.routes.toSorted()).toEqual(Object.keys(TABLE).sort());
});

test.each(Object.keys(TABLE))(
  '%s is for those who have the right alone, in every state, and gives nobody another right',
  { timeout: 120_000 },
  async (route) => {
    // Routes that change nothing, or of which only the permission is tried, share their posts.
    const changes = (TABLE[route] ?? []).some(({ status }) => status === undefined);
    if (!route.startsWith('GET ') && changes) onTestFinished(() => ready.clear());
    for (const verb of TABLE[route] ?? []) {
      for (const state of isOfPost(route, verb) ? STATES : (['draft'] as const)) {
        const right = typeof verb.may === 'string' ? verb.may : verb.may(state);
        const may = new Set<Name>(RIGHTS[right]);
        const isDone = (verb.in ?? LIVING).includes(state) || !isOfPost(route, verb);
        const what = (as: Name) => `${route} by ${as}, ${state}`;

        const before = await contentOf(await postIn(state));
        for (const as of NAMES.filter((name) => !may.has(name))) {
          const status = await send(as, route, verb, await postIn(state));
          const hasAccount = ACCOUNTS.includes(as) || (verb.needsNoAccount && as !== 'disabled');
          if (hasAccount) expect([403, 404], what(as)).toContain(status);
          else expect(status, what(as)).toBe(401);
        }
        expect(await contentOf(await postIn(state)), `${route}, ${state}`).toEqual(before);

        const those = NAMES.filter((name) => may.has(name));
        // What ends a post is done in each state by some of them, and by each of them in some state: a post takes a dozen calls.
        const inTurn = those.filter(
          (_, index) => index % STATES.length === STATES.indexOf(state) % those.length,
        );
        for (const as of verb.ends ? inTurn : those) {
          const post = await postIn(state);
          const held = await rightsOf(as, post);
          const status = await send(as, route, verb, post);
          if (!isDone) expect([403, 404, 409], what(as)).toContain(status);
          else if (verb.status !== undefined) expect(status, what(as)).toBe(verb.status);
          else expect([200, 201, 202, 204], what(as)).toContain(status);
          if (verb.leaves && isDone) expect(await rightsOf(as, post), what(as)).toBeUndefined();
          else if (!PUBLISHERS.includes(as)) expect(await rightsOf(as, post), what(as)).toEqual(held);
          if (!isDone || route.startsWith('GET ')) continue;
          if (verb.ends) ready.delete(state);
          else if (state !== 'deleted') await refresh(post);
        }
      }
    }
  },
);

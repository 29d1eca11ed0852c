import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Byline } from '../project/document.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../testing/open-test-desk.ts';

/** Random walks of several accounts over one post each, and what nobody may have reached after each step. */
const WALKS = Number(process.env.WALKS ?? 40);
const STEPS = 30;
const SEED = Number(process.env.SEED ?? 20_261);
const REST = '/api/db/journal/rest/v1';

/** The role of each account, and what the post's first byline calls it. */
const PEOPLE = {
  owner: { role: 'author' },
  coAuthor: { role: 'author', named: 'author' },
  translator: { role: 'author', named: 'translator' },
  illustrator: { role: 'reader', named: 'illustrator' },
  stranger: { role: 'author' },
  editor: { role: 'editor' },
} as const satisfies Record<string, { role: string; named?: Byline[number]['role'] }>;
type Name = keyof typeof PEOPLE;
const NAMES = Object.keys(PEOPLE) as Name[];

const KINDS = {
  byline: 'nobody who may not publish a post changes who its people are or what they may do',
  approval: 'readers get no words that nobody who may publish them has let out',
  links: 'no preview link outlives the right of its maker to edit the post',
  claims: 'nobody is said to stand by a post who has not accepted, or has left it',
  children: 'nobody else reads likes and comments of a post that is not published',
} as const;
type Kind = keyof typeof KINDS;

/** What each walk found against a kind, and how often it looked. */
const found = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []])) as unknown as Record<
  Kind,
  string[]
>;
const looked = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0])) as Record<Kind, number>;
/** How often each verb was carried out. */
const done = new Map<string, number>();

let desk: TestDesk;
const people = {} as Record<Name, Person>;

interface Walk {
  id: string;
  words: number;
  /** Titles that somebody who might publish has published, scheduled, or written. */
  approved: Set<string>;
  links: { by: Name; token: string }[];
  accepted: Set<Name>;
}

interface Step {
  who: Name;
  verb: keyof typeof VERBS;
  byline: Byline;
  pick: number;
}

interface Seen {
  version: number;
  state: string;
  title: string;
  byline: Byline;
}

const call = (who: Name, method: string, path: string, options?: Parameters<TestDesk['call']>[3]) =>
  desk.call(people[who], method, path, options);

async function read(id: string): Promise<Seen> {
  const { body } = await call('editor', 'GET', `posts/${id}`);
  const { version, state, document } = body;
  return { version, state, title: document?.title, byline: document?.byline };
}

const rightsOf = async (who: Name, id: string) => {
  const { status, body } = await call(who, 'GET', `posts/${id}`);
  return status === 200 ? (body.can as { edit: boolean; publish: boolean; delete: boolean }) : undefined;
};

const readersRow = async (id: string) => (await desk.rows(`journal_posts?id=eq.${id}`))[0];

const written = (walk: Walk, byline: Byline) => {
  walk.words += 1;
  return buildDocument({ title: `Words ${walk.words}`, byline });
};

/** Waits until the schedule has looked, which another post that is scheduled has it do. */
async function letScheduleLook(id: string): Promise<void> {
  desk.clock.now += 60_000;
  const { body } = await call('editor', 'POST', 'posts', { body: { document: buildDocument() } });
  const at = desk.clock.now + 1e9;
  await call('editor', 'POST', `posts/${body.id}/publish`, { version: 1, body: { at } });
  await vi.waitFor(async () => expect((await read(id)).state).not.toBe('scheduled'), {
    timeout: 60_000,
    interval: 10,
  });
}

async function setDisabled(who: Name, isDisabled: boolean): Promise<number> {
  if (who === 'editor' || who === 'owner') return 403;
  const { writer } = desk.context.project.database;
  const changes = { disabled_at: isDisabled ? 1 : null };
  await writer.updateTable('users').set(changes).where('id', '=', people[who].id).execute();
  return 200;
}

/** What an account may try. Each returns the status of its call. */
const VERBS = {
  async save(walk: Walk, { who, byline }: Step, { version }: Seen) {
    return (await call(who, 'PUT', `posts/${walk.id}`, { version, body: written(walk, byline) })).status;
  },
  async rewrite(walk: Walk, { who }: Step, { version, byline }: Seen) {
    return (await call(who, 'PUT', `posts/${walk.id}`, { version, body: written(walk, byline) })).status;
  },
  async keep(walk: Walk, { who, byline }: Step) {
    const body = { document: written(walk, byline) };
    return (await call(who, 'POST', `posts/${walk.id}/revisions`, { body })).status;
  },
  async restore(walk: Walk, { who, pick }: Step, { version }: Seen) {
    const { body } = await call('editor', 'GET', `posts/${walk.id}/revisions`);
    const revision = body.revisions[pick % body.revisions.length];
    if (!revision) return 404;
    const path = `posts/${walk.id}/revisions/${revision.id}/restore`;
    return (await call(who, 'POST', path, { version })).status;
  },
  discard: async ({ id }: Walk, { who }: Step, { version, state }: Seen) =>
    // A draft that was never published would be gone.
    ['published', 'unpublished'].includes(state)
      ? (await call(who, 'POST', `posts/${id}/discard`, { version })).status
      : 409,
  publish: async ({ id }: Walk, { who }: Step, { version }: Seen) =>
    (await call(who, 'POST', `posts/${id}/publish`, { version, body: {} })).status,
  schedule: async ({ id }: Walk, { who }: Step, { version }: Seen) =>
    (await call(who, 'POST', `posts/${id}/publish`, { version, body: { at: desk.clock.now + 60_000 } }))
      .status,
  async due({ id }: Walk, _: Step, { state }: Seen) {
    if (state !== 'scheduled') return 409;
    await letScheduleLook(id);
    return 200;
  },
  unpublish: async ({ id }: Walk, { who }: Step, { version }: Seen) =>
    (await call(who, 'POST', `posts/${id}/unpublish`, { version })).status,
  async preview({ id, links }: Walk, { who }: Step) {
    const { status, body } = await call(who, 'POST', `posts/${id}/preview`, { body: { days: 30 } });
    if (status < 300) links.push({ by: who, token: body.url.split('/').at(-1) });
    return status;
  },
  async accept({ id, accepted }: Walk, { who }: Step, { byline }: Seen) {
    const me = people[who].id;
    // Those whom a byline names are asked after it is saved.
    if (who !== 'owner' && byline?.some(({ userId }) => userId === me))
      await vi.waitFor(
        async () =>
          expect(await desk.rows(`byline_consents?post_id=eq.${id}&account_id=eq.${me}`)).toHaveLength(1),
        { timeout: 60_000, interval: 20 },
      );
    const { status } = await call(who, 'PUT', `posts/${id}/byline`);
    if (status === 204) accepted.add(who);
    return status;
  },
  async leave({ id, accepted }: Walk, { who }: Step) {
    const { status } = await call(who, 'DELETE', `posts/${id}/byline`);
    if (status === 204) accepted.delete(who);
    return status;
  },
  async claim({ id }: Walk, { who, pick }: Step) {
    const account = people[NAMES[pick % NAMES.length] as Name].id;
    const row = { post_id: id, account_id: account, user_id: people[who].id, accepted: 1 };
    await call(who, 'PATCH', `${REST}/byline_consents?post_id=eq.${id}`, { body: { accepted: 1 } });
    return (await call(who, 'POST', `${REST}/byline_consents`, { body: row })).status;
  },
  async comment({ id }: Walk, { who }: Step) {
    const user = { post_id: id, user_id: people[who].id };
    const words = { ...user, user_name: who, content: 'The heart?' };
    await call(who, 'POST', `${REST}/post_likes`, { body: user });
    return (await call(who, 'POST', `${REST}/post_comments`, { body: words })).status;
  },
  /** Somebody who runs the site disables the account, or lets it in again. */
  disable: (_: Walk, { who, pick }: Step) => setDisabled(who, pick % 2 === 0),
};

const VERB_NAMES = Object.keys(VERBS) as (keyof typeof VERBS)[];
const OFTEN = ['schedule', 'rewrite', 'due', 'accept'] as const;
const PUBLISHING = ['publish', 'schedule', 'save', 'rewrite', 'restore', 'discard'];

const accountOf = fc.constantFrom(...NAMES);
const bylines: fc.Arbitrary<Byline> = fc
  .uniqueArray(fc.tuple(accountOf, fc.constantFrom('author', 'translator', 'illustrator')), {
    selector: ([name]) => name,
    maxLength: 4,
  })
  .map((named) => named.map(([name, role]) => ({ name, role, userId: people[name].id })) as Byline);

const steps = () =>
  fc.array(
    fc.record({
      who: accountOf,
      // A schedule, somebody’s change and its time seldom follow each other by chance.
      verb: fc.constantFrom(...VERB_NAMES, ...OFTEN, ...OFTEN),
      byline: bylines,
      pick: fc.nat(100),
    }),
    { minLength: STEPS, maxLength: STEPS },
  );

function report(kind: Kind, isWeak: boolean, what: string): void {
  looked[kind] += 1;
  if (isWeak) found[kind].push(what);
}

async function take(walk: Walk, step: Step, walked: string): Promise<string> {
  const { id } = walk;
  const { who, verb } = step;
  const before = await read(id);
  const held = await rightsOf(who, id);
  const status = await VERBS[verb](walk, step, before);
  const what = `${walked}${who} ${verb} ${status}`;
  expect([200, 201, 204, 400, 401, 403, 404, 409], what).toContain(status);
  const isDone = status < 300;
  if (isDone) done.set(verb, (done.get(verb) ?? 0) + 1);
  const after = await read(id);

  if (!['due', 'leave', 'disable'].includes(verb) && !held?.publish) {
    const kept = JSON.stringify([before.byline, held]);
    report('byline', JSON.stringify([after.byline, await rightsOf(who, id)]) !== kept, what);
  }
  if (isDone && held?.publish && PUBLISHING.includes(verb)) walk.approved.add(after.title);
  const row = await readersRow(id);
  if (row) report('approval', !walk.approved.has(row.title), `${what}: readers get ${row.title}`);
  for (const { by, token } of walk.links) {
    const { status: opened } = await desk.call(ANONYMOUS, 'GET', `preview?token=${token}`);
    report('links', opened === 200 && !(await rightsOf(by, id))?.edit, `${what}: the link of ${by} works`);
  }
  const ids = [...walk.accepted].map((name) => people[name].id);
  for (const { account_id: account, accepted } of await desk.rows(`byline_consents?post_id=eq.${id}`))
    report('claims', accepted === 1 && !ids.includes(account), what);
  if (verb === 'leave' && isDone) {
    const named = `${row?.byline} ${JSON.stringify(after.byline)}`;
    report('claims', named.includes(people[who].id), `${what}: is still named`);
  }
  if (row?.published !== 1) {
    for (const table of ['post_comments', 'post_likes']) {
      const { body } = await desk.call(ANONYMOUS, 'GET', `${REST}/${table}?post_id=eq.${id}`);
      report('children', body.length > 0, `${what}: anybody reads ${table}`);
    }
  }
  return `${what}, `;
}

beforeAll(async () => {
  desk = await openTestDesk();
  for (const name of NAMES) people[name] = await desk.person(name, PEOPLE[name].role);
  const named = NAMES.flatMap((name) => {
    const { named: role } = PEOPLE[name] as { named?: Byline[number]['role'] };
    return role ? [{ name, role, userId: people[name].id }] : [];
  });
  for (const walk of fc.sample(steps(), { numRuns: WALKS, seed: SEED })) {
    for (const name of NAMES) await setDisabled(name, false);
    const document = buildDocument({ title: 'Words 0', byline: named });
    const { id } = (await call('owner', 'POST', 'posts', { body: { document } })).body;
    const state: Walk = { id, words: 0, approved: new Set(['Words 0']), links: [], accepted: new Set() };
    let walked = '';
    for (const step of walk) walked = await take(state, step, walked);
  }
}, 600_000);
afterAll(() => desk.close());

it.each(Object.entries(KINDS) as [Kind, string][])(`on ${WALKS} random walks (%s), %s`, (kind) => {
  expect(found[kind]).toEqual([]);
  expect(looked[kind]).toBeGreaterThan(WALKS / 2);
});

it('each verb of the walks is carried out', () => {
  expect([...done.keys()].sort()).toEqual(
    Object.keys(VERBS)
      .filter((verb) => verb !== 'claim')
      .sort(),
  );
});

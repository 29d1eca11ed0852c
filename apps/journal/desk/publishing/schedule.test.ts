import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Byline } from '../../project/document.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';

let desk: TestDesk;
let ada: Person;
const others: TestDesk[] = [];

beforeEach(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});

afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await desk.close();
});

/** Opens another node that serves the same databases. */
async function openNode(): Promise<TestDesk> {
  const other = await openTestDesk({ settings: desk.settings, clock: desk.clock });
  others.push(other);
  return other;
}

async function schedule(at: number | string, changes = {}): Promise<string> {
  const { body } = await desk.call(ada, 'POST', 'posts', { body: { document: buildDocument(changes) } });
  const scheduled = await desk.call(ada, 'POST', `posts/${body.id}/publish`, {
    version: 1,
    body: { at, timeZone: 'Europe/Berlin' },
  });
  expect(scheduled, JSON.stringify(scheduled.body)).toMatchObject({
    status: 200,
    body: { state: 'scheduled', version: 2, timeZone: 'Europe/Berlin' },
  });
  return body.id;
}

const published = () => desk.rows('journal_posts?published=eq.1&select=id');
const stateOf = async (id: string) => (await desk.call(ada, 'GET', `posts/${id}`)).body;

test('of two nodes exactly one publishes each post that is due', async () => {
  const at = desk.clock.now + 500;
  const ids: string[] = [];
  for (let number = 0; number < 12; number += 1) ids.push(await schedule(at, { title: `Heart ${number}` }));
  const node = await openNode();
  expect(await published()).toEqual([]);
  desk.clock.now = at;
  await expect.poll(async () => (await published()).length).toBe(12);
  // A row is there before its change is on the bus of the node that wrote it.
  const events = () => [...desk.events, ...node.events].filter(({ table }) => table === 'journal_posts');
  await expect
    .poll(() =>
      events()
        .map(({ id }) => id)
        .sort(),
    )
    .toEqual(ids.toSorted());
  const revisions = await desk.rows('post_revisions?kind=eq.published&select=post_id');
  expect(revisions.map(({ post_id }: { post_id: string }) => post_id).sort()).toEqual(ids.toSorted());
});

test('a post that came due while no node ran is published at the next start', async () => {
  const id = await schedule(desk.clock.now + 3_600_000);
  await desk.backend.close();
  desk.clock.now += 2 * 3_600_000;
  const node = await openNode();
  desk = { ...node, close: async () => undefined };
  await expect.poll(async () => (await published()).length).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: 'published', version: 3, scheduledAt: null });
});

test('a time on the author’s clocks is kept with its zone and met, in the hour that comes twice and in the one that is skipped', async () => {
  desk.clock.now = Date.parse('2026-10-20T08:00:00Z');
  const autumn = await schedule('2026-10-25T02:30');
  const spring = await schedule('2027-03-28T02:30');
  const [first, second] = [Date.parse('2026-10-25T00:30:00Z'), Date.parse('2027-03-28T01:30:00Z')];
  for (const [id, scheduledAt] of [
    [autumn, first],
    [spring, second],
  ] as const)
    expect(await stateOf(id)).toMatchObject({ state: 'scheduled', scheduledAt, timeZone: 'Europe/Berlin' });
  /** Has the schedule look at what is due at a time. */
  const look = async (time: number) => {
    desk.clock.now = time;
    await schedule('2027-12-01T09:00');
  };
  /** Waits until a look has found nothing more that is due at a time: then it deletes the preview links that have expired. */
  const lookInVain = async (time: number) => {
    const links = () => desk.rows(`post_previews?post_id=eq.${spring}`);
    await desk.call(ada, 'POST', `posts/${spring}/preview`, { body: { days: 1 } });
    expect(await links()).toHaveLength(1);
    await look(time);
    await expect.poll(links).toEqual([]);
  };
  await lookInVain(first - 1);
  expect(await published()).toEqual([]);
  await look(first);
  await expect.poll(published).toEqual([{ id: autumn }]);
  await lookInVain(second - 1);
  expect(await published()).toEqual([{ id: autumn }]);
  await look(second);
  await expect.poll(async () => (await published()).length).toBe(2);
});

test('what is saved until the time comes is what is published, and a post is taken from the schedule', async () => {
  const at = desk.clock.now + 300;
  const id = await schedule(at);
  const waiting = await schedule(at);
  expect((await desk.call(ada, 'POST', `posts/${waiting}/unschedule`, { version: 2 })).body).toMatchObject({
    state: 'draft',
  });
  const body = buildDocument({ content: 'Corrected.' });
  expect((await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body })).status).toBe(200);
  desk.clock.now = at;
  await expect.poll(published).toEqual([{ id }]);
  expect((await desk.rows(`journal_posts?id=eq.${id}`))[0].content).toBe('Corrected.');
});

test('a change by somebody who may not publish takes a post from the schedule, and its authors are told', async () => {
  const tia = await desk.person('Tia', 'author');
  const bea = await desk.person('Bea', 'author');
  const byline: Byline = [
    { name: 'Tia', role: 'translator', userId: tia.id },
    { name: 'Bea', role: 'author', userId: bea.id },
  ];
  const at = desk.clock.now + 300;
  const changes: Record<string, (id: string) => Promise<{ status: number }>> = {
    save: (id) =>
      desk.call(tia, 'PUT', `posts/${id}`, {
        version: 2,
        body: buildDocument({ byline, content: 'Wrong.' }),
      }),
    async restore(id) {
      const body = { document: buildDocument({ byline, content: 'Wrong.' }) };
      const kept = await desk.call(tia, 'POST', `posts/${id}/revisions`, { body });
      return desk.call(tia, 'POST', `posts/${id}/revisions/${kept.body.id}/restore`, { version: 2 });
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    const id = await schedule(at, { byline });
    expect((await change(id)).status, name).toBe(200);
    const expected = { state: 'draft', scheduleFault: ['unapproved'], scheduledAt: at };
    expect(await stateOf(id), name).toMatchObject(expected);
    const listed = (await desk.call(ada, 'GET', 'posts')).body.posts.find(
      (post: { id: string }) => post.id === id,
    );
    expect(listed, name).toMatchObject({ state: 'draft', takenOffSchedule: true, missedSchedule: false });
  }
  // What somebody who may publish it saves is approved with that.
  const approved = await schedule(at, { byline });
  const body = buildDocument({ byline, content: 'Right.' });
  const saved = await desk.call(bea, 'PUT', `posts/${approved}`, { version: 2, body });
  expect(saved).toMatchObject({ status: 200, body: { state: 'scheduled' } });
  desk.clock.now = at;
  await expect.poll(published).toEqual([{ id: approved }]);
  expect((await desk.rows(`journal_posts?id=eq.${approved}`))[0].content).toBe('Right.');
});

test('discarding the changes of a published post that are scheduled is told to its authors as well', async () => {
  const tia = await desk.person('Tia', 'author');
  const byline: Byline = [{ name: 'Tia', role: 'translator', userId: tia.id }];
  const document = buildDocument({ byline });
  const { id } = (await desk.call(ada, 'POST', 'posts', { body: { document } })).body;
  await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} });
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body: { ...document, content: 'Corrected.' } });
  const at = desk.clock.now + 60_000;
  await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 3, body: { at } });
  expect((await desk.call(tia, 'POST', `posts/${id}/discard`, { version: 4 })).status).toBe(200);
  const told = { state: 'published', scheduleFault: ['unapproved'], scheduledAt: at };
  expect(await stateOf(id)).toMatchObject(told);
});

test.each(['disabled', 'demoted'])(
  'what an account has scheduled that is %s when it is due waits for somebody who may publish it',
  async (fate) => {
    const bea = await desk.person('Bea', 'author');
    const named: Byline = [{ name: 'Bea', role: 'author', userId: bea.id }];
    const document = buildDocument({ byline: named });
    const { id } = (await desk.call(ada, 'POST', 'posts', { body: { document } })).body;
    const at = desk.clock.now + 300;
    await desk.call(bea, 'POST', `posts/${id}/publish`, { version: 1, body: { at } });
    const { writer } = desk.context.project.database;
    const change = fate === 'disabled' ? { disabled_at: 1 } : { role: 'reader' };
    await writer.updateTable('users').set(change).where('id', '=', bea.id).execute();
    desk.clock.now = at;
    await expect.poll(async () => (await stateOf(id)).state).toBe('draft');
    expect(await stateOf(id)).toMatchObject({ scheduleFault: ['unapproved'], scheduledAt: at });
    expect(await published()).toEqual([]);
    const approved = await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 3, body: {} });
    expect(approved.status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'published', scheduleFault: null });
  },
);

test('a post that lacks something when it is due goes back to its author with the reason', async () => {
  const at = desk.clock.now + 300;
  const id = await schedule(at);
  const body = buildDocument({ title: '', cover: null });
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body });
  desk.clock.now = at;
  await expect.poll(async () => (await stateOf(id)).state).toBe('draft');
  expect(await stateOf(id)).toMatchObject({ version: 4, scheduleFault: ['title', 'cover'], scheduledAt: at });
  expect(await published()).toEqual([]);
  const listed = async () => (await desk.call(ada, 'GET', 'posts')).body.posts;
  expect(await listed()).toMatchObject([{ id, state: 'draft', missedSchedule: true }]);
  await schedule(at + 60_000);
  expect(await listed()).toMatchObject([{ missedSchedule: false }, { id, missedSchedule: true }]);
  const complete = await desk.call(ada, 'PUT', `posts/${id}`, { version: 4, body: buildDocument() });
  await desk.call(ada, 'POST', `posts/${id}/publish`, { version: complete.body.version, body: {} });
  expect(await stateOf(id)).toMatchObject({ state: 'published', scheduleFault: null, scheduledAt: null });
});

test('changes that missed their time are over once the post is unpublished', async () => {
  const { body } = await desk.call(ada, 'POST', 'posts', { body: { document: buildDocument() } });
  const at = desk.clock.now + 300;
  for (const publication of [{}, { at, timeZone: 'Europe/Berlin' }]) {
    const { version } = await stateOf(body.id);
    await desk.call(ada, 'POST', `posts/${body.id}/publish`, { version, body: publication });
  }
  const { version } = await stateOf(body.id);
  await desk.call(ada, 'PUT', `posts/${body.id}`, { version, body: buildDocument({ content: ' ' }) });
  desk.clock.now = at;
  await expect.poll(async () => (await stateOf(body.id)).state).toBe('published');
  const missed = await stateOf(body.id);
  expect(missed).toMatchObject({ scheduleFault: ['content'], scheduledAt: at });
  await desk.call(ada, 'POST', `posts/${body.id}/unpublish`, { version: missed.version, body: {} });
  const cleared = { state: 'unpublished', scheduleFault: null, scheduledAt: null, timeZone: null };
  expect(await stateOf(body.id)).toMatchObject(cleared);
  const listed = (await desk.call(ada, 'GET', 'posts')).body.posts;
  expect(listed).toMatchObject([{ state: 'unpublished', missedSchedule: false }]);
});

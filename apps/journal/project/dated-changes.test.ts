import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../testing/open-test-desk.ts';
import { findChange } from './dated-changes.ts';
import { datesOfPublications } from './migrations/dated-changes-migration.ts';

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});

afterAll(() => desk.close());

const fr = { title: 'Le cœur', content: 'Le cœur est un muscle qui pompe le sang du corps.' };
const de = { title: 'Das Herz', content: 'Das Herz ist ein Muskel, der das Blut des Körpers pumpt.' };

/** Returns the column, and what readers of English and of French are told. */
async function datesOf(id: string) {
  const [{ dated_changes: column }] = await desk.rows(`journal_posts?id=eq.${id}`);
  return { stored: JSON.parse(column ?? 'null'), en: findChange(column, 'en'), fr: findChange(column, 'fr') };
}

async function save(id: string, changes: object): Promise<void> {
  const { version, document } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  const body = { ...document, translations: {}, ...changes };
  expect((await desk.call(ada, 'PUT', `posts/${id}`, { version, body })).status).toBe(200);
}

/** Publishes what is saved, and returns when. */
async function publish(id: string, body: object = {}): Promise<number> {
  desk.clock.now = Math.max(Date.now(), desk.clock.now);
  const { version } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  const { status, body: published } = await desk.call(ada, 'POST', `posts/${id}/publish`, { version, body });
  expect(status, JSON.stringify(published)).toBe(200);
  return published.publishedAt;
}

async function publishNew(): Promise<string> {
  const { body } = await desk.call(ada, 'POST', 'posts', {
    body: { document: buildDocument({ translations: { fr } }) },
  });
  await publish(body.id);
  return body.id;
}

test('a change is dated once readers have other words, for those who read them, with what its author says', async () => {
  const id = await publishNew();
  const rest = (columns: object) =>
    desk.call(ada, 'PATCH', `/api/db/journal/rest/v1/journal_posts?id=eq.${id}`, { body: columns });
  await desk.call(ada, 'POST', '/api/db/journal/rest/v1/post_likes', {
    body: { id: 'like_1', post_id: id, user_id: ada.id },
  });
  await rest({ image_width: 900, updated_at: 5 });
  await save(id, { byline: [{ name: 'Dr Ada', role: 'author' }] });
  await publish(id);
  expect(await datesOf(id)).toEqual({ stored: null, en: null, fr: null });

  await save(id, { content: 'The heart is a hollow muscle.' });
  expect((await datesOf(id)).en).toBeNull();
  const first = await publish(id, { note: ' It is hollow. ' });
  expect(await datesOf(id)).toMatchObject({ en: { at: first, note: 'It is hollow.' }, fr: null });

  // German readers had the original: their first translation is no change of it.
  await save(id, { translations: { de } });
  await publish(id);
  await save(id, { translations: { fr: { title: fr.title, content: 'Le cœur est un muscle creux.' } } });
  const second = await publish(id);
  expect(await datesOf(id)).toMatchObject({
    ...{ stored: { original: first, de: first }, en: { at: first, note: 'It is hollow.' } },
    fr: { at: second },
  });

  await save(id, { title: 'A heart' });
  await publish(id, { small: true });
  expect((await datesOf(id)).en?.at).toBe(first);
  await rest({ title: 'The heart of a child' });
  const { en } = await datesOf(id);
  expect(en?.at).toBeGreaterThan(second);
  expect(en?.note).toBeNull();
  expect(await rest({ dated_changes: null })).toMatchObject({ status: 403 });
});

test('a change is dated that is made while readers do not see the post, or published on schedule', async () => {
  const id = await publishNew();
  const { version } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  await desk.call(ada, 'POST', `posts/${id}/unpublish`, { version, body: {} });
  await save(id, { title: 'A heart' });
  const again = await publish(id);
  expect((await datesOf(id)).en).toEqual({ at: again, note: null });

  await save(id, { title: 'The heart' });
  const { version: scheduled } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  const at = desk.clock.now + 500;
  const body = { at, note: 'As it was.' };
  await desk.call(ada, 'POST', `posts/${id}/publish`, { version: scheduled, body });
  desk.clock.now = at;
  await expect.poll(async () => (await datesOf(id)).en?.note).toBe('As it was.');
  // Nothing is said of a publication with the same words.
  await publish(id, { note: 'No change.' });
  expect((await datesOf(id)).en?.note).toBe('As it was.');
  for (const note of ['two\nlines', 'x'.repeat(301)]) {
    const refused = await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 99, body: { note } });
    expect(refused.status).toBe(400);
  }
});

test('the migration dates a stored post by its last publication with other words', async () => {
  const id = await publishNew();
  await save(id, { content: 'The heart is a hollow muscle.' });
  const at = await publish(id);
  await save(id, { byline: [{ name: 'Dr Ada', role: 'author' }] });
  await publish(id);
  const unchanged = await publishNew();
  const { database } = desk.context.project;
  await sql`UPDATE journal_posts SET dated_changes = NULL`.execute(database.writer);
  await datesOfPublications.up(database.writer as never);
  // French readers have what they had.
  expect((await datesOf(id)).stored).toEqual({ original: at, en: at, es: at, de: at });
  expect((await datesOf(unchanged)).stored).toBeNull();
});

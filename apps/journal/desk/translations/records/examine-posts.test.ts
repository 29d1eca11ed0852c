import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LanguageTranslation } from '../../../project/translations.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

/** What an earlier guard has examined is examined anew: in the background, and before anything is shown or released by it. */

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'editor');
});
afterAll(() => desk.close());

const LINK = '[the book](https://book.example/)';
const CONTENT = `See ${LINK} before you take 5 mg.`;
const RIGHT = 'Siehe [das Buch](https://book.example/), bevor Sie 5 mg nehmen.';
const WITHOUT_LINK = 'Siehe das Buch, bevor Sie 5 mg nehmen.';

const german = async (id: string): Promise<LanguageTranslation> =>
  (await desk.call(ada, 'GET', `posts/${id}/translations/de`)).body;

const shown = async (id: string) => {
  const [post] = await desk.rows(`journal_posts?id=eq.${id}`);
  return { content: post.content_de, fact: JSON.parse(post.translations ?? '{}').de };
};

const run = (statement: string) => sql.raw(statement).execute(desk.context.project.database.writer);

/** Creates a post with a translation that a machine wrote. */
async function create(content: string): Promise<string> {
  const translations = { de: { title: 'Das Buch', content } };
  const document = buildDocument({ title: 'The book', content: CONTENT, language: 'en', translations });
  const { body } = await desk.call(ada, 'POST', 'posts?translatedBy=machine', { body: { document } });
  return String(body.id);
}

const publish = (id: string) => desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} });

/** Leaves all posts as an earlier version did, whose guard knew nothing of links: the translation has lost one. */
async function forget(): Promise<void> {
  await run(
    `UPDATE segment_translations SET findings = NULL, blocks = 0, text = replace(text, '${RIGHT}', '${WITHOUT_LINK}')`,
  );
  await run(`UPDATE journal_posts SET content_de = replace(content_de, '${RIGHT}', '${WITHOUT_LINK}')`);
  await run('UPDATE post_languages SET blocked = 0');
  await run('UPDATE post_segments SET examined = NULL');
}

test('nothing is shown or released by the findings of an earlier guard, and what people see keeps its version', async () => {
  const id = await create(WITHOUT_LINK);
  const [, before] = (await german(id)).segments;
  expect(before).toMatchObject({ blocked: true, findings: [{ kind: 'link', severity: 'doubt' }] });
  await forget();
  expect((await publish(id)).status).toBe(200);
  expect((await shown(id)).content).toBeNull();
  await forget();
  expect((await german(id)).segments[1]).toEqual(before);
});

test('posts are examined in the background, what one node leaves by the next; the released stays so, and is called checked no more', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 8; at += 1) {
    const id = await create(RIGHT);
    ids.push(id);
    await publish(id);
    expect((await shown(id)).fact).toMatchObject({ checked: true });
  }
  await forget();
  const { database } = desk.context.project;
  const left = async () =>
    (await database.query('SELECT id FROM post_segments WHERE examined IS NULL', [])).length;
  const all = await left();
  const first = await openTestDesk({ settings: desk.settings });
  await vi.waitFor(async () => expect(await left()).toBeLessThan(all), { timeout: 30_000, interval: 2 });
  await first.close();
  expect(await left()).toBeGreaterThan(0);
  const second = await openTestDesk({ settings: desk.settings });
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 30_000 });
  await second.close();
  for (const id of ids)
    expect(await shown(id)).toMatchObject({ content: WITHOUT_LINK, fact: { by: 'machine', checked: false } });
  const { body } = await desk.call(ada, 'GET', 'translations/queue?language=de&state=blocked');
  const doubtful = body.posts.map(({ postId }: { postId: string }) => postId);
  expect(doubtful).toEqual(expect.arrayContaining(ids));
});

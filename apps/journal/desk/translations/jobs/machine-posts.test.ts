import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { JOB_PROMPT } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

/** What the server translates of posts that clients of the REST interface create with a machine's translations. */

let model: OpenAiStandIn;
let desk: TestDesk;
let ada: Person;

beforeEach(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({ environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model' } });
  ada = await desk.person('Ada', 'author');
});
afterEach(async () => {
  await desk.close();
  await model.close();
});

const TITLE = 'The heart of the body';
const CONTENT = 'The heart is a muscle of the body.\n\nTake 5 mg with water in the morning.';
const FRENCH = 'Le cœur est un muscle du corps.\n\nPrenez 5 mg avec de l’eau le matin.';

const own = (code: string) => ({ [`title_${code}`]: TITLE, [`content_${code}`]: CONTENT });

/** The prompts by which translations were asked for. */
const translating = () => model.calls.map(({ prompt }) => prompt).filter((prompt) => JOB_PROMPT.test(prompt));

/** Creates a post as the create page does: its German failed. */
async function create(columns: object = {}, as = ada): Promise<string> {
  desk.clock.now += 10;
  const id = `post_${desk.clock.now}`;
  const row = {
    ...{ id, user_id: as.id, title: TITLE, content: CONTENT, image_url: '/x.png', language: 'en' },
    ...{ ...own('en'), ...own('de'), title_fr: 'Le cœur du corps', content_fr: FRENCH },
    ...{ title_es: 'El corazón del cuerpo', content_es: 'El corazón es un músculo.\n\nTome 5 mg con agua.' },
    ...{ translated_by: 'machine', untranslated: 'title:de,content:de', published: 1, ...columns },
  };
  const { status, body } = await desk.call(as, 'POST', '/api/db/journal/rest/v1/journal_posts', {
    body: row,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return id;
}

const read = async (id: string) => (await desk.rows(`journal_posts?id=eq.${id}`))[0];
const jobsOf = (id: string) => desk.rows(`translation_jobs?post_id=eq.${id}&order=created_at`);
const endOf = (id: string) =>
  expect.poll(async () => (await jobsOf(id)).map(({ state }: { state: string }) => state), {
    timeout: 60_000,
  });

it('what a post lacks that is created with a machine’s translations is translated by the server, on its author’s budget', async () => {
  const id = await create();
  await expect.poll(async () => (await read(id)).untranslated, { timeout: 60_000 }).toBeNull();
  const { content_de, content_fr, content_en, title_de, translations } = await read(id);
  expect(title_de).not.toBe(TITLE);
  expect(content_de).toContain('5 mg');
  expect(content_de).not.toBe(CONTENT);
  expect({ content_fr, content_en }).toEqual({ content_fr: FRENCH, content_en: CONTENT });
  const facts = JSON.parse(translations);
  expect([facts.de.by, facts.fr.by, facts.es.by]).toEqual(['machine', 'machine', 'machine']);
  await endOf(id).toEqual(['done']);
  expect(translating().every((prompt) => /to German/.test(prompt))).toBe(true);
  const spent = await desk.context.project.database.query('SELECT DISTINCT user_id FROM ai_usage', []);
  expect(spent).toEqual([{ user_id: ada.id }]);
});

it('a post that is created with a machine’s translations gets an address in words in each language', async () => {
  const id = await create();
  const slugs = () => desk.rows(`post_slugs?post_id=eq.${id}&select=id,language,current`);
  await expect.poll(slugs).toContainEqual({ id: 'the-heart-of-the-body', language: 'en', current: 1 });
  await expect
    .poll(async () => (await slugs()).map(({ language }: { language: string }) => language).sort())
    .toEqual(['de', 'en', 'es', 'fr']);
});

it('a whole post is only read once more, each language in a call, and one whose program says nothing of a machine has no job', async () => {
  const german = {
    title_de: 'Das Herz des Körpers',
    content_de: 'Das Herz ist ein Muskel.\n\n5 mg mit Wasser.',
  };
  const id = await create({ ...german, untranslated: null });
  await endOf(id).toEqual(['done']);
  expect(await jobsOf(await create({ translated_by: null }))).toEqual([]);
  expect(translating()).toEqual([]);
  expect(model.calls).toHaveLength(3);
});

it('a person asks for one segment while the job of a post is open: both are done, and the gaps are paid once', async () => {
  const { promise: until, resolve: respond } = Promise.withResolvers<void>();
  model.behave({ kind: 'wait', until, when: JOB_PROMPT });
  const id = await create();
  await expect.poll(() => model.calls.length).toBeGreaterThan(0);
  const { body } = await desk.call(ada, 'GET', `posts/${id}/translations/fr`);
  const segment = body.segments[1].id;
  const asked = await desk.call(ada, 'POST', `posts/${id}/translations/fr/segments/${segment}/ask`);
  expect(asked.status).toBe(202);
  // "Try again" joins the job that is under way for the same account.
  for (let times = 0; times < 2; times += 1)
    await desk.call(ada, 'POST', `posts/${id}/translations/translate`, { body: { languages: ['de'] } });
  expect(await jobsOf(id)).toHaveLength(2);
  respond();
  await endOf(id).toEqual(['done', 'done']);
  const prompts = translating();
  expect(prompts.filter((prompt) => /to French/.test(prompt))).toHaveLength(1);
  expect(prompts.filter((prompt) => /to German/.test(prompt) && prompt.includes('muscle'))).toHaveLength(1);
});

it('an editor who asks for a post that its author’s job translates has a job of their own, which finds nothing left', async () => {
  const { promise: until, resolve: respond } = Promise.withResolvers<void>();
  model.behave({ kind: 'wait', until, when: JOB_PROMPT });
  const id = await create();
  await expect.poll(() => model.calls.length).toBeGreaterThan(0);
  const eve = await desk.person('Eve', 'editor');
  await desk.call(eve, 'POST', `posts/${id}/translations/translate`, { body: { languages: ['de'] } });
  respond();
  await endOf(id).toEqual(['done', 'done']);
  const jobs = (await jobsOf(id)).map(({ user_id }: { user_id: string }) => user_id);
  expect(jobs).toEqual([ada.id, eve.id]);
  const spent = await desk.context.project.database.query('SELECT DISTINCT user_id FROM ai_usage', []);
  expect(spent).toEqual([{ user_id: ada.id }]);
});

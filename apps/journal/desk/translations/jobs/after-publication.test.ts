import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

/** What a publication has the server translate, with no page open and by whomever it is published. */

const CONTENT = 'The heart of the body is a muscle.\n\nIt is in the middle of the chest.';
const LANGUAGES = ['de', 'es', 'fr'];

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

async function create(): Promise<string> {
  const document = buildDocument({ title: 'The heart of the body', content: CONTENT });
  const { status, body } = await desk.call(ada, 'POST', 'posts', { body: { document } });
  expect(status).toBe(201);
  return body.id;
}

async function publish(id: string, options: object = {}, by = ada): Promise<void> {
  const { version } = (await desk.call(by, 'GET', `posts/${id}`)).body;
  const { status, body } = await desk.call(by, 'POST', `posts/${id}/publish`, { version, body: options });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Returns the languages that readers have a post in, by its labels. */
async function readable(id: string): Promise<string[]> {
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  return Object.keys(JSON.parse(row?.translations ?? '{}')).sort();
}

const spenders = async () =>
  (
    await desk.context.project.database.query('SELECT DISTINCT user_id FROM ai_usage ORDER BY user_id', [])
  ).map(({ user_id }) => user_id);

it('a publication has the server translate the post, and readers get each language', async () => {
  const id = await create();
  await publish(id);
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  expect(await spenders()).toEqual([ada.id]);
});

it('a post that is published by the schedule is translated on the budget of who scheduled it', async () => {
  const id = await create();
  await publish(id, { at: desk.clock.now + 60_000 });
  expect(model.calls).toEqual([]);
  desk.clock.now += 60_000;
  // Another post that is scheduled has the schedule look at once.
  await publish(await create(), { at: desk.clock.now + 3_600_000 });
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  expect(await spenders()).toEqual([ada.id]);
});

it('a post that an editor publishes is translated on the editor’s budget', async () => {
  const id = await create();
  const eve = await desk.person('Eve', 'editor');
  await publish(id, {}, eve);
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  expect(await spenders()).toEqual([eve.id]);
});

it('a paragraph that is changed and published while the post is being translated is translated in its new words', async () => {
  const id = await create();
  const { promise: until, resolve: answer } = Promise.withResolvers<void>();
  model.behave({ kind: 'wait', until });
  await publish(id);
  await expect.poll(() => model.calls.length).toBeGreaterThan(0);
  const { version, document } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  const content = CONTENT.replace('a muscle', 'a pump');
  const saved = await desk.call(ada, 'PUT', `posts/${id}`, { version, body: { ...document, content } });
  expect(saved.status).toBe(200);
  await publish(id);
  answer();
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  const rows = await desk.rows(`segment_translations?post_id=eq.${id}&language=eq.de&select=source_text`);
  expect(rows.map(({ source_text }: { source_text: string }) => source_text)).toContain(
    'The heart of the body is a pump.',
  );
});

it('a job that somebody asked for goes on when the post is published, which has one of its own on its own budget', async () => {
  const id = await create();
  const { promise: until, resolve: respond } = Promise.withResolvers<void>();
  model.behave({ kind: 'wait', until });
  expect((await desk.call(ada, 'POST', `posts/${id}/translations/translate`, { body: {} })).status).toBe(202);
  await expect.poll(() => model.calls.length).toBeGreaterThan(0);
  const eve = await desk.person('Eve', 'editor');
  const { document, version } = (await desk.call(eve, 'GET', `posts/${id}`)).body;
  const content = `${CONTENT}\n\nIt beats for the whole of the life.`;
  expect(
    (await desk.call(eve, 'PUT', `posts/${id}`, { version, body: { ...document, content } })).status,
  ).toBe(200);
  await publish(id, {}, eve);
  respond();
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  const jobs: { user_id: string; state: string }[] = await desk.rows(
    `translation_jobs?post_id=eq.${id}&order=created_at`,
  );
  expect(jobs.map(({ user_id }) => user_id)).toEqual([ada.id, eve.id]);
  expect(await spenders()).toEqual([ada.id, eve.id].sort());
});

it('a language that is withdrawn is not translated with a publication', async () => {
  const id = await create();
  expect((await desk.call(ada, 'POST', `posts/${id}/translations/de/withdraw`)).status).toBe(200);
  await publish(id);
  await expect.poll(() => readable(id)).toEqual(['es', 'fr']);
  expect(model.calls.filter(({ prompt }) => prompt.includes('to German'))).toEqual([]);
});

it('a publication that lacks no translation, and a post that a program stores, ask for none', async () => {
  const id = await create();
  await publish(id);
  await expect.poll(() => readable(id)).toEqual(LANGUAGES);
  model.calls.length = 0;
  await publish(id);
  const row = { title: 'Foreign', content: 'A foreign text.', image_url: '/x.png', published: 1 };
  const { status } = await desk.call(
    { id: '', token: desk.context.project.secretKey },
    'POST',
    '/api/db/journal/rest/v1/journal_posts',
    { body: { ...row, user_id: ada.id } },
  );
  expect(status).toBe(201);
  expect(await desk.rows('translation_jobs?state=in.(waiting,running)')).toEqual([]);
  expect(model.calls).toEqual([]);
});

import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../testing/open-test-desk.ts';

const COMMENT = 'The heart of the body is a muscle, and this is for all of us to know.';

let model: Awaited<ReturnType<typeof startOpenAiStandIn>>;
let desk: TestDesk;
let ada: Person;
let post: string;

beforeAll(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({
    environment: {
      ...{ AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model' },
      ...{ RATE_LIMIT: 'on', AI_DAILY_CALLS: '20', TRUST_PROXY: '1' },
    },
  });
  ada = await desk.person('Ada', 'author');
  // The desk would have what it publishes translated by the same model.
  const { title, content } = buildDocument();
  const row = { id: 'post_1', title, content, image_url: '/x.png', published: 1, user_id: ada.id };
  const { status } = await desk.call(ada, 'POST', '/api/db/journal/rest/v1/journal_posts', { body: row });
  expect(status).toBe(201);
  post = row.id;
});
afterAll(async () => {
  await desk.close();
  await model.close();
});
beforeEach(() => model.reset());

let comments = 0;

async function comment(content = COMMENT): Promise<string> {
  comments += 1;
  const row = { id: `comment_${comments}`, post_id: post, user_id: ada.id, user_name: 'Ada', content };
  const { status } = await desk.call(ada, 'POST', '/api/db/journal/rest/v1/post_comments', { body: row });
  expect(status).toBe(201);
  return row.id;
}

const translate = (as: Person, id: string, language = 'de') =>
  desk.call(as, 'POST', `comments/${id}/translation`, { body: { language } });

it('a comment is translated for a reader without an account, once for all readers', async () => {
  const id = await comment();
  const [one, other] = await Promise.all([translate(ANONYMOUS, id), translate(ANONYMOUS, id)]);
  expect(one.body).toEqual({ text: expect.stringMatching(/^Die hearten/), language: 'de', findings: [] });
  expect(other.body).toEqual(one.body);
  expect((await translate(ada, id)).body).toEqual(one.body);
  expect(model.calls).toHaveLength(1);
  expect((await translate(ada, id, 'en')).body).toEqual({ text: COMMENT, language: 'en', findings: [] });
  expect(model.calls).toHaveLength(1);
});

it('a translation in another language is asked for once more, and then refused', async () => {
  const id = await comment();
  model.behave({ kind: 'segments', language: 'en', times: 1 });
  expect((await translate(ada, id)).body.text).toMatch(/^Die hearten/);
  expect(model.calls).toHaveLength(2);
  const never = await comment(`${COMMENT} Yes.`);
  model.behave({ kind: 'say', text: 'I cannot do that.' });
  expect(await translate(ada, never)).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
  expect(model.calls).toHaveLength(4);
  // It is remembered: nobody pays for it again, and another reader learns the same.
  model.behave({ kind: 'segments', language: 'de' });
  expect(await translate(ANONYMOUS, never)).toMatchObject({ status: 502, body: { code: 'AI_FAILED' } });
  expect(model.calls).toHaveLength(4);
});

it('readers get a comment without what the model says around it, asked for at temperature 0, and never a refusal', async () => {
  const bea = await desk.person('Bea', 'reader');
  const stop = model.behave({
    kind: 'segments',
    rewrite: (text) => `Deutsch: „${text}“<|im_end|>`,
    around: (response) => `<think>${response.replaceAll('muscle', 'Entwurf')}</think>${response}`,
  });
  const { body } = await translate(bea, await comment(`${COMMENT} Twice.`));
  expect(body.text).toMatch(/^Die hearten von die bodyen ist ein muscleen.*Twiceen\.$|zweimal\.$/i);
  expect(model.calls.map(({ temperature }) => temperature)).toEqual([0]);
  stop();
  model.behave({ kind: 'segments', rewrite: () => 'Es tut mir leid, aber dabei kann ich nicht helfen.' });
  expect(await translate(bea, await comment(`${COMMENT} Never.`))).toMatchObject({ status: 502 });
});

it('readers without an account have a budget together, and those with one have their own', async () => {
  const askUntilRefused = async (ip: string) => {
    for (let call = 0; ; call += 1) {
      const id = await comment(`${COMMENT} This is the ${call} of ${ip}.`);
      const { status, body } = await translate({ ...ANONYMOUS, ip }, id);
      if (status === 200) continue;
      expect({ status, body }).toMatchObject({ status: 429, body: { code: 'AI_QUOTA_EXCEEDED' } });
      expect(body.error).toContain('Please sign in');
      return call;
    }
  };
  const made = [];
  for (let n = 1; n <= 6; n += 1) made.push(await askUntilRefused(`198.18.${n}.1`));
  // A network has a sixth of what the others have left, so that those who come later find room.
  expect(made[0]).toBeLessThanOrEqual(4);
  expect(Math.min(...made)).toBeGreaterThan(0);
  expect((await translate(ada, await comment(`${COMMENT} And the last.`))).status).toBe(200);
});

it('there is no translation of a comment that does not exist', async () => {
  expect(await translate(ANONYMOUS, 'comment_none')).toMatchObject({ status: 404 });
});

it('a comment of an account whose comments an operator has hidden is translated for nobody', async () => {
  const id = await comment();
  const { writer } = desk.context.project.database;
  await sql`UPDATE users SET hidden_at = 1 WHERE id = ${ada.id}`.execute(writer);
  onTestFinished(async () => void (await sql`UPDATE users SET hidden_at = NULL`.execute(writer)));
  expect(await translate(ANONYMOUS, id)).toMatchObject({ status: 404 });
  expect(model.calls).toEqual([]);
});

it('a comment is no longer translated once its post is withdrawn, but for the owner and editors', async () => {
  const id = await comment();
  const eda = await desk.person('Eda', 'editor');
  const rea = await desk.person('Rea', 'reader');
  expect((await translate(ada, id)).status).toBe(200);
  expect((await desk.call(ada, 'POST', `posts/${post}/unpublish`, { version: 0 })).status).toBe(200);
  for (const as of [ANONYMOUS, rea]) expect(await translate(as, id)).toMatchObject({ status: 404 });
  for (const as of [ada, eda]) expect((await translate(as, id)).status).toBe(200);
});

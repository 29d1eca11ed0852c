import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import {
  type BadSegments,
  JOB_PROMPT,
  pseudoTranslate,
} from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isLanguage, type Language } from '../../../project/languages.ts';
import { talkIn } from '../../../testing/model-talk.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

/** What models do wrong, from the answer of the model to what readers get. */

let model: OpenAiStandIn;
let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({ environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model' } });
  ada = await desk.person('Ada', 'editor');
});
afterEach(() => model.reset());
afterAll(async () => {
  await desk.close();
  await model.close();
});

const TITLE = 'The heart of the body';
/** Without a number, by which the guard would hold the translation back. */
const PARAGRAPHS = [
  'The heart of the body is a muscle, and it is in the middle of the chest for all of life.',
  'Read of it in [the book of the heart](https://book.example/heart), and see ![the left side](/left.png). It is **on the left** for most people.[^1] Stop the treatment if the patient has a rash, and see the doctor.',
  '[^1]: The note is by the author of the book.',
];

/** Publishes a post, has it translated by a model that does this, and returns what readers have then, with the state of its job. */
async function readersHave(
  bad: Omit<BadSegments, 'kind'> & { times?: number },
  paragraphs = PARAGRAPHS,
  languages = ['de'],
) {
  model.behave({ kind: 'segments', ...bad });
  const document = buildDocument({
    ...{
      title: TITLE,
      content: paragraphs.join('\n\n'),
      contentFormat: 'markdown' as const,
      language: 'en' as const,
    },
  });
  const { body } = await desk.call(ada, 'POST', 'posts', { body: { document } });
  await desk.call(ada, 'POST', `posts/${body.id}/publish`, { version: 1, body: {} });
  await desk.call(ada, 'POST', `posts/${body.id}/translations/translate`, { body: { languages } });
  const job = await vi.waitFor(
    async () => {
      const found = (await desk.call(ada, 'GET', `posts/${body.id}/translations/job`)).body;
      expect(['done', 'failed']).toContain(found?.state);
      return found;
    },
    { timeout: 60_000, interval: 20 },
  );
  const [post] = await desk.rows(`journal_posts?id=eq.${body.id}`);
  return { post, job, facts: JSON.parse(post.translations ?? '{}') };
}

/** The talk that may stand within each text. What has no beginning ends all that was written before it. */
const talkInside = (language: Language) =>
  talkIn(language).filter(({ before }) => !/^A draft|<\|channel/.test(before));
const good = (text: string, language: string) => pseudoTranslate(text, language);

test('a good translation is released, and readers are told that its numbers were compared', async () => {
  const { post, job, facts } = await readersHave({});
  expect(job).toMatchObject({ state: 'done', fault: null });
  expect(post).toMatchObject({
    title_de: good(TITLE, 'de'),
    content_de: good(PARAGRAPHS.join('\n\n'), 'de'),
  });
  expect(facts.de).toMatchObject({ by: 'machine', checked: true });
  expect(model.calls.map(({ temperature }) => temperature)).toEqual(model.calls.map(() => 0));
});

test('readers get each text without what a model says around it, in each language', async () => {
  const paragraphs = talkInside('de').map(
    (_, at) => `N${at}. The heart of the body is a muscle, and it is in the middle.`,
  );
  const languages = ['de', 'es', 'fr'];
  const rewrite = (translated: string, source: string, language: string) => {
    const at = Number(/^N(\d+)/.exec(source)?.[1] ?? 0);
    const talk = isLanguage(language) ? talkInside(language)[at] : undefined;
    return talk ? talk.before + translated + talk.after : translated;
  };
  const { post, job } = await readersHave({ rewrite }, paragraphs, languages);
  expect(job).toMatchObject({ state: 'done', fault: null });
  for (const language of languages) {
    expect(post[`content_${language}`].split('\n\n')).toEqual(paragraphs.map((text) => good(text, language)));
    expect(post[`title_${language}`]).toBe(good(TITLE, language));
  }
});

const italian = 'Il cuore è un muscolo che si trova nel mezzo del petto della persona per tutta la vita.';
const onFirst = (other: string) => (translated: string, source: string) =>
  source === PARAGRAPHS[0] ? other : translated;

test('of a model that writes another language nothing is kept, and its job says that nothing usable came', async () => {
  const { job, post, facts } = await readersHave({
    rewrite: (text, source) => (source === TITLE ? text : italian),
  });
  expect([post.content_de, facts]).toEqual([null, {}]);
  expect(job).toMatchObject({ state: 'failed', fault: 'UNUSABLE' });
  const rows: { text: string }[] = await desk.rows(`segment_translations?post_id=eq.${post.id}`);
  expect(rows.map((row) => row.text)).not.toContain(italian);
});

test('what a model does to addresses and marks that it sees changes none, as it sees none', async () => {
  const paragraphs = [
    ...PARAGRAPHS,
    'It is at https://heart.example/a?b=1 and in 2 <3/> [parts](/parts "Parts of it").',
  ];
  const rewrite = (text: string) =>
    text.replaceAll(/https?:\/\/|\/left|\[\^1\]|\/parts/g, 'https://evil.example/');
  const { post, job } = await readersHave({ rewrite }, paragraphs);
  expect(job).toMatchObject({ state: 'done', fault: null });
  expect(post.content_de).toBe(good(paragraphs.join('\n\n'), 'de'));
  const translating = model.calls.map(({ prompt }) => prompt).filter((prompt) => JOB_PROMPT.test(prompt));
  expect(translating.length).toBeGreaterThan(0);
  expect(translating.filter((prompt) => /heart\.example|left\.png|\/parts/.test(prompt))).toEqual([]);
});

test.each<[string, Omit<BadSegments, 'kind'>, string | RegExp]>([
  ['loses a link', { rewrite: (text) => text.replace(/<1>(.*?)<\/1>/, '$1') }, 'It has lost <1>…</1>.'],
  [
    'adds the mark of a note',
    { rewrite: (text) => text.replace('<3/>', '<3/><4/>') },
    'It has <4/>, which the text does not have there.',
  ],
  [
    'writes a paragraph in Italian',
    { rewrite: onFirst(italian) },
    /It is not in (?:German|Spanish|French)\./,
  ],
  [
    'changes a dose',
    { change: '5 mg' },
    'The number differs: “5 mg” in the text, “50 mg” in the translation.',
  ],
])('a model that %s once is told so, and readers get its next answer', async (_, bad, reason) => {
  const paragraphs = [...PARAGRAPHS, 'Take 5 mg of it in the morning.'];
  model.behave({ kind: 'segments' });
  const { post, job } = await readersHave({ ...bad, times: 1 }, paragraphs);
  expect(job).toMatchObject({ state: 'done', fault: null });
  expect(post.content_de).toBe(good(paragraphs.join('\n\n'), 'de'));
  expect(
    model.calls.filter(({ prompt }) =>
      typeof reason === 'string' ? prompt.includes(reason) : reason.test(prompt),
    ),
  ).toHaveLength(1);
});

test('a term that stays as it is cannot be changed by the model, which is asked again', async () => {
  const term = { words: { en: ['Aspirin'] }, keep: true, note: '' };
  expect(
    await desk.call(ada, 'POST', 'translations/terms', {
      body: { ...term, words: { en: ['Aspirin'], de: ['Aspirin'] } },
    }),
  ).toMatchObject({
    status: 201,
  });
  const paragraphs = ['The heart of the body is a muscle, and Aspirin is for the blood in it.'];
  const { post, job } = await readersHave(
    { rewrite: (text) => text.replace(/Aspirin\w*/, 'Aspirin nicht'), times: 1 },
    paragraphs,
  );
  expect(job).toMatchObject({ state: 'done', fault: null });
  expect(post.content_de).toMatch(/und Aspirin ist für die/);
  expect(model.calls.some(({ prompt }) => prompt.includes('It has <1>Aspirin nicht</1>'))).toBe(true);
});

test('short texts that are in another language together are not kept, though none of them tells', async () => {
  const english = [
    'the heart',
    'the lung',
    'the wall',
    'the blood',
    'the water',
    'the chest',
    'the sugar',
    'the hand',
  ];
  const words = [
    'il cuore',
    'il polmone',
    'la parete',
    'il sangue',
    'acqua',
    'il petto',
    'lo zucchero',
    'la mano',
  ];
  const { post, job, facts } = await readersHave(
    { rewrite: (text, source) => words[english.indexOf(source)] ?? text },
    english.map((text) => `- ${text}`),
  );
  expect(job).toMatchObject({ state: 'failed', fault: 'UNUSABLE' });
  expect([post.content_de, facts.de]).toEqual([null, undefined]);
});

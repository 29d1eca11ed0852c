import { removeTestSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { BRIEF_PROMPT, JOB_PROMPT, segmentsOf } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';

const PARAGRAPHS = Array.from(
  { length: 40 },
  (_, index) =>
    `N${index}. The heart of the body is a muscle, and it is in the middle of the chest for life.`,
);
/** Of 40 words each: `npm run test:long` takes 12,000 words. */
const LONG_PARAGRAPHS = Number(process.env.PARAGRAPHS ?? 80);
const LANGUAGES = ['es', 'fr', 'de'];
/** A model that fails and asks to be called again at once, so that no test waits for pauses between calls. */
const FAILS = { kind: 'fail', status: 500, retryAfter: 0 } as const;

let model: OpenAiStandIn;
let desk: TestDesk;
let ada: Person;

beforeEach(async () => {
  model = await startOpenAiStandIn();
  desk = await open();
  ada = await desk.person('Ada', 'author');
});
afterEach(async () => {
  await desk.close();
  await model.close();
});

const open = (options: Parameters<typeof openTestDesk>[0] = {}) =>
  openTestDesk({
    ...options,
    environment: {
      AI_BASE_URL: model.url,
      AI_TEXT_MODEL: 'small-model',
      ...options.environment,
    },
  });

/** Takes a server with other settings. */
async function reopen(
  environment: Record<string, string>,
  options: Parameters<typeof openTestDesk>[0] = {},
): Promise<void> {
  await desk.close();
  desk = await open({ environment, ...options });
  ada = await desk.person('Ada', 'author');
}

async function createPost(content = PARAGRAPHS.join('\n\n'), on = desk) {
  const document = buildDocument({ content, title: 'The heart of the body', contentFormat: 'markdown' });
  const { body } = await on.call(ada, 'POST', 'posts', { body: { document } });
  return { id: String(body.id), document };
}

const translate = (id: string, body: object = {}, on = desk) =>
  on.call(ada, 'POST', `posts/${id}/translations/translate`, { body });

/** Waits until the job of a post has ended, and returns it. */
async function jobOf(id: string, on = desk) {
  return vi.waitFor(
    async () => {
      const { body } = await on.call(ada, 'GET', `posts/${id}/translations/job`);
      expect(['done', 'failed', 'cancelled']).toContain(body?.state);
      return body;
    },
    { timeout: 100_000, interval: 20 },
  );
}

const rowsOf = async (id: string, filter = '') =>
  (await desk.rows(`segment_translations?post_id=eq.${id}${filter}&limit=1000`)) as Record<string, unknown>[];

const languageOf = (system: string) => /to (Spanish|French|German)/.exec(system)?.[1];

/** Tells how often each text was asked for in each language. */
function asked(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { prompt, messages } of model.calls) {
    const language = languageOf(messages[0]?.content ?? '');
    for (const text of segmentsOf(prompt)) {
      const key = `${language} ${text}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** The calls that translate, without those that read again what was translated. */
const translating = () => model.calls.filter(({ prompt }) => JOB_PROMPT.test(prompt));

it('a post is translated on the server, each segment once in each language, with progress in words', async () => {
  const { id } = await createPost();
  const started = await translate(id);
  expect(started.status).toBe(202);
  expect(started.body).toMatchObject({ state: 'waiting', languages: LANGUAGES, fault: null });
  const job = await jobOf(id);
  const words = 3 * [...PARAGRAPHS, 'The heart of the body'].join(' ').split(' ').length;
  expect(job).toMatchObject({ state: 'done', fault: null, words: { done: words, total: words } });
  expect(asked().size).toBe(3 * 41);
  expect(new Set(asked().values())).toEqual(new Set([1]));
  const rows = await rowsOf(id);
  expect(rows).toHaveLength(3 * 41);
  expect(new Set(rows.map((row) => `${row.state} ${row.writer_kind} ${row.writer_name}`))).toEqual(
    new Set(['machine model small-model']),
  );
  const account = await desk.backend.projects
    .get('journal')
    ?.database.reader.selectFrom('ai_usage')
    .select(['user_id', 'outcome'])
    .distinct()
    .execute();
  expect(account).toEqual([{ user_id: ada.id, outcome: 'OK' }]);
});

it('a changed paragraph is asked for once in each language, and no other text changes', async () => {
  const { id, document } = await createPost();
  await translate(id);
  await jobOf(id);
  const before = await rowsOf(id);
  model.calls.length = 0;
  const content = PARAGRAPHS.with(17, 'N17. The heart of a child is as small as its fist.').join('\n\n');
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 1, body: { ...document, content } });
  await translate(id);
  expect(await jobOf(id)).toMatchObject({ state: 'done', words: { done: 36, total: 36 } });
  expect([...asked()].map(([text, count]) => `${text} ${count}`).sort()).toEqual(
    ['French', 'German', 'Spanish'].map(
      (name) => `${name} N17. The heart of a child is as small as its fist. 1`,
    ),
  );
  const after = await rowsOf(id);
  const changed = after.filter(({ id: row, text }) => before.find((one) => one.id === row)?.text !== text);
  expect(changed).toHaveLength(3);
  expect(changed.every(({ source_text }) => String(source_text).startsWith('N17.'))).toBe(true);
});

it('the model is asked once more for one segment in one language, whatever it says there', async () => {
  const { id } = await createPost(PARAGRAPHS.slice(0, 3).join('\n\n'));
  await translate(id);
  await jobOf(id);
  const [row] = (await rowsOf(id, '&language=eq.de')).filter(
    ({ source_text }) => source_text === PARAGRAPHS[1],
  );
  model.calls.length = 0;
  const path = `posts/${id}/translations/de/segments/${row?.segment_id}`;
  const { status, body } = await desk.call(ada, 'POST', `${path}/ask`, { body: {}, version: 1 });
  expect({ status, body }).toMatchObject({
    status: 202,
    body: { id: row?.segment_id, source: PARAGRAPHS[1] },
  });
  expect(await jobOf(id)).toMatchObject({ state: 'done' });
  expect([...asked()]).toEqual([[`German ${PARAGRAPHS[1]}`, 1]]);
  const missing = await desk.call(ada, 'POST', path.replace(/[^/]+$/, 'none/ask'), { body: {}, version: 1 });
  expect(missing.status).toBe(404);
});

it('the words of a person stay: a job writes a proposal beside them, once', async () => {
  const { id, document } = await createPost('The heart of the body is a muscle.');
  const translations = { de: { title: 'Das Herz', content: 'Das Herz ist ein Muskel.' } };
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 1, body: { ...document, translations } });
  const content = 'The heart of the body is a strong muscle.';
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 2, body: { ...document, content } });
  await translate(id, { languages: ['de'] });
  await jobOf(id);
  const [row] = await rowsOf(id, '&source_text=like.*muscle*');
  expect(row).toMatchObject({ text: 'Das Herz ist ein Muskel.', state: 'edited', writer_kind: 'person' });
  expect(row?.proposal).toMatch(/^Die hearten von die/);
  model.calls.length = 0;
  await translate(id, { languages: ['de'] });
  expect(await jobOf(id)).toMatchObject({ state: 'done' });
  expect(model.calls).toHaveLength(0);
});

/** What a model does wrong is the same on any database. */
if (process.env.TEST_ENGINE === 'sqlite') {
  it.each([
    ['is overloaded for a while', { ...FAILS, status: 429, times: 5 }],
    ['fails for a while', { ...FAILS, times: 5 }],
    ['falls silent', { kind: 'stall', after: 30, times: 2 }],
    ['breaks off', { kind: 'break-off', after: 30, times: 3 }],
    ['returns rubbish', { kind: 'nonsense', as: 'html', times: 3 }],
    ['says something else', { kind: 'say', text: 'I am sorry, but I cannot do that.', times: 2 }],
    ['returns half', { kind: 'segments', half: true, times: 3 }],
    ['drops a text', { kind: 'segments', drop: 'N7.', times: 3 }],
    ['writes in another language', { kind: 'segments', language: 'en', times: 3 }],
  ] as const)('a post is translated whole by a model that %s', async (_, rule) => {
    if (rule.kind === 'stall') await reopen({}, { config: { ai: { timeout: 1_000 } } });
    const { id } = await createPost(PARAGRAPHS.slice(0, 12).join('\n\n'));
    model.behave(rule);
    await translate(id);
    expect(await jobOf(id)).toMatchObject({ state: 'done', fault: null });
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(3 * 13);
    expect(rows.every(({ text, source_text }) => text !== source_text)).toBe(true);
    const [german] = rows.filter(
      ({ language, source_text }) => language === 'de' && /^N7/.test(String(source_text)),
    );
    expect(german?.text).toMatch(
      /^N7\. Die hearten von die bodyen ist ein muscleen, und es ist in die middleen/,
    );
  });
}

it('a model that never translates a text fails the job, which keeps the others and goes on when it is asked again', async () => {
  const { id } = await createPost(PARAGRAPHS.slice(0, 5).join('\n\n'));
  const mend = model.behave({ kind: 'segments', drop: 'N2.' });
  await translate(id, { languages: ['de'] });
  expect(await jobOf(id)).toMatchObject({ state: 'failed', fault: 'UNUSABLE' });
  expect(await rowsOf(id)).toHaveLength(5);
  mend();
  model.calls.length = 0;
  await translate(id, { languages: ['de'] });
  expect(await jobOf(id)).toMatchObject({ state: 'done' });
  expect([...asked().keys()]).toEqual([`German ${PARAGRAPHS[2]}`]);
});

it('a language that fails keeps no other from being released', async () => {
  const { id } = await createPost(PARAGRAPHS.slice(0, 5).join('\n\n'));
  model.behave({ ...FAILS, when: 'to German' });
  await desk.call(ada, 'POST', `posts/${id}/publish`, { version: 1, body: {} });
  expect(await jobOf(id)).toMatchObject({ state: 'failed', fault: 'AI_FAILED' });
  const [post] = await desk.rows(`journal_posts?id=eq.${id}`);
  expect(post).toMatchObject({ title_de: null, title_fr: expect.stringMatching(/^La hearte/) });
  expect(post.content_es).toContain('N4. La hearto');
  expect(Object.keys(JSON.parse(post.translations)).sort()).toEqual(['es', 'fr']);
});

it('a job ends with its reason when the account has used up its budget, and keeps what it has', async () => {
  await reopen({ RATE_LIMIT: 'on', AI_CONCURRENCY: '1' }, { config: { ai: { newAccountCalls: 2 } } });
  const { id } = await createPost();
  await translate(id);
  expect(await jobOf(id)).toMatchObject({ state: 'failed', fault: 'AI_QUOTA_EXCEEDED' });
  expect(model.calls).toHaveLength(2);
  const rows = await rowsOf(id);
  expect(rows.length).toBeGreaterThan(40);
});

it('without a model, a job is refused with the setting that is missing', async () => {
  await desk.close();
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
  const { id } = await createPost();
  expect(await translate(id)).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
});

it('a job is cancelled from any node: calls end, and what is translated stays', async () => {
  const { id } = await createPost();
  model.behave({ kind: 'stall', after: 120 });
  await translate(id, { languages: ['de'] });
  await expect.poll(async () => (await rowsOf(id)).length).toBeGreaterThan(3);
  const other = await open({ settings: desk.settings, clock: desk.clock });
  onTestFinished(() => other.close());
  expect(await other.call(ada, 'DELETE', `posts/${id}/translations/job`)).toMatchObject({ status: 204 });
  expect(await jobOf(id)).toMatchObject({ state: 'cancelled' });
  await expect
    .poll(() => model.calls.every(({ prompt, aborted }) => aborted || BRIEF_PROMPT.test(prompt)))
    .toBe(true);
  expect((await rowsOf(id)).length).toBeGreaterThan(3);
});

it('a node that stops leaves its job to another one, which asks for no text that is there', async () => {
  const { id } = await createPost();
  const { settings, clock } = desk;
  model.behave({ kind: 'stall', after: 120 });
  await translate(id, { languages: ['de'] });
  await expect.poll(async () => (await rowsOf(id)).length).toBeGreaterThan(3);
  const other = await open({ settings, clock });
  onTestFinished(() => removeTestSettings(settings));
  await desk.backend.close();
  desk = other;
  const there = new Set((await rowsOf(id)).map(({ source_text }) => `German ${source_text}`));
  model.reset();
  expect(await jobOf(id)).toMatchObject({ state: 'done' });
  expect([...asked().keys()].filter((text) => there.has(text))).toEqual([]);
  expect(asked().size + there.size).toBe(41);
});

it('a further request adds to the job that is under way, and one job does both', async () => {
  const { id } = await createPost(PARAGRAPHS.slice(0, 5).join('\n\n'));
  model.behave({ kind: 'segments', dripMs: 2 });
  const [one, other] = [
    await translate(id, { languages: ['de'] }),
    await translate(id, { languages: ['fr'] }),
  ];
  expect(other.body.id).toBe(one.body.id);
  expect(await jobOf(id)).toMatchObject({ state: 'done', languages: ['de', 'fr'] });
  expect(new Set(asked().values())).toEqual(new Set([1]));
  expect(asked().size).toBe(12);
});

it('a brief is made once for a text and a language, is told in each call, and is made anew when most of the text changes', async () => {
  const { id, document } = await createPost();
  const briefs = () => model.calls.filter(({ prompt }) => BRIEF_PROMPT.test(prompt));
  const save = (version: number, content: string) =>
    desk.call(ada, 'PUT', `posts/${id}`, { version, body: { ...document, content } });
  await translate(id, { languages: ['de'] });
  await jobOf(id);
  expect(briefs()).toHaveLength(1);
  const instructions = translating().at(-1)?.messages[0]?.content;
  expect(instructions).toContain('The text is an essay, for adults without medical training.');
  expect(instructions).toContain('Address readers as “Sie”.');
  await save(1, PARAGRAPHS.with(17, 'N17. The heart of a child is as small as its fist.').join('\n\n'));
  await translate(id, { languages: ['de'] });
  await jobOf(id);
  expect(briefs()).toHaveLength(1);
  await save(2, PARAGRAPHS.map((text) => text.replace('muscle', 'pump')).join('\n\n'));
  await translate(id, { languages: ['de'] });
  expect(await jobOf(id)).toMatchObject({ state: 'done' });
  expect(briefs()).toHaveLength(2);
});

it.each([
  ['fails', FAILS],
  ['is none', { kind: 'say', text: 'I cannot do that.' }],
  ['obeys the text', { kind: 'say', text: 'Kind: <seg id="1">OK</seg>\nReaders: {all}\nTerms: heart = OK' }],
] as const)('a brief that %s hinders nothing', async (_, behaviour) => {
  const { id } = await createPost();
  model.behave({ ...behaviour, when: BRIEF_PROMPT });
  await translate(id, { languages: ['de'] });
  expect(await jobOf(id)).toMatchObject({ state: 'done', fault: null });
  expect(translating().at(-1)?.messages[0]?.content).not.toContain('The text is');
});

it('a text says its kind, its whole is the context of a part, and a heading and neighbours that of a longer one', async () => {
  const parts = [
    '# The heart',
    'It is a muscle of the body.',
    '- It is in the chest.',
    '| a part | b |\n|---|---|\n| the wall | 5 mg |',
  ];
  const { id, document } = await createPost(parts.join('\n\n'));
  await translate(id, { languages: ['de'] });
  await jobOf(id);
  expect(translating()).toHaveLength(1);
  expect([...(translating()[0]?.prompt.matchAll(/ kind="(\w+)"/g) ?? [])].map(([, kind]) => kind)).toEqual([
    ...['title', 'heading', 'item', 'cell', 'cell', 'cell', 'cell'],
  ]);
  await desk.call(ada, 'PUT', `posts/${id}`, {
    version: 1,
    body: { ...document, content: parts.with(1, 'It is a pump of the body.').join('\n\n') },
  });
  await translate(id, { languages: ['de'] });
  await jobOf(id);
  expect(translating()[1]?.prompt).toMatch(
    /Heading above: The heart\n[\s\S]*What stands after, for context only: It is in the chest\. a part b the wall 5 mg/,
  );
});

/** How much is asked for at a time is the same on any database. */
if (process.env.TEST_ENGINE === 'sqlite') {
  it('a long text is translated by a local model that takes one call at a time', async () => {
    await reopen({ AI_CONCURRENCY: '1' });
    const long = Array.from({ length: LONG_PARAGRAPHS }, (_, index) =>
      `N${index}. ${'The heart is a muscle of the body. '.repeat(5)}`.trim(),
    );
    const { id } = await createPost(long.join('\n\n'));
    await translate(id, { languages: ['de'] });
    expect(await jobOf(id)).toMatchObject({ state: 'done' });
    expect(new Set(asked().values())).toEqual(new Set([1]));
    expect(await rowsOf(id)).toHaveLength(LONG_PARAGRAPHS + 1);
  });

  it('1,000 words are asked for in all languages at the same time, and in each in one call after the other', async () => {
    const { id } = await createPost(
      Array.from(
        { length: 50 },
        (_, index) =>
          `N${index}. The heart of the body is a muscle, and it is in the middle of the chest for all of our life.`,
      ).join('\n\n'),
    );
    model.behave({ kind: 'segments', dripMs: 0 });
    await translate(id);
    expect(await jobOf(id)).toMatchObject({ state: 'done' });
    // A brief and two batches, the second of which knows what the first has become.
    const translating = model.calls.filter(
      ({ prompt }) => BRIEF_PROMPT.test(prompt) || JOB_PROMPT.test(prompt),
    );
    const calls = Map.groupBy(translating, ({ messages }) => languageOf(messages[0]?.content ?? ''));
    expect([...calls.values()].map(({ length }) => length)).toEqual([3, 3, 3]);
    const times = [...calls.values()].map((own) =>
      own.map(({ startedAt, ms = 0 }) => [startedAt, startedAt + ms] as const),
    );
    for (const own of times) {
      for (const [at, [start]] of own.entries()) expect(start).toBeGreaterThanOrEqual(own[at - 1]?.[1] ?? 0);
    }
    const ends = times.map((own) => own.at(-1)?.[1] ?? 0);
    for (const own of times) expect(own[0]?.[0]).toBeLessThan(Math.min(...ends));
    expect(calls.get('German')?.[2]?.prompt).toMatch(
      /^Its translation, for context only: N2\d\. Die hearten/m,
    );
    expect(new Set(asked().values())).toEqual(new Set([1]));
  });
}

import { AppError } from '@fabrica/backend';
import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';
import { Originals } from '../original.ts';
import { findWanted } from '../records/machine-texts.ts';
import { JobOutput } from './job-output.ts';
import { parsePatiently } from './parse-patiently.ts';

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

it('a text that makes a language too complex to be read is held by itself, and all else is written', async () => {
  const { originals } = desk.context;
  const content = 'The heart of the body is a **muscle**.\n\nIt is in the middle of the chest.';
  const document = buildDocument({ title: 'The heart of the body', content, contentFormat: 'markdown' });
  const { id: postId } = (await desk.call(ada, 'POST', 'posts', { body: { document } })).body;
  const { segments } = await findWanted(desk.context, postId, { userId: ada.id });
  let words = 0;
  const output = new JobOutput(
    {
      // The joined German text is beyond what the parser takes.
      desk: {
        ...desk.context,
        originals: new Originals(async (text, options) =>
          /Muskel[\s\S]*Brust/.test(text) ? null : originals.parse(text, options),
        ),
      },
      job: { post_id: postId, user_id: ada.id },
      signal: new AbortController().signal,
      async onWritten(written) {
        words += written;
      },
    },
    segments,
  );
  const texts = {
    de: [
      'Das Herz des Körpers',
      'Das Herz des Körpers ist ein **Muskel**.',
      'Es ist in der Mitte der Brust.',
    ],
    fr: ['Le cœur du corps', 'Le cœur du corps est un **muscle**.', 'Il est au milieu de la poitrine.'],
  };
  for (const language of ['de', 'fr'] as const) {
    for (const [position, { id, text: source }] of segments.entries()) {
      const text = texts[language][position] ?? '';
      const writer = { kind: 'model', name: null } as const;
      output.add({ ids: [id], position, text: source }, { language, text, writer });
    }
  }
  await output.written();
  expect(output.hasHeld).toBe(true);
  const statesIn = async (language: string) =>
    (await desk.call(ada, 'GET', `posts/${postId}/translations/${language}`)).body.segments.map(
      ({ state }: { state: string }) => state,
    );
  expect(await statesIn('fr')).toEqual(['machine', 'machine', 'machine']);
  expect((await statesIn('de')).sort()).toEqual(['machine', 'machine', 'missing']);
  expect(words).toBeGreaterThan(20);
});

it('a job waits while too many texts are being parsed, and throws any other error at once', async () => {
  let calls = 0;
  const { signal } = new AbortController();
  const full = parsePatiently(
    async () => {
      calls += 1;
      if (calls < 3) throw new AppError('RATE_LIMITED', 'Too many texts are being read.');
      return null;
    },
    { firstPauseMs: 1, signal },
  );
  expect(await full('text')).toBeNull();
  expect(calls).toBe(3);
  const broken = parsePatiently(() => Promise.reject(new TypeError('No.')), { firstPauseMs: 1, signal });
  await expect(broken('text')).rejects.toThrow('No.');
});

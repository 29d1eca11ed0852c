import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});
afterAll(() => desk.close());

const TITLE = 'The heart of the body';
const CONTENT = 'The heart is a muscle of the body.\n\nTake 5 mg with water in the morning.';

async function check(
  answers: { field: string; language: string; text: string }[],
  texts: { title?: string; content?: string; language?: string | null } = {},
  as = ada,
) {
  const body = { title: TITLE, content: CONTENT, language: 'en', ...texts, answers };
  return desk.call(as, 'POST', 'translations/check', { body });
}

/** Returns what becomes of an answer for the content in German. */
async function checkGerman(text: string, language: string | null = 'en') {
  const { status, body } = await check([{ field: 'content', language: 'de', text }], { language });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.answers[0];
}

const GERMAN = 'Das Herz ist ein Muskel des Körpers.\n\nNehmen Sie morgens 5 mg mit Wasser.';

test.each([
  ['as it is', GERMAN],
  ['in a fence', `\`\`\`\n${GERMAN}\n\`\`\``],
  ['behind reasoning and a preface', `<think>Hm.</think>Hier ist die Übersetzung:\n\n${GERMAN}</s>`],
])('a translation that a model writes %s is let through without what is around it', async (_, text) => {
  expect(await checkGerman(text)).toEqual({ field: 'content', language: 'de', text: GERMAN, fault: null });
});

test.each([
  ['a refusal', 'Es tut mir leid, aber ich kann diesen Text nicht übersetzen.'],
  ['another language', 'Il cuore è un muscolo del corpo umano.\n\nPrenda 5 mg con acqua la mattina.'],
  ['the language of the original', CONTENT],
  ['a paragraph too few', 'Das Herz ist ein Muskel des Körpers. Nehmen Sie morgens 5 mg mit Wasser.'],
  ['a text that has no end', 'Das Herz ist ein Muskel. '.repeat(99)],
])('%s is held back as unusable', async (_, text) => {
  expect(await checkGerman(text)).toMatchObject({ text: null, fault: 'unusable' });
});

test('another dose is held back with the words that contradict, also where the language of the original is unknown', async () => {
  const wrong = GERMAN.replace('5 mg', '50 mg');
  for (const language of ['en', null]) {
    expect(await checkGerman(wrong, language)).toMatchObject({
      text: null,
      fault: 'numbers',
      contradiction: { original: '5 mg', translated: '50 mg' },
    });
  }
});

test('a title of several lines is held back, and each answer is checked by itself', async () => {
  const { body } = await check([
    { field: 'title', language: 'de', text: 'Das Herz\ndes Körpers' },
    { field: 'title', language: 'fr', text: '« Le cœur du corps »' },
  ]);
  expect(body.answers).toMatchObject([
    { field: 'title', language: 'de', text: null, fault: 'unusable' },
    { field: 'title', language: 'fr', text: 'Le cœur du corps', fault: null },
  ]);
});

test('answers are checked for signed-in accounts alone, and malformed requests are refused', async () => {
  expect((await check([], {}, { id: '', token: undefined })).status).toBe(401);
  expect((await check([{ field: 'cover', language: 'de', text: '' }])).status).toBe(400);
  const nine = Array(9).fill({ field: 'title', language: 'de', text: 'Das Herz' });
  expect((await check(nine)).status).toBe(400);
});

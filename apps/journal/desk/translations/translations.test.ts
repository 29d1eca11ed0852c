import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LanguageTranslation, TranslatedSegment } from '../../project/translations.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';
import { recordMachineTexts } from './records/machine-texts.ts';

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
});

afterAll(() => desk.close());

const SOURCE = ['The heart is a muscle.', 'Take 5 mg twice daily.', 'Call your doctor when it hurts.'];
const GERMAN = [
  'Das Herz ist ein Muskel.',
  'Nehmen Sie zweimal täglich 5 mg.',
  'Rufen Sie bei Schmerzen Ihren Arzt an.',
];
const de = { title: 'Das Herz', content: GERMAN.join('\n\n') };

async function create(changes = {}, as = ada): Promise<string> {
  const document = buildDocument({ content: SOURCE.join('\n\n'), ...changes });
  const { status, body } = await desk.call(as, 'POST', 'posts', { body: { document } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const read = async (id: string) => (await desk.call(ada, 'GET', `posts/${id}`)).body;
const german = async (id: string): Promise<LanguageTranslation> =>
  (await desk.call(ada, 'GET', `posts/${id}/translations/de`)).body;
const states = async (id: string) => (await german(id)).segments.map(({ state }) => state);
const readersPost = async (id: string) => (await desk.rows(`journal_posts?id=eq.${id}`))[0];
const publish = async (id: string) => {
  const { version } = await read(id);
  const { status, body } = await desk.call(ada, 'POST', `posts/${id}/publish`, { version, body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
};
async function save(id: string, changes: object) {
  const { version, document } = await read(id);
  const saved = await desk.call(ada, 'PUT', `posts/${id}`, { version, body: { ...document, ...changes } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}
const onSegment = (
  id: string,
  segment: Pick<TranslatedSegment, 'id' | 'version'>,
  [method, verb, body]: readonly [string, string, unknown?],
  as = ada,
) =>
  desk.call(as, method, `posts/${id}/translations/de/segments/${segment.id}${verb}`, {
    version: segment.version,
    body: body ?? {},
  });

test('editing one paragraph makes that segment outdated in each language, and changes no byte of the others', async () => {
  const id = await create({
    translations: { de, fr: { title: 'Le cœur', content: SOURCE.map((one) => `FR ${one}`).join('\n\n') } },
  });
  await publish(id);
  const before = await german(id);
  expect(before.segments.map(({ state }) => state)).toEqual(['edited', 'edited', 'edited', 'edited']);
  await save(id, { content: [SOURCE[0], 'Take 10 mg twice daily.', SOURCE[2]].join('\n\n') });
  const after = await german(id);
  expect(after.segments.map(({ state }) => state)).toEqual(['edited', 'edited', 'outdated', 'edited']);
  expect(after.segments[2]).toMatchObject({
    previousSource: SOURCE[1],
    source: 'Take 10 mg twice daily.',
    text: GERMAN[1],
  });
  expect(after.segments.map(({ id: one, text }) => [one, text])).toEqual(
    before.segments.map(({ id: one, text }) => [one, text]),
  );
  expect((await read(id)).document.translations.de).toEqual(de);
  // Readers keep what they have, also when the original is published.
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content_de: de.content, title_de: de.title });
  expect(await german(id)).toMatchObject({ isStale: true, isReady: false });
  // Taking the edit back makes the translation current again.
  await save(id, { content: SOURCE.join('\n\n') });
  expect(await states(id)).toEqual(['edited', 'edited', 'edited', 'edited']);
});

test('a machine never overwrites what a person wrote: its words are a proposal, which can be taken', async () => {
  const id = await create({ translations: { de } });
  await save(id, { content: [SOURCE[0], 'Take 10 mg twice daily.', SOURCE[2]].join('\n\n') });
  const [, , outdated] = (await german(id)).segments;
  if (!outdated) throw new Error('There is no such segment.');
  const machine = { kind: 'model' as const, name: 'llama' };
  const { hash } = JSON.parse((await desk.rows(`post_segments?id=eq.${id}`))[0].segments)[2];
  await recordMachineTexts(desk.context, { postId: id, userId: ada.id }, [
    {
      segmentId: outdated.id,
      language: 'de',
      hash,
      text: 'Nehmen Sie zweimal täglich 10 mg.',
      writer: machine,
    },
  ]);
  const [, , proposed] = (await german(id)).segments;
  expect(proposed).toMatchObject({
    state: 'outdated',
    text: GERMAN[1],
    proposal: 'Nehmen Sie zweimal täglich 10 mg.',
    version: outdated.version,
  });
  // What is taken is what was shown.
  const former = await onSegment(id, proposed as TranslatedSegment, [
    'POST',
    '/take-proposal',
    { text: '10 mg' },
  ]);
  expect(former.body.code).toBe('CONFLICT');
  const take = { text: 'Nehmen Sie zweimal täglich 10 mg.' };
  const taken = await onSegment(id, proposed as TranslatedSegment, ['POST', '/take-proposal', take]);
  expect(taken).toMatchObject({
    status: 200,
    body: { state: 'edited', text: 'Nehmen Sie zweimal täglich 10 mg.', proposal: null },
  });
  const { body } = await desk.call(ada, 'GET', `posts/${id}/translations/de/segments/${outdated.id}/history`);
  expect(body.versions).toMatchObject([
    { text: GERMAN[1], source: SOURCE[1], state: 'edited', writer: { kind: 'person', name: 'Ada' } },
  ]);
  const restored = await onSegment(id, taken.body, [
    'POST',
    '/restore',
    { version: body.versions[0].version },
  ]);
  expect(restored).toMatchObject({ status: 200, body: { text: GERMAN[1] } });
});

test('going back to the published original claims no translation for it that was made of other words', async () => {
  const id = await create({ translations: { de } });
  await publish(id);
  await save(id, { content: [SOURCE[0], 'Take 10 mg twice daily.', SOURCE[2]].join('\n\n') });
  const [, , segment] = (await german(id)).segments;
  const text = 'Nehmen Sie zweimal täglich 10 mg.';
  expect((await onSegment(id, segment as TranslatedSegment, ['PUT', '', { text }])).status).toBe(200);
  const { version } = await read(id);
  expect((await desk.call(ada, 'POST', `posts/${id}/discard`, { version })).status).toBe(200);
  expect((await german(id)).segments[2]).toMatchObject({ source: SOURCE[1], text, state: 'outdated' });
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content: SOURCE.join('\n\n'), content_de: de.content });
});

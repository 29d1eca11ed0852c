import { type OpenAiStandIn, startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { PostDocument } from '../../project/document.ts';
import type { LanguageTranslation } from '../../project/translations.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';

let desk: TestDesk;
let model: OpenAiStandIn;
let ada: Person;
let eda: Person;

beforeAll(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({ environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model' } });
  ada = await desk.person('Ada', 'author');
  eda = await desk.person('Eda', 'editor');
});

afterAll(async () => {
  await desk.close();
  await model.close();
});

const SOURCE = ['The heart is a muscle of the body.', 'Take 5 mg with water in the morning.'];
const GERMAN = ['Das Herz ist ein Muskel des Körpers.', 'Nehmen Sie morgens 5 mg mit Wasser.'];
const FRENCH = ['Le cœur est un muscle du corps.', 'Prenez 5 mg avec de l’eau le matin.'];
const de = { title: 'Das Herz', content: GERMAN.join('\n\n') };
const fr = { title: 'Le cœur', content: FRENCH.join('\n\n') };
const ROWS = '/api/db/journal/rest/v1/journal_posts';

async function call(as: Person, method: string, path: string, options = {}) {
  const response = await desk.call(as, method, path, options);
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
}

const documentOf = (changes: Partial<PostDocument> = {}) =>
  buildDocument({ content: SOURCE.join('\n\n'), translations: { de, fr }, ...changes });

/** Publishes a document as a program does that has a machine translate it. */
async function publish(document = documentOf(), query = '?translatedBy=machine'): Promise<string> {
  const { id, version } = await call(ada, 'POST', `posts${query}`, { body: { document } });
  await call(ada, 'POST', `posts/${id}/publish`, { version, body: {} });
  return id;
}

const language = (id: string, code = 'de'): Promise<LanguageTranslation> =>
  call(ada, 'GET', `posts/${id}/translations/${code}`);
const writers = async (id: string, code = 'de') =>
  (await language(id, code)).segments.map(({ writer }) => writer?.kind ?? null);
const readersPost = async (id: string) => {
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  return { ...row, facts: JSON.parse(row.translations ?? '{}') };
};

/** Creates a row as another program does. */
async function createRow(columns: object): Promise<string> {
  desk.clock.now += 10;
  const id = `post_row_${desk.clock.now}`;
  const row = { id, user_id: ada.id, title: 'The heart', content: SOURCE.join('\n\n'), language: 'en' };
  await call(ada, 'POST', ROWS, { body: { ...row, image_url: '/x.png', ...columns } });
  return id;
}

const patch = (id: string, columns: object) => call(ada, 'PATCH', `${ROWS}?id=eq.${id}`, { body: columns });
const columnsOf = (code: string, { title, content }: { title: string; content: string }) => ({
  [`title_${code}`]: title,
  [`content_${code}`]: content,
});

/** Corrects the dose of the original, publishes it and has the server translate it. */
async function correctDose(id: string): Promise<void> {
  const { document, version } = await call(ada, 'GET', `posts/${id}`);
  const body = { ...document, content: document.content.replace('5 mg', '7 mg'), translations: {} };
  const saved = await call(ada, 'PUT', `posts/${id}`, { version, body });
  await call(ada, 'POST', `posts/${id}/publish`, { version: saved.version, body: {} });
  await call(ada, 'POST', `posts/${id}/translations/translate`, { body: { languages: ['de'] } });
  await vi.waitFor(
    async () => expect((await call(ada, 'GET', `posts/${id}/translations/job`)).state).toBe('done'),
    { timeout: 60_000 },
  );
}

test('what a program saves with its machine’s word is a machine’s, and a corrected dose reaches it', async () => {
  const id = await publish();
  // A second model has read it before.
  await expect
    .poll(async () => readersPost(id), { timeout: 60_000 })
    .toMatchObject({
      content_de: de.content,
      facts: { de: { by: 'machine', reviewedBy: null }, fr: { by: 'machine' } },
    });
  expect(await writers(id)).toEqual(['model', 'model', 'model']);
  expect(await desk.rows(`translation_memory?post_id=eq.${id}`)).toEqual([]);
  expect((await language(id)).proposed).toBe(0);
  await correctDose(id);
  const { content_de: german, facts } = await readersPost(id);
  expect(german).toContain('7 mg');
  expect(german).toContain(GERMAN[0]);
  expect(facts.de.by).toBe('machine');
});

test('the word about a machine takes nothing from what a person has written, and is not in the document', async () => {
  const id = await publish();
  const { segments } = await language(id);
  const path = `posts/${id}/translations/de/segments/${segments[1]?.id}`;
  await call(ada, 'PUT', path, { version: segments[1]?.version, body: { text: 'Das Herz: ein Muskel.' } });
  const { version } = await call(ada, 'GET', `posts/${id}`);
  const content = `${GERMAN[0]?.replace('des', 'im')}\n\n${GERMAN[1]}`;
  const body = documentOf({ translations: { de: { ...de, content } } });
  const saved = await call(ada, 'PUT', `posts/${id}?translatedBy=machine`, { version, body });
  expect((await language(id)).segments[1]).toMatchObject({
    ...{ text: 'Das Herz: ein Muskel.', state: 'edited', writer: { kind: 'person' } },
    proposal: 'Das Herz ist ein Muskel im Körpers.',
  });
  await call(ada, 'POST', `posts/${id}/publish`, { version: saved.version, body: {} });
  const [{ document }] = await desk.rows(`post_drafts?id=eq.${id}`);
  expect(document).not.toMatch(/translated_?by|machine/i);
});

test('a document whose program says nothing is its author’s, whose words a job leaves as they are', async () => {
  const id = await publish(documentOf(), '');
  expect(await readersPost(id)).toMatchObject({ facts: { de: { by: 'person' } } });
  await correctDose(id);
  expect(await readersPost(id)).toMatchObject({ content_de: de.content, facts: { de: { by: 'person' } } });
  const { proposed, segments, counts } = await language(id);
  expect({ proposed, outdated: counts.outdated }).toEqual({ proposed: 1, outdated: 1 });
  expect(segments[2]?.proposal).toContain('7 mg');
});

test.each([
  ['a machine’s are replaced by a job', { translated_by: 'machine' }, 'model', 0],
  ['of an uncertain origin are a machine’s for readers, and a job proposes', {}, 'unknown', 1],
])('columns %s', async (_, named, kind, proposed) => {
  const id = await createRow({ ...columnsOf('de', de), ...named });
  expect(await writers(id)).toEqual([kind, kind, kind]);
  await expect.poll(async () => (await readersPost(id)).facts.de).toMatchObject({ by: 'machine' });
  await correctDose(id);
  expect((await language(id)).proposed).toBe(proposed);
  expect((await readersPost(id)).content_de.includes('7 mg')).toBe(proposed === 0);
});

test('a word about a machine speaks for the columns that its write changes, and for no others', async () => {
  const id = await createRow(columnsOf('de', de));
  expect(await writers(id)).toEqual(['unknown', 'unknown', 'unknown']);
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  // The German text is sent again as it is.
  await patch(id, { ...columnsOf('de', de), ...columnsOf('fr', fr), translated_by: 'machine' });
  expect((await readersPost(id)).translated_by).toBe('machine');
  expect(row.translated_by).toBeNull();
  expect(await writers(id)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(await writers(id, 'fr')).toEqual(['model', 'model', 'model']);
  // A later write that does not name it is uncertain, though the row still does.
  await patch(id, { content_fr: fr.content.replace('Prenez', 'Il faut prendre') });
  expect((await readersPost(id)).translated_by).toBe('machine');
  expect(await writers(id, 'fr')).toEqual(['model', 'model', 'unknown']);
});

test('a word about a machine holds where no node has taken the columns meanwhile, and claims no earlier write', async () => {
  const { writer } = desk.context.project.database;
  const named = await createRow({ title_de: de.title });
  await call(ada, 'GET', `posts/${named}/translations/de`);
  // SQL tells no node: the columns are taken when the desk needs them.
  const write = (id: string, columns: object) => {
    desk.clock.now += 10;
    return writer
      .updateTable('journal_posts')
      .set({ ...columns, updated_at: desk.clock.now })
      .where('id', '=', id)
      .execute();
  };
  const first = `${GERMAN[0]}\n\nVon Hand.`;
  const id = await createRow({});
  await write(id, { content_de: first });
  await write(id, { content_de: de.content, title_de: de.title, translated_by: 'machine' });
  await write(id, { ...columnsOf('fr', fr), translated_by: 'machine' });
  await write(id, { content_fr: `${FRENCH[0]}\n\nÀ la main, 5 mg.` });
  await write(id, { image_url: '/y.png' });
  expect(await writers(id)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(await writers(id, 'fr')).toEqual(['unknown', 'unknown', 'unknown']);

  await write(id, { content_fr: fr.content, translated_by: 'machine' });
  await write(id, { content_fr: fr.content.replace('Prenez', 'Prendre'), translated_by: 'machine' });
  expect(await writers(id, 'fr')).toEqual(['unknown', 'unknown', 'model']);
});

test('a translation that only repeats the original, or that failed, is missing; an equal title beside one is meant', async () => {
  // What is missing is seen before the server translates it.
  onTestFinished(model.behave({ kind: 'fail', status: 400 }));
  // The memory knows no words of it.
  const title = 'The liver';
  const content = 'The liver is an organ of the body.\n\nTake 3 mg with milk.';
  const own = { title, content };
  const german = 'Die Leber ist ein Organ des Körpers.\n\nNehmen Sie 3 mg mit Milch.';
  const translations = {
    en: own,
    de: { title, content: german },
    fr: { title: 'Le foie', content },
    es: { title: 'El hígado', content: 'El hígado es un órgano del cuerpo.\n\nTome 3 mg con leche.' },
  };
  const untranslated = 'title:en,content:en,content:fr,title:es';
  const columns = Object.entries(translations).map(([code, texts]) => columnsOf(code, texts));
  const row = await createRow(Object.assign({ title, content, untranslated }, ...columns));
  const post = await publish(documentOf({ title, content, translations, untranslated }));
  for (const id of [row, post]) {
    const states = async (code: string) => (await language(id, code)).segments.map(({ state }) => state);
    expect(await states('de')).toEqual(['machine', 'machine', 'machine']);
    expect(await states('fr')).toEqual(['machine', 'missing', 'missing']);
    expect(await states('es')).toEqual(['missing', 'machine', 'machine']);
    expect((await desk.call(ada, 'GET', `posts/${id}/translations/en`)).status).toBe(404);
    expect(Object.keys((await readersPost(id)).facts)).not.toContain('fr');
  }
  await expect
    .poll(async () => readersPost(post), { timeout: 60_000 })
    .toMatchObject({
      untranslated: 'content:fr,title:es',
      facts: { de: { by: 'machine' } },
    });
});

test('a person who edits a segment makes the label of its language a mixed one, and who accepts all reviews it', async () => {
  const id = await publish();
  const { segments } = await language(id);
  const path = `posts/${id}/translations/de/segments/${segments[0]?.id}`;
  await call(ada, 'PUT', path, { version: segments[0]?.version, body: { text: 'Unser Herz' } });
  await call(ada, 'POST', `posts/${id}/translations/de/release`, {});
  expect((await readersPost(id)).facts.de).toMatchObject({ by: 'mixed', reviewedBy: null });
  for (const { id: segment, version } of (await language(id)).segments) {
    await call(eda, 'POST', `posts/${id}/translations/de/segments/${segment}/accept`, { version, body: {} });
  }
  expect((await readersPost(id)).facts.de).toMatchObject({ by: 'mixed', reviewedBy: 'Eda' });
});

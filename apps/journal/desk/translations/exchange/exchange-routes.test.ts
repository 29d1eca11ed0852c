import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../testing/open-test-desk.ts';

let model: Awaited<ReturnType<typeof startOpenAiStandIn>>;
let desk: TestDesk;
let ada: Person;
let eve: Person;
let editor: Person;

beforeAll(async () => {
  model = await startOpenAiStandIn();
  desk = await openTestDesk({ environment: { AI_BASE_URL: model.url, AI_TEXT_MODEL: 'small-model' } });
  [ada, eve, editor] = [
    await desk.person('Ada', 'author'),
    await desk.person('Eve', 'author'),
    await desk.person('Edith', 'editor'),
  ];
});
afterAll(async () => {
  await desk.close();
  await model.close();
});
beforeEach(() => model.reset());

/** Sends a file, or gets one. */
async function send(as: Person, method: string, path: string, file?: string) {
  const response = await desk.backend.fetch(
    new Request(`http://localhost/api/desk/journal/${path}`, {
      method,
      headers: { ...(as.token && { authorization: `Bearer ${as.token}` }) },
      ...(file !== undefined && { body: file }),
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, text, body: isJson && text ? JSON.parse(text) : undefined };
}

async function createPost(content: string, as = ada, title = 'The heart of the body') {
  const document = buildDocument({ content, title });
  const { body } = await desk.call(as, 'POST', 'posts', { body: { document } });
  return { id: String(body.id), document };
}

async function translate(id: string, as = ada) {
  model.calls.length = 0;
  await desk.call(as, 'POST', `posts/${id}/translations/translate`, { body: { languages: ['de'] } });
  await vi.waitFor(
    async () => {
      const { body } = await desk.call(as, 'GET', `posts/${id}/translations/job`);
      expect(body).toMatchObject({ state: 'done' });
    },
    { timeout: 60_000 },
  );
  return model.calls.map(({ prompt, messages }) => `${messages[0]?.content}\n${prompt}`).join('\n');
}

const rowsOf = async (id: string) =>
  (await desk.rows(`segment_translations?post_id=eq.${id}`)) as Record<string, unknown>[];

it('terms are written by reviewers, read by authors, and told to the model where a text has them', async () => {
  const term = { words: { en: ['heart'], de: ['Herz', 'Herzmuskel'] }, keep: false, note: 'The organ.' };
  expect(await desk.call(ada, 'POST', 'translations/terms', { body: term })).toMatchObject({ status: 403 });
  const { status, body: added } = await desk.call(editor, 'POST', 'translations/terms', { body: term });
  expect([status, added]).toEqual([201, { ...term, id: expect.stringMatching(/^term_/) }]);
  const again = await desk.call(editor, 'POST', 'translations/terms', { body: term });
  expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const oneLanguage = { words: { en: ['lung'] } };
  expect(await desk.call(editor, 'POST', 'translations/terms', { body: oneLanguage })).toMatchObject({
    status: 400,
  });
  const kept = { words: { en: ['Fabrica'] }, keep: true };
  await desk.call(editor, 'POST', 'translations/terms', { body: kept });

  const { id } = await createPost('Two hearts of the Fabrica are in this text.');
  const asked = await translate(id);
  expect(asked).toContain('- heart = Herz\n');
  expect(asked).toContain('- Fabrica: do not translate');
  const [row] = (await rowsOf(id)).filter(({ source_text }) => String(source_text).startsWith('Two'));
  expect(JSON.parse(String(row?.findings))).toContainEqual(
    expect.objectContaining({ kind: 'term', severity: 'doubt' }),
  );

  const changed = { ...term, words: { ...term.words, fr: ['cœur'] } };
  await desk.call(editor, 'PUT', `translations/terms/${added.id}`, { body: changed });
  const { body } = await desk.call(ada, 'GET', 'translations/terms');
  expect(body.terms).toMatchObject([{ words: kept.words }, { words: changed.words }]);
  const file = (await send(ada, 'GET', 'translations/terms.tbx')).text;
  expect(await desk.call(editor, 'DELETE', `translations/terms/${added.id}`)).toMatchObject({ status: 204 });
  expect(await desk.call(editor, 'DELETE', `translations/terms/${added.id}`)).toMatchObject({ status: 404 });
  expect(await send(ada, 'POST', 'translations/terms.tbx', file)).toMatchObject({ status: 403 });
  const taken = await send(editor, 'POST', 'translations/terms.tbx', file);
  expect(taken.body).toEqual({ imported: 2, added: 1, changed: 0 });
  expect((await send(editor, 'POST', 'translations/terms.tbx', file)).body).toMatchObject({
    added: 0,
    changed: 0,
  });
});

it('the same words are taken from the memory without a call, and alike ones are shown to the model', async () => {
  const file = `<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>The kidney of the body is red.</seg></tuv>
    <tuv xml:lang="de"><seg>Die Niere des Körpers ist rot.</seg></tuv></tu></body></tmx>`;
  expect(await send(ada, 'POST', 'translations/memory.tmx', file)).toMatchObject({ status: 403 });
  expect((await send(editor, 'POST', 'translations/memory.tmx', file)).body).toEqual({ imported: 1 });
  const { id } = await createPost('The kidney of the body is red.\n\nThe kidney of the body is dark red.');
  const asked = await translate(id);
  expect(asked).toContain('- The kidney of the body is red.\n  = Die Niere des Körpers ist rot.');
  expect(asked).not.toContain('>The kidney of the body is red.<');
  const row = (await rowsOf(id)).find(({ source_text }) => source_text === 'The kidney of the body is red.');
  expect(row).toMatchObject({
    text: 'Die Niere des Körpers ist rot.',
    writer_kind: 'memory',
    state: 'machine',
  });
  const { body } = await desk.call(
    ada,
    'GET',
    `posts/${id}/translations/de/segments/${row?.segment_id}/matches`,
  );
  expect(body.matches).toMatchObject([
    { text: 'Die Niere des Körpers ist rot.', similarity: 1, writer: 'import' },
  ]);
  const exported = await send(editor, 'GET', 'translations/memory.tmx');
  expect(exported.text).toContain('<seg>Die Niere des Körpers ist rot.</seg>');
});

it('words of an author without a reviewer are remembered for that author alone', async () => {
  const source = 'The spleen of the body is small.';
  const { id, document } = await createPost(source);
  const translations = { de: { title: 'Das Herz', content: 'Die Milz ist klein, sagt Ada.' } };
  await desk.call(ada, 'PUT', `posts/${id}`, { version: 1, body: { ...document, translations } });
  const own = await createPost(source);
  await translate(own.id);
  const other = await createPost(source, eve);
  await translate(other.id, eve);
  const textOf = async (post: string) =>
    (await rowsOf(post)).find(({ source_text }) => source_text === source)?.text;
  expect(await textOf(own.id)).toBe('Die Milz ist klein, sagt Ada.');
  expect(await textOf(other.id)).toMatch(/^Die spleenen/);
  const near = await createPost('The spleen of the body is very small.', eve);
  expect(await translate(near.id, eve)).not.toContain('sagt Ada');
});

it('a translator’s file comes back, and what was changed since is neither lost nor overwritten', async () => {
  const { id, document } = await createPost(
    'One is the heart.\n\nTwo is the lung.\n\nThree is the liver.',
    ada,
    'Of the heart and others',
  );
  await translate(id);
  const exported = await send(ada, 'GET', `posts/${id}/translations/de.xlf`);
  expect(exported.text).toMatch(/<xliff[^>]* srcLang="en" trgLang="de">/);
  const edited = exported.text
    .replaceAll('hearten', 'Herz')
    .replaceAll('lungen', 'Lunge')
    .replaceAll('liveren', 'Leber');
  // Meanwhile the author writes one translation anew, and changes the original of another one.
  const { body: opened } = await desk.call(ada, 'GET', `posts/${id}`);
  const content = String(opened.document.translations.de.content).replace(
    /Two.*lungen\./,
    'Zwei ist die Lunge, sagt Ada.',
  );
  const changed = {
    ...document,
    content: document.content.replace('the liver', 'the whole liver'),
    translations: { de: { ...opened.document.translations.de, content } },
  };
  const saved = await desk.call(ada, 'PUT', `posts/${id}`, { version: 1, body: changed });
  expect(saved.status).toBe(200);

  const { body } = await send(ada, 'POST', `posts/${id}/translations/de.xlf`, edited);
  expect(body).toMatchObject({ imported: 2, unchanged: 0 });
  expect(body.skipped.map(({ reason }: { reason: string }) => reason).sort()).toEqual(['changed', 'edited']);
  const rows = await rowsOf(id);
  const of = (words: string) => rows.find(({ text }) => String(text).includes(words));
  expect(of('Herz')).toMatchObject({ state: 'edited', writer_kind: 'import', writer_name: 'Ada' });
  expect(of('sagt Ada')).toMatchObject({ text: 'Zwei ist die Lunge, sagt Ada.', writer_kind: 'person' });
  expect(of('liveren')).toMatchObject({ state: 'machine' });
});

it('a file of another post, another language or no translation at all is refused', async () => {
  const { id } = await createPost('One is the heart.');
  const other = await createPost('One is the heart.');
  const { text } = await send(ada, 'GET', `posts/${id}/translations/de.xlf`);
  const refused = (fault: string, number?: number) => ({
    ...{ status: 400, body: { code: 'VALIDATION_FAILED', details: { fault, ...(number && { number }) } } },
  });
  expect(await send(ada, 'POST', `posts/${other.id}/translations/de.xlf`, text)).toMatchObject(
    refused('other-post'),
  );
  expect(await send(ada, 'POST', `posts/${id}/translations/fr.xlf`, text)).toMatchObject(
    refused('other-languages'),
  );
  const bomb = `<!DOCTYPE x [<!ENTITY a "b">]><xliff version="2.0">&a;</xliff>`;
  for (const [file, fault] of [
    [bomb, 'entities'],
    [text.slice(0, -20), 'malformed'],
    ['<x/>', 'not-xliff'],
    ['<xliff version="2.0" srcLang="en"/>', 'not-one-post'],
  ] as const) {
    expect(await send(ada, 'POST', `posts/${id}/translations/de.xlf`, file)).toMatchObject(refused(fault));
  }
  expect(await send(editor, 'POST', 'translations/terms.tbx', '<tmx/>')).toMatchObject(refused('not-tbx'));
  expect(await send(editor, 'POST', 'translations/memory.tmx', '<tbx/>')).toMatchObject(refused('not-tmx'));
  const oneWord =
    '<tbx><conceptEntry><langSec xml:lang="en"><termSec><term>heart</term></termSec></langSec></conceptEntry></tbx>';
  expect(await send(editor, 'POST', 'translations/terms.tbx', oneWord)).toMatchObject(refused('entry', 1));
  expect(await send(eve, 'GET', `posts/${id}/translations/de.xlf`)).toMatchObject({ status: 404 });
  expect(await send(ANONYMOUS, 'GET', 'translations/terms.tbx')).toMatchObject({ status: 401 });
  expect(await send(ada, 'GET', 'translations/memory.tmx')).toMatchObject({ status: 403 });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markOf, withNote } from '../../../project/marks.ts';
import type { LanguageTranslation } from '../../../project/translations.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../../testing/open-test-desk.ts';
import { recordMachineTexts } from '../records/machine-texts.ts';
import { releaseReady } from './release-ready.ts';

/** Texts about the further pictures of a post, in other languages. */

let desk: TestDesk;
let ada: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('ada', 'author');
});

afterAll(() => desk.close());

const SOURCE = ['The heart is a muscle.', 'Take 5 mg twice daily.'];
const GERMAN = ['Das Herz ist ein Muskel.', 'Nehmen Sie zweimal täglich 5 mg.'];
const de = { title: 'Das Herz', content: GERMAN.join('\n\n') };

async function create(changes = {}): Promise<string> {
  const document = buildDocument({ content: SOURCE.join('\n\n'), ...changes });
  const { status, body } = await desk.call(ada, 'POST', 'posts', { body: { document } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const german = async (id: string): Promise<LanguageTranslation> =>
  (await desk.call(ada, 'GET', `posts/${id}/translations/de`)).body;
const publish = async (id: string) => {
  const { version } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
  const { status, body } = await desk.call(ada, 'POST', `posts/${id}/publish`, { version, body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
};
const write = async (id: string, at: number, text: string) => {
  const segment = (await german(id)).segments[at];
  const path = `posts/${id}/translations/de/segments/${segment?.id}`;
  const { status } = await desk.call(ada, 'PUT', path, { version: segment?.version ?? 0, body: { text } });
  expect(status).toBe(200);
};
async function byMachine(id: string, texts: readonly (string | null)[]) {
  const [row] = await desk.rows(`post_segments?id=eq.${id}`);
  const listed: { id: string; hash: string }[] = JSON.parse(row.segments);
  const writer = { kind: 'model' as const, name: 'llama' };
  const machine = listed.flatMap(({ id: segmentId, hash }, at) => {
    const text = texts[at];
    return text ? [{ segmentId, language: 'de' as const, hash, text, writer }] : [];
  });
  await recordMachineTexts(desk.context, { postId: id, userId: ada.id }, machine);
}

const picture = (url: string, words = {}) => ({
  ...buildDocument().cover,
  url: `/storage/journal/posts/${url}.png`,
  ...words,
});
const readersPictures = async (id: string) => {
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  return JSON.parse(row.pictures).map(({ url, alt, caption }: Record<string, string | object>) => ({
    ...{ url: String(url).slice(-5, -4), alt, caption },
  }));
};

test('what is said about further pictures is translated, and readers get it with its language', async () => {
  const front = { alt: { en: 'The heart from the front' }, caption: { en: 'Front view, 5 mg of dye.' } };
  const back = { alt: { en: 'The heart from behind' }, credit: 'Ada' };
  const id = await create({ pictures: [picture('2', front), picture('3', back)] });
  await publish(id);
  const { segments } = await german(id);
  expect(segments.slice(3).map(({ part, kind, source }) => [part, kind, source])).toEqual([
    ['alt:0', 'alt', front.alt.en],
    ['caption:0', 'caption', front.caption.en],
    ['alt:1', 'alt', back.alt.en],
  ]);
  // A dose that differs keeps its caption back, and not the language.
  await byMachine(id, ['Das Herz', ...GERMAN, 'Das Herz von vorn', 'Von vorn, 50 mg Farbstoff.', null]);
  await releaseReady(desk.context, id, { languages: ['de'], by: ada.id });
  const germanFront = { en: front.alt.en, de: 'Das Herz von vorn' };
  expect(await readersPictures(id)).toEqual([
    { url: '2', alt: germanFront, caption: front.caption },
    { url: '3', alt: back.alt, caption: {} },
  ]);
  expect(await german(id)).toMatchObject({ hasChanges: false, counts: { blocked: 1, missing: 1 } });

  await write(id, 4, 'Von vorn, 5 mg Farbstoff.');
  await write(id, 5, 'Das Herz von hinten');
  expect(await german(id)).toMatchObject({ hasChanges: true, counts: { blocked: 0, missing: 0 } });
  expect((await desk.call(ada, 'POST', `posts/${id}/translations/de/release`)).status).toBe(200);
  const germanBack = { en: back.alt.en, de: 'Das Herz von hinten' };
  const germanCaption = { en: front.caption.en, de: 'Von vorn, 5 mg Farbstoff.' };
  expect(await readersPictures(id)).toEqual([
    { url: '2', alt: germanFront, caption: germanCaption },
    { url: '3', alt: germanBack, caption: {} },
  ]);

  // The words stay with a picture that moves, or becomes the cover, and nobody has to translate them again.
  const { body } = await desk.call(ada, 'GET', `posts/${id}`);
  const { cover, pictures } = body.document;
  const moved = { ...body.document, cover: pictures[0], pictures: [pictures[1], cover] };
  const saved = await desk.call(ada, 'PUT', `posts/${id}`, { version: body.version, body: moved });
  expect(saved.status).toBe(200);
  const after = await german(id);
  expect(after.counts).toMatchObject({ missing: 0, outdated: 0, machine: 4, edited: 2 });
  expect(after.segments.slice(3).map(({ part, text }) => [part, text])).toEqual([
    ['alt', germanFront.de],
    ['caption', germanCaption.de],
    ['alt:0', germanBack.de],
  ]);
  await publish(id);
  expect(await readersPictures(id)).toEqual([
    { url: '3', alt: germanBack, caption: {} },
    { url: '1', alt: {}, caption: {} },
  ]);
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  expect(JSON.parse(row.cover)).toMatchObject({ alt: germanFront, caption: germanCaption });
});

test('the notes of marks and long descriptions are translated, and a mark keeps its letter in all languages', async () => {
  const heart = withNote(markOf('a', { kind: 'point', x: 40, y: 20 }), 'en', 'The left ventricle.');
  const valve = markOf('b', { kind: 'box', x: 10, y: 10, width: 20, height: 5 });
  const description = { en: 'A heart, cut open.\n\nOn the left, a ventricle (a).' };
  const cover = { ...buildDocument().cover, description, marks: [heart, valve] };
  const content = 'The :mark[heart]{#b} is a muscle.\n\nTake 5 mg twice daily.';
  const id = await create({ cover, content, contentFormat: 'markdown' });
  await publish(id);
  const { segments } = await german(id);
  expect(segments.slice(3).map(({ part, source }) => [part, source])).toEqual([
    ['description', description.en],
    ['note:a', 'The left ventricle.'],
  ]);
  const said = 'Ein Herz, aufgeschnitten.\n\nLinks eine Kammer (a).';
  const german4 = [
    'Das Herz',
    'Das :mark[Herz]{#b} ist ein Muskel.',
    GERMAN[1] ?? '',
    said,
    'Die linke Kammer.',
  ];
  for (const [at, text] of german4.entries()) await write(id, at, text);
  expect((await desk.call(ada, 'POST', `posts/${id}/translations/de/release`)).status).toBe(200);
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  const released = JSON.parse(row.cover);
  expect(released.description).toEqual({ ...description, de: said });
  expect(released.marks).toEqual([withNote(heart, 'de', 'Die linke Kammer.'), valve]);
  expect(row.content_de).toContain('Das :mark[Herz]{#b} ist');

  // A passage that is translated away is a doubt for the reviewer, and the note stays.
  await write(id, 1, 'Das Herz ist ein Muskel.');
  const [, doubted] = (await german(id)).segments;
  expect(doubted?.findings).toEqual([expect.objectContaining({ kind: 'mark', severity: 'doubt' })]);
});

test('what was said about pictures in other languages before it had segments is kept', async () => {
  const words = { caption: { en: 'From behind', de: 'Von hinten' } };
  const id = await create({ pictures: [picture('2', words)], translations: { de } });
  await publish(id);
  const { writer } = desk.context.project.database;
  const [row] = await desk.rows(`post_segments?id=eq.${id}`);
  const listed: { id: string; part: string }[] = JSON.parse(row.segments);
  const former = JSON.stringify(listed.filter(({ part }) => !part.includes(':')));
  const [draft] = await desk.rows(`post_drafts?id=eq.${id}`);
  const document = { ...JSON.parse(draft.document), pictures: [picture('2', words)] };
  await sql`UPDATE post_segments SET segments = ${former}, published = ${former} WHERE id = ${id}`.execute(
    writer,
  );
  await sql`DELETE FROM segment_translations WHERE segment_id = ${listed.at(-1)?.id}`.execute(writer);
  await sql`UPDATE post_drafts SET document = ${JSON.stringify(document)} WHERE id = ${id}`.execute(writer);

  expect((await german(id)).segments.at(-1)).toMatchObject({ part: 'caption:0', text: 'Von hinten' });
  await publish(id);
  expect(await readersPictures(id)).toMatchObject([words]);
  expect((await german(id)).segments.at(-1)).toMatchObject({
    text: 'Von hinten',
    writer: { kind: 'unknown' },
  });
  expect((await desk.call(ada, 'GET', `posts/${id}`)).body.document.pictures).toMatchObject([words]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostDocument } from '../../project/document.ts';
import type { Language } from '../../project/languages.ts';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';
import { slugOf } from './slugs.ts';

test.each<[Language, string, string]>([
  ['de', 'Herzschwäche: Was hilft?', 'herzschwaeche-was-hilft'],
  ['de', 'Große Füße, ÄRGER & Öl', 'grosse-fuesse-aerger-oel'],
  ['fr', 'L’œil, ça voit où ?', 'loeil-ca-voit-ou'],
  ['es', '¿Qué es la «angina»? Año 2026', 'que-es-la-angina-ano-2026'],
  ['en', "A patient's 5 µg — naïve dose", 'a-patients-5-mug-naive-dose'],
  ['en', 'β-blockers', 'beta-blockers'],
  ['en', '\ufb01brillation \ufb02ow, hyper\u00adtension', 'fibrillation-flow-hypertension'],
  ['en', 'H\u2082O, 10\u2079', 'h2o-109'],
  ['en', '心臓', ''],
  ['en', 'The '.repeat(60), `the${'-the'.repeat(19)}`],
])('in %s, "%s" becomes %s', (language, title, slug) => {
  expect(slugOf(title, language)).toBe(slug);
});

describe('the addresses of a post', () => {
  let desk: TestDesk;
  let ada: Person;

  beforeAll(async () => {
    desk = await openTestDesk();
    ada = await desk.person('Ada', 'author');
  });
  afterAll(() => desk.close());

  async function publish(changes: Partial<PostDocument>) {
    const { body } = await desk.call(ada, 'POST', 'posts', { body: { document: buildDocument(changes) } });
    return republish(body.id, 1, undefined);
  }

  async function republish(id: string, version: number, changes: Partial<PostDocument> | undefined) {
    let now = version;
    if (changes) {
      const { body } = await desk.call(ada, 'GET', `posts/${id}`);
      const document = { ...body.document, ...changes };
      now = (await desk.call(ada, 'PUT', `posts/${id}`, { version, body: document })).body.version;
    }
    const published = await desk.call(ada, 'POST', `posts/${id}/publish`, { version: now, body: {} });
    const { slugs } = (await desk.call(ada, 'GET', `posts/${id}`)).body;
    return {
      id,
      slugs,
      status: published.status,
      body: published.body,
      version: published.body.version ?? now,
    };
  }

  test('a post of which nobody says the language has an address in the one that its text is in', async () => {
    const content =
      'Das Herz ist ein Muskel, der Blut durch den ganzen Körper pumpt, und es schlägt ein Leben lang.';
    const { id } = await publish({ title: 'Über das schlagende Herz', content, language: null });
    expect(await slugsOf(id)).toEqual({ 'ueber-das-schlagende-herz': 'de 1' });
  });

  const slugsOf = async (id: string) =>
    Object.fromEntries(
      (await desk.rows(`post_slugs?post_id=eq.${id}&order=id`)).map(
        ({ id: slug, language, current }: Record<string, unknown>) => [slug, `${language} ${current}`],
      ),
    );

  test('each language with a title of its own gets one, and the next post of this title another', async () => {
    const translations = {
      de: { title: 'Das Auge', content: 'Es sieht.' },
      es: { title: 'The eye', content: 'The eye sees.' },
    };
    const first = await publish({ title: 'The eye', translations });
    expect(first.slugs).toEqual({ en: 'the-eye', de: 'das-auge' });
    const second = await publish({ title: 'The eye', translations });
    expect(second.slugs).toEqual({ en: 'the-eye-en', de: 'das-auge-de' });
    const third = await publish({ title: 'The eye' });
    expect(third.slugs).toEqual({ en: 'the-eye-2' });
  });

  test('a new title keeps the address; a new address keeps the old one for ever, and may return to it', async () => {
    const { id, version } = await publish({ title: 'The ear' });
    const renamed = await republish(id, version, { title: 'The inner ear' });
    expect(renamed.slugs).toEqual({ en: 'the-ear' });
    const moved = await republish(id, renamed.version, { slugs: { en: 'the-inner-ear' } });
    expect(await slugsOf(id)).toEqual({ 'the-ear': 'en 0', 'the-inner-ear': 'en 1' });
    const other = await publish({ title: 'The ear' });
    expect(other.slugs).toEqual({ en: 'the-ear-en' });
    await republish(id, moved.version, { slugs: { en: 'the-ear' } });
    expect(await slugsOf(id)).toEqual({ 'the-ear': 'en 1', 'the-inner-ear': 'en 0' });
  });

  test('an address that another post has or had is refused with its language', async () => {
    const taken = await publish({ title: 'The nose' });
    const { id, version } = await publish({ title: 'The mouth' });
    const refused = await republish(id, version, { slugs: { en: 'the-nose' } });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: [{ field: 'slugs.en', kind: 'taken' }] },
    });
    expect(await slugsOf(id)).toEqual({ 'the-mouth': 'en 1' });
    expect(await slugsOf(taken.id)).toEqual({ 'the-nose': 'en 1' });
  });

  test('of two posts that are published at once under one title each gets an address of its own', async () => {
    const created = await Promise.all(
      Array.from({ length: 4 }, () =>
        desk.call(ada, 'POST', 'posts', { body: { document: buildDocument({ title: 'The skin' }) } }),
      ),
    );
    const ids = created.map(({ body }) => body.id);
    const all = await Promise.all(ids.map((id) => republish(id, 1, undefined)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.map(({ slugs }) => slugs.en)).size).toBe(4);
  });
});

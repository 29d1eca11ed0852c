import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildDocument, openTestDesk, type Person, type TestDesk } from '../../testing/open-test-desk.ts';
import { labelsOfTranslations } from './label-migration.ts';

let desk: TestDesk;
let ada: Person;
let eda: Person;

beforeAll(async () => {
  desk = await openTestDesk();
  ada = await desk.person('Ada', 'author');
  eda = await desk.person('Eda', 'editor');
});

afterAll(() => desk.close());

const SOURCE = ['The heart is a muscle of the body.', 'It pumps blood.', 'Take 5 mg with water.'];
const TEXTS = {
  de: ['Das Herz', 'Das Herz ist ein Muskel.', 'Es pumpt Blut.', 'Nehmen Sie 5 mg mit Wasser.'],
  es: ['El corazón', 'El corazón es un músculo.', 'Bombea sangre.', 'Tome 5 mg con agua.'],
  fr: ['Le cœur', 'Le cœur est un muscle.', 'Il pompe le sang.', 'Prenez 5 mg avec de l’eau.'],
};

async function call(as: Person, method: string, path: string, options = {}) {
  // Each write has a time of its own.
  desk.clock.now += 1_000;
  const response = await desk.call(as, method, path, options);
  expect(response.status, `${method} ${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
  return response.body;
}

/** Publishes what the create page sent before it said who wrote it. Each post has words of its own. */
async function publish(name: string, languages: (keyof typeof TEXTS)[]): Promise<string> {
  const named = (texts: readonly string[]) => texts.map((text) => `${name}: ${text}`).join('\n\n');
  const translations = Object.fromEntries(
    languages.map((code) => {
      const [title, ...content] = TEXTS[code];
      return [code, { title: `${name}: ${title}`, content: named(content) }];
    }),
  );
  const document = buildDocument({ title: name, content: named(SOURCE), translations });
  const { id, version } = await call(ada, 'POST', 'posts', { body: { document } });
  await call(ada, 'POST', `posts/${id}/publish`, { version, body: {} });
  return id;
}

const segmentsOf = async (id: string) =>
  (await call(ada, 'GET', `posts/${id}/translations/de`)).segments as {
    id: string;
    version: number;
    state: string;
    writer: { kind: string };
  }[];
const states = async (id: string) =>
  (await segmentsOf(id)).map(({ writer, state }) => `${writer.kind} ${state}`);

async function migrate(): Promise<string[]> {
  const said: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => said.push(String(line)) > 0);
  onTestFinished(() => write.mockRestore());
  const { writer } = desk.context.project.database;
  let after: string | undefined;
  do
    after = await writer
      .transaction()
      .execute((db) => labelsOfTranslations.fill?.(db, after) as Promise<string | undefined>);
  while (after !== undefined);
  write.mockRestore();
  return said;
}

const factsOf = async (id: string) =>
  JSON.parse((await desk.rows(`journal_posts?id=eq.${id}`))[0].translations);
const remembered = async (id: string): Promise<string[]> =>
  (await desk.rows(`translation_memory?post_id=eq.${id}&order=text`)).map(
    ({ text }: { text: string }) => text,
  );

test('what a create page sent as its author’s is a machine’s where all is sure, and uncertain words are protected', async () => {
  const whole = await publish('Whole', ['de', 'es', 'fr']);
  const edited = await publish('Edited', ['de', 'es', 'fr']);
  const partial = await publish('Partial', ['de', 'fr']);
  const path = (segment: { id: string } | undefined) =>
    `posts/${edited}/translations/de/segments/${segment?.id}`;
  const [, first, second] = await segmentsOf(edited);
  await call(ada, 'PUT', path(first), { version: first?.version, body: { text: 'Von Hand übersetzt.' } });
  await call(eda, 'POST', `${path(second)}/accept`, { version: second?.version, body: {} });
  const [releasedBefore] = await desk.rows(`post_languages?id=eq.${partial}_de`);
  expect((await factsOf(whole)).de.by).toBe('person');
  expect(await remembered(whole)).toHaveLength(12);

  expect(await migrate()).toEqual([
    "Translations stored as written by people: 22 were a machine's; 8 are uncertain, and count as a machine's; 1 stay.\n",
  ]);

  expect(await states(whole)).toEqual(Array(4).fill('model machine'));
  expect(await states(edited)).toEqual([
    'model machine',
    'person edited',
    'person reviewed',
    'model machine',
  ]);
  expect(await states(partial)).toEqual(Array(4).fill('unknown machine'));
  expect((await factsOf(whole)).de).toMatchObject({ by: 'machine', checked: true });
  expect((await factsOf(edited)).de.by).toBe('mixed');
  expect((await factsOf(partial)).de.by).toBe('machine');
  expect(await remembered(whole)).toEqual([]);
  expect(await remembered(partial)).toEqual([]);
  expect(await remembered(edited)).toEqual(expect.arrayContaining(['Von Hand übersetzt.']));
  const [releasedAfter] = await desk.rows(`post_languages?id=eq.${partial}_de`);
  expect(releasedAfter).toEqual({ ...releasedBefore, edited: 0, machine: 4 });
  // The records are those that the desk itself would count.
  const { counts } = await call(ada, 'GET', `posts/${edited}/translations/de`);
  expect((await desk.rows(`post_languages?id=eq.${edited}_de`))[0]).toMatchObject(counts);

  expect(await migrate()).toEqual([
    "Translations stored as written by people: 0 were a machine's; 0 are uncertain, and count as a machine's; 1 stay.\n",
  ]);
  expect(await states(partial)).toEqual(Array(4).fill('unknown machine'));
});

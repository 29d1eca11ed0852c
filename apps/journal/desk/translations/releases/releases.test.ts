import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LanguageTranslation, QueuedPost } from '../../../project/translations.ts';
import {
  ANONYMOUS,
  buildDocument,
  openTestDesk,
  type Person,
  type TestDesk,
} from '../../../testing/open-test-desk.ts';
import { releasedHashes } from '../../../testing/released-hashes.ts';
import { recordMachineTexts } from '../records/machine-texts.ts';
import { releaseReady } from './release-ready.ts';

let desk: TestDesk;
/** Ada owns the posts, Tia translates them, Cal is another author, Rea a reader, Eda an editor. */
const people = {} as Record<'anonymous' | 'rea' | 'cal' | 'tia' | 'ada' | 'eda', Person>;

beforeAll(async () => {
  desk = await openTestDesk();
  people.anonymous = ANONYMOUS;
  for (const [name, role] of [
    ['rea', 'reader'],
    ['cal', 'author'],
    ['tia', 'reader'],
    ['ada', 'author'],
    ['eda', 'editor'],
  ] as const)
    people[name] = await desk.person(name, role);
});

afterAll(() => desk.close());

const SOURCE = ['The heart is a muscle.', 'Take 5 mg twice daily.'];
const GERMAN = ['Das Herz ist ein Muskel.', 'Nehmen Sie zweimal täglich 5 mg.'];
const de = { title: 'Das Herz', content: GERMAN.join('\n\n') };

async function create(changes = {}): Promise<string> {
  const byline = [{ name: 'Tia', role: 'translator' as const, userId: people.tia.id }];
  const document = buildDocument({ content: SOURCE.join('\n\n'), byline, ...changes });
  const { status, body } = await desk.call(people.ada, 'POST', 'posts', { body: { document } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const call = (as: Person, method: string, id: string, rest: string, options = {}) =>
  desk.call(as, method, `posts/${id}/translations${rest}`, options);
const german = async (id: string): Promise<LanguageTranslation> =>
  (await call(people.ada, 'GET', id, '/de')).body;
const readersPost = async (id: string) => {
  const [row] = await desk.rows(`journal_posts?id=eq.${id}`);
  return { ...row, translations: JSON.parse(row.translations) };
};
const publish = async (id: string) => {
  const { version } = (await desk.call(people.ada, 'GET', `posts/${id}`)).body;
  const { status, body } = await desk.call(people.ada, 'POST', `posts/${id}/publish`, { version, body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
};
const act = async (as: Person, id: string, at: number, [method, verb, body]: [string, string, object?]) => {
  const segment = (await german(id)).segments[at];
  return call(as, method, id, `/de/segments/${segment?.id}${verb}`, {
    version: segment?.version,
    body: body ?? {},
  });
};
async function byMachine(id: string, texts: readonly (string | null)[]) {
  const [row] = await desk.rows(`post_segments?id=eq.${id}`);
  const listed: { id: string; hash: string }[] = JSON.parse(row.segments);
  const writer = { kind: 'model' as const, name: 'llama' };
  const machine = listed.flatMap(({ id: segmentId, hash }, at) => {
    const text = texts[at];
    return text ? [{ segmentId, language: 'de' as const, hash, text, writer }] : [];
  });
  await recordMachineTexts(desk.context, { postId: id, userId: people.ada.id }, machine);
}

test('a language is released by itself when a job ends, and again when its last segment is reviewed', async () => {
  const id = await create();
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content_de: null, translations: null });
  await byMachine(id, ['Das Herz', ...GERMAN]);
  await releaseReady(desk.context, id, { languages: ['de', 'fr'], by: people.ada.id });
  const hashes = await releasedHashes({
    title: 'The heart',
    content: SOURCE.join('\n\n'),
    contentFormat: 'plain',
  });
  expect(await readersPost(id)).toMatchObject({
    ...{ title_de: 'Das Herz', content_de: de.content, title_fr: null },
    translations: { de: { by: 'machine', checked: true, reviewedBy: null, hashes } },
  });
  // An address comes with the language, and the desk does not take its own release for another program's.
  expect(await desk.rows(`post_slugs?post_id=eq.${id}&language=eq.de`)).toMatchObject([
    { id: 'das-herz', current: 1 },
  ]);
  expect((await desk.call(people.ada, 'GET', `posts/${id}`)).body).toMatchObject({
    changed: false,
    elsewhere: null,
  });
  const { segments } = await german(id);
  const wanted = segments.map(({ id: one, version }) => ({ id: one, version }));
  const accepted = await call(people.eda, 'POST', id, '/de/accept-all', { body: { segments: wanted } });
  expect(accepted).toMatchObject({ status: 200, body: { skipped: [] } });
  expect((await readersPost(id)).translations.de).toMatchObject({
    ...{ by: 'machine', reviewedBy: 'eda', reviewedAt: desk.clock.now },
  });
});

test('a dose that differs holds back its language alone, until it is corrected or overruled with a reason', async () => {
  const fr = { title: 'Le cœur', content: 'Le cœur est un muscle.\n\nPrenez 5 mg deux fois par jour.' };
  const wrong = { ...de, content: de.content.replace('5 mg', '50 mg') };
  const id = await create({ translations: { de: wrong, fr } });
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content_de: null, content_fr: fr.content });
  const { segments, counts, isReady } = await german(id);
  expect({ blocked: counts.blocked, isReady }).toEqual({ blocked: 1, isReady: false });
  expect(segments[2]).toMatchObject({
    blocked: true,
    findings: [{ severity: 'block', source: { text: '5 mg' }, target: { text: '50 mg' } }],
  });
  const refused = await call(people.ada, 'POST', id, '/de/release');
  expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { fault: 'blocked' } } });
  const overruled = await act(people.eda, id, 2, ['POST', '/overrule', { reason: 'Another strength here.' }]);
  expect(overruled.body).toMatchObject({
    blocked: false,
    overruled: { by: { name: 'eda' }, reason: 'Another strength here.' },
  });
  expect(await readersPost(id)).toMatchObject({
    content_de: wrong.content,
    translations: { de: { checked: false } },
  });
  const project = desk.backend.projects.get('journal');
  const events = await project?.database.query(
    "SELECT * FROM audit_log WHERE event = 'translation-overruled'",
    [],
  );
  expect(events).toMatchObject([{ user_id: people.eda.id }]);
  expect(JSON.parse(String(events?.[0]?.details))).toEqual({
    ...{ post: id, language: 'de', segment: segments[2]?.id },
    ...{ version: overruled.body.version, reason: 'Another strength here.' },
  });
  // It counts for this pair of texts only.
  const edited = await act(people.ada, id, 2, ['PUT', '', { text: 'Nehmen Sie zweimal täglich 500 mg.' }]);
  expect(edited.body).toMatchObject({ blocked: true, overruled: null });
  expect(await readersPost(id)).toMatchObject({ content_de: wrong.content });
});

const LINKED = 'Rest is good for [the heart](https://heart.example/rest) and for the lungs of the patient.';
const DOUBTFUL: readonly (readonly [kind: string, source: string, german: string])[] = [
  [
    'language',
    'The heart is a muscle of the chest.',
    'Il cuore è un muscolo che si trova nel petto della persona.',
  ],
  ['language', 'The heart is a muscle of the chest.', 'Сердце — это мышца, которая находится в груди.'],
  [
    'missing',
    'The heart is a muscle. Stop the treatment if the patient has a rash of any kind.',
    'Das Herz ist ein Muskel.',
  ],
  [
    'doubled',
    'The heart is a muscle of the chest.',
    'Das Herz ist ein Muskel der Brust. Das Herz ist ein Muskel der Brust.',
  ],
  [
    'length',
    'The heart rests at night.',
    'Das Herz ruht in der Nacht, wenn der Mensch schläft, wie es auch die Lunge und der Magen tun, und das ist gut für ihn.',
  ],
  ['length', 'The heart rests at night. '.repeat(400), 'Das Herz ruht in der Nacht. '.repeat(400)],
  ['link', LINKED, 'Ruhe ist gut für [das Herz](https://other.example/) und für die Lungen des Kranken.'],
  ['link', LINKED, 'Ruhe ist gut für das Herz und für die Lungen des Kranken, wenn er sie hat.'],
  ['mark', 'The heart rests at night.[^1]\n\n[^1]: As we know.', 'Das Herz ruht in der Nacht.'],
  ['markup', 'The heart rests **at night** only.', 'Das Herz ruht **nur in der Nacht.'],
];

test.each(DOUBTFUL)(
  'a language with a warning of the kind %s waits for a person: %j',
  async (kind, content, text) => {
    const id = await create({ content, contentFormat: 'markdown' });
    await publish(id);
    const { segments } = await german(id);
    await byMachine(id, ['Das Herz', text, ...segments.slice(2).map(() => 'Wie wir wissen.')]);
    await releaseReady(desk.context, id, { languages: ['de'], by: people.ada.id });
    await publish(id);
    expect(await readersPost(id)).toMatchObject({ content_de: null, translations: null });
    const held = await german(id);
    expect(held).toMatchObject({ state: 'none', isReady: false, counts: { blocked: 1 } });
    expect(held.segments[1]?.findings.map((one) => one.kind)).toContain(kind);
    expect((await call(people.ada, 'POST', id, '/de/release')).body).toMatchObject({
      details: { fault: 'blocked' },
    });
    const verb: [string, string, object] =
      kind === 'language' ? ['POST', '/accept', {}] : ['POST', '/overrule', { reason: 'It is meant so.' }];
    expect((await act(people.eda, id, 1, verb)).body).toMatchObject({ blocked: false });
    expect(await readersPost(id)).toMatchObject({
      title_de: 'Das Herz',
      translations: { de: { checked: false } },
    });
  },
);

test('what a person wrote with a warning goes out with the post, and only without a word of compared numbers', async () => {
  const content = 'Das Herz ist ein Muskel.';
  const id = await create({
    translations: { de: { ...de, content } },
    content: `${SOURCE[0]} It rests in the night.`,
  });
  await publish(id);
  expect(await readersPost(id)).toMatchObject({
    content_de: content,
    translations: { de: { checked: false } },
  });
});

test('a term of the glossary that a machine did not use holds its language back', async () => {
  const body = { words: { en: ['valve'], de: ['Klappe'] }, keep: false, note: 'A part of the heart.' };
  expect((await desk.call(people.eda, 'POST', 'translations/terms', { body })).status).toBe(201);
  const id = await create({ content: 'The valve rests.' });
  await publish(id);
  await byMachine(id, ['Das Herz', 'Die Tür ruht.']);
  await releaseReady(desk.context, id, { languages: ['de'], by: people.ada.id });
  expect(await readersPost(id)).toMatchObject({ content_de: null });
});

test('what another program stored with a warning stays, without a word of compared numbers, and stands first in the queue', async () => {
  const id = await create();
  await publish(id);
  const italian = 'Il cuore è un muscolo che non si ferma.\n\nNehmen Sie zweimal täglich 5 mg.';
  const path = `/api/db/journal/rest/v1/journal_posts?id=eq.${id}`;
  const body = { title_de: de.title, content_de: italian };
  expect((await desk.call(people.ada, 'PATCH', path, { body })).status).toBeLessThan(300);
  await expect.poll(async () => (await readersPost(id)).translations?.de).toMatchObject({ checked: false });
  expect(await german(id)).toMatchObject({ state: 'released', isReady: false, counts: { blocked: 1 } });
  await publish(id);
  expect(await readersPost(id)).toMatchObject({
    content_de: italian,
    translations: { de: { checked: false } },
  });
  desk.clock.now += 1_000;
  const later = await create({ title: 'Changed later' });
  await publish(later);
  const queued = async () =>
    (await desk.call(people.eda, 'GET', 'translations/queue?language=de')).body.posts.map(
      ({ postId }: { postId: string }) => postId,
    );
  const before = await queued();
  expect(before.indexOf(id)).toBeLessThan(before.indexOf(later));
  await act(people.eda, id, 1, ['PUT', '', { text: 'Das Herz ist ein Muskel.' }]);
  desk.clock.now += 1_000;
  const last = await create({ title: 'Changed last' });
  await publish(last);
  const after = await queued();
  expect(after.indexOf(last)).toBeLessThan(after.indexOf(id));
});

test('a guard that is overruled is in the audit log, or is not overruled', async () => {
  const id = await create({ translations: { de: { ...de, content: de.content.replace('5 mg', '50 mg') } } });
  await publish(id);
  const { writer } = desk.context.project.database;
  await writer.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
  const failed = await act(people.eda, id, 2, ['POST', '/overrule', { reason: 'Another strength here.' }]);
  await writer.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
  expect(failed.status).toBeGreaterThanOrEqual(400);
  expect((await german(id)).segments[2]).toMatchObject({ blocked: true, overruled: null });
  expect(await readersPost(id)).toMatchObject({ content_de: null });
  const again = await act(people.eda, id, 2, ['POST', '/overrule', { reason: 'Another strength here.' }]);
  expect(again).toMatchObject({ status: 200, body: { blocked: false } });
});

test('each language is held back, withdrawn and released by itself', async () => {
  const id = await create({ translations: { de } });
  await publish(id);
  expect((await call(people.ada, 'POST', id, '/de/withdraw')).body).toMatchObject({
    state: 'withdrawn',
    releasedAt: null,
  });
  expect(await readersPost(id)).toMatchObject({ title_de: null, content_de: null, translations: null });
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content_de: null });
  expect((await call(people.ada, 'POST', id, '/de/release')).body).toMatchObject({ state: 'released' });
  expect(await readersPost(id)).toMatchObject({
    content_de: de.content,
    translations: { de: { by: 'person' } },
  });
  expect((await call(people.ada, 'POST', id, '/de/hold')).body).toMatchObject({ state: 'held' });
  await act(people.ada, id, 1, ['PUT', '', { text: 'Das Herz ist ein Hohlmuskel.' }]);
  await publish(id);
  expect(await readersPost(id)).toMatchObject({ content_de: de.content });
  await call(people.ada, 'POST', id, '/de/release');
  expect((await readersPost(id)).content_de).toContain('Hohlmuskel');
  expect((await call(people.ada, 'GET', id, '/en')).status).toBe(404);
});

test('a language whose rule wants a review waits for the last of its segments', async () => {
  const id = await create({ translations: { de } });
  expect((await call(people.eda, 'PUT', id, '/de/rule', { body: { rule: 'reviewed' } })).body).toMatchObject({
    rule: 'reviewed',
  });
  await publish(id);
  for (const at of [0, 1, 2]) {
    expect((await readersPost(id)).content_de).toBeNull();
    expect((await act(people.eda, id, at, ['POST', '/accept'])).body).toMatchObject({
      state: 'reviewed',
      reviewed: { by: { name: 'eda' } },
    });
  }
  // What the desk accepts gives readers no other words before it was asked.
  const asked = await create({ translations: { de } });
  await call(people.eda, 'PUT', asked, '/de/rule', { body: { rule: 'reviewed' } });
  await publish(asked);
  for (const at of [0, 1, 2]) await act(people.eda, asked, at, ['POST', '/accept', { release: false }]);
  expect((await readersPost(asked)).content_de).toBeNull();
  expect(await german(asked)).toMatchObject({ state: 'none', isDue: true });
  await call(people.eda, 'POST', asked, '/de/release');
  expect(await german(asked)).toMatchObject({ state: 'released', isDue: false });
  expect(await readersPost(id)).toMatchObject({
    content_de: de.content,
    translations: { de: { by: 'person', reviewedBy: 'eda' } },
  });
});

test('of two people on one segment the second is told, with both texts', async () => {
  const id = await create({ translations: { de } });
  const segment = (await german(id)).segments[1];
  const save = (as: Person, text: string) =>
    call(as, 'PUT', id, `/de/segments/${segment?.id}`, { version: segment?.version, body: { text } });
  const [first, second] = await Promise.all([save(people.tia, 'Von Tia.'), save(people.eda, 'Von Eda.')]);
  const [won, lost] = first.status === 200 ? [first, second] : [second, first];
  expect([won.status, lost.status]).toEqual([200, 412]);
  expect(lost.body).toMatchObject({
    code: 'STALE',
    details: { current: { text: won.body.text, version: won.body.version } },
  });
  expect([won.body.text, lost.body.details.text].sort()).toEqual(['Von Eda.', 'Von Tia.']);
  expect(won.headers.get('etag')).toBe(`"${won.body.version}"`);
});

test('what another program stores has records and facts within seconds, as a machine’s', async () => {
  const id = `post_foreign_${desk.clock.now}`;
  const path = '/api/db/journal/rest/v1/journal_posts';
  const row = {
    id,
    user_id: people.ada.id,
    title: 'The heart',
    content: SOURCE.join('\n\n'),
    language: 'en',
  };
  const columns = { image_url: '/x.png', title_de: de.title, content_de: de.content };
  expect((await desk.call(people.ada, 'POST', path, { body: { ...row, ...columns } })).status).toBe(201);
  await expect
    .poll(async () => (await readersPost(id)).translations?.de)
    .toMatchObject({ by: 'machine', checked: true });
  expect(await german(id)).toMatchObject({ state: 'released', counts: { machine: 3, missing: 0 } });
  expect((await german(id)).segments[1]).toMatchObject({ writer: { kind: 'unknown' }, text: GERMAN[0] });
  const changed = { content_de: de.content.replace('5 mg', '50 mg') };
  desk.clock.now += 10;
  await desk.call(people.ada, 'PATCH', `${path}?id=eq.${id}`, { body: changed });
  await expect
    .poll(async () => (await readersPost(id)).translations?.de)
    .toMatchObject({ by: 'machine', checked: false });
  expect((await german(id)).counts.blocked).toBe(1);
  // No client says so itself.
  const claim = JSON.stringify((await readersPost(id)).translations);
  const forged = { ...row, ...columns, id: `${id}_2`, translations: claim };
  expect((await desk.call(people.ada, 'POST', path, { body: forged })).status).toBe(403);
  const patched = await desk.call(people.ada, 'PATCH', `${path}?id=eq.${id}`, {
    body: { translations: claim },
  });
  expect(patched.status).toBe(403);
});

test('posts of another program that repeat the original in each language cost no work of the desk', async () => {
  const content = SOURCE.join('\n\n');
  const row = { user_id: people.ada.id, title: 'The heart', content, image_url: '/x.png' };
  const repeated = Object.fromEntries(
    ['en', 'es', 'fr', 'de'].flatMap((code) => [
      [`title_${code}`, row.title],
      [`content_${code}`, `${content}\n`],
    ]),
  );
  const rows = Array.from({ length: 250 }, (_, at) => ({ ...row, ...repeated, id: `post_repeated_${at}` }));
  const last = { ...row, ...repeated, id: 'post_translated', title_de: de.title, content_de: de.content };
  const path = '/api/db/journal/rest/v1/journal_posts';
  const author = { id: '', token: desk.context.project.secretKey };
  expect((await desk.call(author, 'POST', path, { body: [...rows, last] })).status).toBe(201);
  // Rows are taken in their order, so that none before the last one comes after it.
  await expect
    .poll(async () => (await readersPost(last.id)).translations?.de)
    .toMatchObject({ by: 'machine' });
  expect(await desk.rows('post_segments?id=like.post_repeated_*')).toEqual([]);
});

test('segments, comments and former texts go with their post, and lose their names with an account', async () => {
  const zoe = await desk.person('Zoe', 'editor');
  const id = await create({ translations: { de } });
  await act(zoe, id, 1, ['PUT', '', { text: 'Von Zoe.' }]);
  const reviewed = await create({ translations: { de } });
  await publish(reviewed);
  for (const at of [0, 1, 2]) await act(zoe, reviewed, at, ['POST', '/accept']);
  expect((await readersPost(reviewed)).translations.de.reviewedBy).toBe('Zoe');
  const comment = await act(zoe, id, 1, ['POST', '/comments', { text: 'Bitte prüfen.' }]);
  expect(comment).toMatchObject({ status: 201, body: { by: { name: 'Zoe' }, text: 'Bitte prüfen.' } });
  await act(people.ada, id, 1, ['PUT', '', { text: 'Von Ada.' }]);
  expect((await german(id)).segments[1]).toMatchObject({ comments: 1 });
  expect((await desk.call(zoe, 'DELETE', '/api/auth/account')).status).toBe(200);
  await expect.poll(async () => (await readersPost(reviewed)).translations.de.reviewedBy).toBe('Anonymous');
  const segment = (await german(id)).segments[1]?.id;
  const { versions } = (await call(people.ada, 'GET', id, `/de/segments/${segment}/history`)).body;
  expect(versions[0]).toMatchObject({ text: 'Von Zoe.', writer: { kind: 'person', name: 'Anonymous' } });
  const { comments } = (await call(people.ada, 'GET', id, `/de/segments/${segment}/comments`)).body;
  expect(comments).toMatchObject([{ by: { id: expect.stringMatching(/^deleted_/), name: 'Anonymous' } }]);
  expect((await desk.call(people.ada, 'DELETE', `posts/${id}`)).status).toBe(204);
  for (const table of ['segment_translations', 'segment_comments', 'post_languages'])
    expect(await desk.rows(`${table}?post_id=eq.${id}`), table).toEqual([]);
  expect(await desk.rows(`post_segments?id=eq.${id}`)).toEqual([]);
});

test('the queue lists what waits for somebody in a language: in all posts for reviewers, and in their own for authors', async () => {
  desk.clock.now += 1_000;
  const id = await create({ title: 'In the queue' });
  await byMachine((await german(id)) && id, ['In der Schlange', ...GERMAN]);
  const queue = await desk.call(people.eda, 'GET', 'translations/queue?language=de&state=machine');
  const found = queue.body.posts.find(({ postId }: QueuedPost) => postId === id);
  expect(found).toMatchObject({
    isPublished: false,
    title: 'In the queue',
    language: 'de',
    counts: { machine: 3 },
  });
  expect(
    (await desk.call(people.eda, 'GET', 'translations/queue?language=de&state=blocked')).body.posts.every(
      (post: { postId: string }) => post.postId !== id,
    ),
  ).toBe(true);
  for (const query of ['cursor=x', 'state=reviewed'])
    expect((await desk.call(people.eda, 'GET', `translations/queue?${query}`)).status, query).toBe(400);
  const idsOf = async (as: Person): Promise<string[]> =>
    (await desk.call(as, 'GET', 'translations/queue?language=de&state=machine')).body.posts.map(
      (post: { postId: string }) => post.postId,
    );
  expect(await idsOf(people.ada)).toContain(id);
  expect(await idsOf(people.tia)).toContain(id);
  expect(await idsOf(people.cal)).not.toContain(id);

  const waitingFor = async (query: string) =>
    (await desk.call(people.eda, 'GET', `translations/queue?${query}`)).body.waiting.map(
      ({ language, segments }: { language: string; segments: number }) => [language, segments],
    );
  const [[language, before]] = await waitingFor('language=de');
  expect(language).toBe('de');
  // The sums are those of all published posts, however many are on a page; drafts, though newer, come last and are not counted.
  for (let count = 0; count < 51; count += 1) await publish(await create({ title: `Waiting ${count}` }));
  desk.clock.now += 1_000;
  const draft = await create({ title: 'A newer draft' });
  const pages: QueuedPost[][] = [];
  for (let cursor = ''; cursor !== null; ) {
    const next = `language=de${cursor && `&cursor=${cursor}`}`;
    expect(await waitingFor(next)).toEqual([['de', before + 51 * 3]]);
    const { body } = await desk.call(people.eda, 'GET', `translations/queue?${next}`);
    pages.push(body.posts);
    cursor = body.cursor;
  }
  const queued = pages.flat();
  expect(new Set(queued.map(({ postId }) => postId)).size).toBe(queued.length);
  const firstDraft = queued.findIndex(({ isPublished }) => !isPublished);
  expect(queued.slice(firstDraft).every(({ isPublished }) => !isPublished)).toBe(true);
  expect(queued.findIndex(({ postId }) => postId === draft)).toBeGreaterThanOrEqual(firstDraft);
});

//                                     anonymous, rea, cal, tia, ada, eda
test.each<[string, number[], (as: Person, id: string) => Promise<{ status: number }>]>([
  ['a translation is read', [401, 404, 404, 200, 200, 200], (as, id) => call(as, 'GET', id, '/de')],
  [
    'a segment is written',
    [401, 404, 404, 200, 200, 200],
    (as, id) => act(as, id, 0, ['PUT', '', { text: 'Neu' }]),
  ],
  ['a segment is accepted', [401, 403, 403, 403, 403, 200], (as, id) => act(as, id, 0, ['POST', '/accept'])],
  [
    'the guard is overruled',
    [401, 403, 403, 403, 403, 409],
    (as, id) => act(as, id, 0, ['POST', '/overrule', { reason: 'x' }]),
  ],
  [
    'a segment is discussed',
    [401, 404, 404, 201, 201, 201],
    (as, id) => act(as, id, 0, ['POST', '/comments', { text: 'x' }]),
  ],
  ['a language is released', [401, 404, 404, 403, 200, 200], (as, id) => call(as, 'POST', id, '/de/release')],
  [
    'a language is withdrawn',
    [401, 404, 404, 403, 200, 200],
    (as, id) => call(as, 'POST', id, '/de/withdraw'),
  ],
  [
    'a rule is set',
    [401, 403, 403, 403, 403, 200],
    (as, id) => call(as, 'PUT', id, '/de/rule', { body: { rule: 'reviewed' } }),
  ],
  ['the queue is read', [401, 200, 200, 200, 200, 200], (as) => desk.call(as, 'GET', 'translations/queue')],
])('%s by those who may', async (_, expected, attempt) => {
  const statuses: number[] = [];
  for (const name of Object.keys(people) as (keyof typeof people)[]) {
    const id = await create({ translations: { de } });
    statuses.push((await attempt(people[name], id)).status);
  }
  expect(statuses).toEqual(expected);
});

test('what SQL writes has records and facts within seconds, and an account that it deletes loses its name', async () => {
  const service = { id: '', token: desk.context.project.secretKey };
  const run = async (sql: string, ...args: unknown[]) => {
    const body = { statements: [{ sql, args }] };
    const { status, body: result } = await desk.call(service, 'POST', '/api/db/journal/batch', { body });
    expect([status, result.error]).toEqual([200, undefined]);
  };
  const yan = await desk.person('Yan', 'editor');
  const reviewed = await create({ translations: { de } });
  await publish(reviewed);
  for (const at of [0, 1, 2]) await act(yan, reviewed, at, ['POST', '/accept']);
  expect((await readersPost(reviewed)).translations.de.reviewedBy).toBe('Yan');
  const id = `post_sql_${desk.clock.now}`;
  const now = desk.clock.now;
  await run(
    `INSERT INTO journal_posts (id, user_id, title, content, language, image_url, title_de, content_de, published, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'en', '/x.png', ?, ?, 1, ?, ?)`,
    ...[id, people.ada.id, 'The heart', SOURCE.join('\n\n'), de.title, de.content, now, now],
  );
  await expect
    .poll(async () => (await readersPost(id)).translations?.de)
    .toMatchObject({ by: 'machine', checked: true });
  await run('DELETE FROM users WHERE id = ?', yan.id);
  await expect.poll(async () => (await readersPost(reviewed)).translations.de.reviewedBy).toBe('Anonymous');
});

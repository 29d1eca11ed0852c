import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Call,
  json,
  keepInMemory,
  languageOf,
  ORIGIN,
  refusal,
  type ScriptedBackend,
  scriptBackend,
  sourceOf,
  translationOf,
  UPLOADED,
} from '../../../testing/scripted-backend.ts';
import { TRANSLATION_PARTS } from '../translation/translation-parts.ts';
import {
  createPublisher,
  type Draft,
  type Publisher,
  type PublishOutcome,
  type PublishPhase,
} from './publisher.ts';

const DRAFT: Draft = {
  title: 'The eye',
  content: 'Light comes in.\n\nAn image is made.',
  image: new File(['not really a picture'], 'Eye.PNG', { type: 'image/png', lastModified: 1 }),
};

let backend: ScriptedBackend;
let answers: ScriptedBackend['answers'];
let callsTo: ScriptedBackend['callsTo'];
let achieved: ReturnType<typeof keepInMemory>;

beforeEach(() => {
  backend = scriptBackend();
  ({ answers, callsTo } = backend);
  achieved = keepInMemory();
});

function buildPublisher(): Publisher {
  return createPublisher({ client: backend.client, origins: [ORIGIN] });
}

async function publish(publisher = buildPublisher(), draft = DRAFT): Promise<PublishOutcome> {
  const outcome = await publisher.publish({ authorId: 'user_1', draft, achieved });
  if (!outcome) throw new Error('It was busy.');
  return outcome;
}

function removedPaths(): unknown[] {
  return callsTo('/remove').flatMap(({ body }) => (body instanceof FormData ? [] : [body.paths].flat()));
}

function createdPost(): Record<string, unknown> {
  const created = callsTo('/journal_posts').findLast(({ method }) => method === 'POST')?.body;
  if (!created || created instanceof FormData) throw new Error('No post was created.');
  return created;
}

describe('publishing a post', () => {
  it('uploads the image, translates title and text into four languages and creates the post', async () => {
    const outcome = await publish();

    expect(outcome).toMatchObject({ kind: 'published', missing: [] });
    const upload = callsTo('/upload')[0]?.body as FormData;
    expect(upload.get('path')).toMatch(/^posts\/\d{13}\.png$/);
    expect(JSON.parse(String(upload.get('options')))).toEqual({ upsert: true });
    expect(callsTo('/text')).toHaveLength(8);
    for (const { body } of callsTo('/text')) expect(body).toMatchObject({ maxTokens: 2000 });
    expect(createdPost()).toMatchObject({
      id: expect.stringMatching(/^post_\d{13}$/),
      user_id: 'user_1',
      title: 'The eye',
      content: 'Light comes in.\n\nAn image is made.',
      title_en: '[English] The eye',
      title_es: '[Spanish] The eye',
      title_fr: '[French] The eye',
      title_de: '[German] The eye',
      content_de: '[German] Light comes in.\n\nAn image is made.',
      image_width: 1280,
      image_height: 1600,
      image_placeholder: UPLOADED.placeholder,
      published: 1,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
  });

  it('asks for all eight translations at once', async () => {
    let waiting = 0;
    const { promise: all, resolve: letAllGo } = Promise.withResolvers<void>();
    answers.text = async (call) => {
      waiting += 1;
      if (waiting === 8) letAllGo();
      await all;
      return json({ text: translationOf(call), finishReason: 'stop', usage: {} });
    };
    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
  });

  it('keeps the image’s address without our own origin, and a foreign one whole', async () => {
    await publish();
    expect(createdPost().image_url).toBe('/storage/journal/posts/1.png?v=ab');

    achieved.held = {};
    answers.upload = () => json({ ...UPLOADED, publicUrl: 'https://cdn.example/1.png' });
    await publish();
    expect(createdPost().image_url).toBe('https://cdn.example/1.png');
  });

  it('goes through uploading, translating and publishing, and back to idle', async () => {
    const publisher = buildPublisher();
    const phases: PublishPhase[] = [];
    publisher.subscribe(() => phases.push(publisher.getPhase()));
    await publish(publisher);
    const names = phases.map(({ name }) => name).filter((name, index, all) => name !== all[index - 1]);
    expect(names).toEqual(['uploading', 'translating', 'publishing', 'idle']);
    const counted = phases.flatMap((phase) =>
      phase.name === 'translating' ? [phase.parts.filter(({ status }) => status === 'done').length] : [],
    );
    expect(counted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('publishes once, however often it is asked to', async () => {
    const publisher = buildPublisher();
    const request = { authorId: 'user_1', draft: DRAFT, achieved };
    const outcomes = await Promise.all([
      publisher.publish(request),
      publisher.publish(request),
      publisher.publish(request),
    ]);
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    expect(callsTo('/upload')).toHaveLength(1);
    expect(callsTo('/journal_posts')).toHaveLength(1);
  });
});

describe('a translation that does not come', () => {
  const isGerman = (call: Call, source: string) => languageOf(call) === 'German' && sourceOf(call) === source;
  const isGermanTitle = (call: Call) => isGerman(call, DRAFT.title);

  it.each<[string, Answer]>([
    ['fails', () => refusal(502, 'AI_FAILED')],
    ['takes too long', () => refusal(504, 'AI_TIMEOUT')],
    ['is refused by a limit', () => refusal(429, 'AI_QUOTA_EXCEEDED')],
    ['is lost by the network', () => Promise.reject(new TypeError('fetch failed'))],
    ['is blank', () => json({ text: ' \n ', finishReason: 'stop', usage: {} })],
    ['is no text', () => json({ text: { de: 'Das Auge' }, finishReason: 'stop', usage: {} })],
    ['was cut off', () => json({ text: 'Das Au', finishReason: 'length', usage: {} })],
    ['was held back', () => json({ text: 'Das', finishReason: 'content-filter', usage: {} })],
    ['chats over several lines', () => json({ text: 'Sure!\nDas Auge', finishReason: 'stop', usage: {} })],
    ['is absurdly long', () => json({ text: 'Auge '.repeat(60), finishReason: 'stop', usage: {} })],
  ])('leaves the original in its place when it %s, and says which is missing', async (_, answer) => {
    const usual = answers.text;
    answers.text = (call) => (isGermanTitle(call) ? answer(call) : usual(call));
    const outcome = await publish();
    expect(outcome).toMatchObject({
      kind: 'published',
      missing: [{ field: 'title', language: 'de' }],
    });
    expect(createdPost()).toMatchObject({
      title_de: 'The eye',
      title_fr: '[French] The eye',
      untranslated: 'title:de',
    });
  });

  it.each([
    ['lacks a paragraph', 'Licht tritt ein.'],
    ['has lost the blank line', 'Licht tritt ein.\nEin Bild entsteht.'],
    ['brings a paragraph of its own', 'Gern!\n\nLicht tritt ein.\n\nEin Bild entsteht.'],
  ])('leaves the original text in its place when it %s', async (_, text) => {
    const usual = answers.text;
    answers.text = (call) =>
      isGerman(call, DRAFT.content) ? json({ text, finishReason: 'stop', usage: {} }) : usual(call);
    expect(await publish()).toMatchObject({
      missing: [{ field: 'content', language: 'de', fault: 'unusable' }],
    });
    expect(createdPost()).toMatchObject({ content_de: DRAFT.content, untranslated: 'content:de' });
  });

  it('counts paragraphs however their blank lines are written, and trusts ends of another name', async () => {
    answers.text = (call) =>
      isGerman(call, DRAFT.content)
        ? json({ text: 'Licht.\r\n \r\n\r\nBild.\n', finishReason: 'eos', usage: {} })
        : refusal(429, 'AI_QUOTA_EXCEEDED');
    const outcome = await publish();
    expect(createdPost()).toMatchObject({ content_de: 'Licht.\r\n \r\n\r\nBild.' });
    const faults = outcome.kind === 'published' && outcome.missing.map(({ fault }) => fault);
    expect(faults).toEqual(Array(7).fill('quota'));
  });

  it('says plainly that no provider is set up', async () => {
    answers.text = () => refusal(503, 'AI_NOT_CONFIGURED');
    const outcome = await publish();
    const missing = TRANSLATION_PARTS.map((part) => ({ ...part, fault: 'not-configured' }));
    expect(outcome).toMatchObject({ kind: 'published', missing });
    // There is nothing to try again.
    expect(createdPost()).toMatchObject({
      title_es: 'The eye',
      content_es: DRAFT.content,
      untranslated: null,
    });
  });

  it('takes off the quotation marks that models add', async () => {
    const usual = answers.text;
    answers.text = (call) =>
      isGermanTitle(call) ? json({ text: '„Das Auge“', finishReason: 'stop', usage: {} }) : usual(call);
    await publish();
    expect(createdPost().title_de).toBe('Das Auge');
  });

  it('leaves the marks of a text that is a quotation', async () => {
    const title = '“Know thyself”';
    answers.text = () => json({ text: '“Erkenne dich selbst”', finishReason: 'stop', usage: {} });
    await publish(buildPublisher(), { ...DRAFT, title });
    expect(createdPost().title_de).toBe('“Erkenne dich selbst”');
  });
});

describe('a publish that fails', () => {
  it.each<[string, () => void, string]>([
    ['the session is over', () => (answers.create = () => refusal(401, 'TOKEN_EXPIRED')), 'session-ended'],
    [
      'the network is gone',
      () => (answers.upload = () => Promise.reject(new TypeError('fetch failed'))),
      'offline',
    ],
    [
      'the image cannot be read',
      () => (answers.upload = () => refusal(400, 'FILE_UNREADABLE')),
      'unreadable',
    ],
    ['the disk is full', () => (answers.upload = () => refusal(507, 'STORAGE_FULL')), 'storage-full'],
    [
      'the author’s room is used up',
      () => (answers.upload = () => refusal(413, 'QUOTA_EXCEEDED')),
      'quota-exceeded',
    ],
    ['the author may not publish', () => (answers.create = () => refusal(403, 'FORBIDDEN')), 'forbidden'],
    ['the server fails', () => (answers.create = () => refusal(500, 'INTERNAL_ERROR')), 'unknown'],
  ])('tells why when %s', async (_, arrange, reason) => {
    arrange();
    const publisher = buildPublisher();
    expect(await publish(publisher)).toMatchObject({ kind: 'failed', reason });
    expect(publisher.getPhase().name).toBe(reason === 'session-ended' ? 'session-ended' : 'idle');
  });

  it('refuses a file that storage knows to be no image', async () => {
    answers.upload = () =>
      json({ ...UPLOADED, path: 'posts/1.bin', contentType: 'application/octet-stream' });
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'not-an-image' });
    expect(callsTo('/journal_posts')).toHaveLength(0);
    expect(removedPaths()).toEqual(['posts/1.bin']);
  });

  it('stops when the session ends among the translations, rather than publish untranslated', async () => {
    answers.text = () => refusal(401, 'TOKEN_EXPIRED');
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'session-ended' });
    expect(callsTo('/journal_posts')).toHaveLength(0);
  });

  it('does not upload or translate again what a retry can use', async () => {
    answers.create = () => refusal(500, 'INTERNAL_ERROR');
    await publish();
    answers.create = ({ body }) => json([body], 201);
    // A new publisher with the same store: the page was left and opened again.
    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
    expect(callsTo('/upload')).toHaveLength(1);
    expect(callsTo('/text')).toHaveLength(8);
  });

  it('asks anew for what failed or was changed since', async () => {
    const usual = answers.text;
    answers.text = (call) => (languageOf(call) === 'French' ? refusal(502, 'AI_FAILED') : usual(call));
    answers.create = () => refusal(500, 'INTERNAL_ERROR');
    await publish();
    backend.calls.length = 0;
    answers.text = usual;
    answers.create = ({ body }) => json([body], 201);
    const image = new File(['another'], 'other.webp', { type: 'image/webp', lastModified: 2 });
    await publish(buildPublisher(), { ...DRAFT, title: 'The ear', image });
    // Four titles, and the French text.
    expect(callsTo('/text')).toHaveLength(5);
    expect(callsTo('/upload')).toHaveLength(1);
    expect(createdPost()).toMatchObject({
      title_de: '[German] The ear',
      content_fr: `[French] ${DRAFT.content}`,
    });
  });

  it('makes no second post when the answer to the first was lost', async () => {
    answers.create = () => Promise.reject(new TypeError('fetch failed'));
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'offline' });
    const { id } = createdPost();
    answers.create = () => refusal(409, 'CONFLICT');
    answers.read = () => json([{ id, user_id: 'user_1' }]);
    expect(await publish()).toMatchObject({ kind: 'published', postId: id });
    expect(callsTo('/journal_posts').at(-1)).toMatchObject({ method: 'PATCH', body: { title: 'The eye' } });
  });

  it('takes another id when the first is somebody else’s post', async () => {
    let tries = 0;
    answers.create = ({ body }) => {
      tries += 1;
      return tries === 1 ? refusal(409, 'CONFLICT') : json([body], 201);
    };
    answers.read = () => json([{ id: 'post_1', user_id: 'user_2' }]);
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(tries).toBe(2);
  });
});

describe('a publish that is cancelled', () => {
  /** Publishes until the given call is under way, then cancels; the answer comes after that. */
  async function cancelDuring(call: keyof typeof answers): Promise<PublishOutcome | undefined> {
    const publisher = buildPublisher();
    const usual = answers[call];
    const { promise: cancelled, resolve: letAnswer } = Promise.withResolvers<void>();
    const { promise: underWay, resolve: arrive } = Promise.withResolvers<void>();
    answers[call] = async (made) => {
      arrive();
      await cancelled;
      return usual(made);
    };
    const outcome = publisher.publish({ authorId: 'user_1', draft: DRAFT, achieved });
    await underWay;
    publisher.cancel(achieved);
    expect(publisher.getPhase().name).toBe(call === 'create' ? 'publishing' : 'idle');
    letAnswer();
    answers[call] = usual;
    return outcome;
  }

  it('while uploading creates no post, and a later try starts from the beginning', async () => {
    expect(await cancelDuring('upload')).toEqual({ kind: 'cancelled' });
    expect(callsTo('/journal_posts')).toEqual([]);
    expect(callsTo('/text')).toEqual([]);
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(callsTo('/upload')).toHaveLength(2);
  });

  it('while translating creates no post and removes the image', async () => {
    expect(await cancelDuring('text')).toEqual({ kind: 'cancelled' });
    await expect.poll(removedPaths).toEqual(['posts/1.png']);
    expect(callsTo('/journal_posts')).toEqual([]);
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(callsTo('/upload')).toHaveLength(2);
  });

  it('is published all the same once the post is being sent, with its image', async () => {
    expect(await cancelDuring('create')).toMatchObject({ kind: 'published' });
    expect(removedPaths()).toEqual([]);
  });

  it('after a failure removes the image, unless the post may have been created', async () => {
    const publisher = buildPublisher();
    answers.text = () => refusal(401, 'TOKEN_EXPIRED');
    await publish(publisher);
    publisher.cancel(achieved);
    expect(removedPaths(), 'without a session nothing can be removed').toEqual([]);

    answers.text = (call) => json({ text: translationOf(call), finishReason: 'stop', usage: {} });
    answers.create = () => Promise.reject(new TypeError('fetch failed'));
    await publish(publisher);
    publisher.cancel(achieved);
    expect(removedPaths(), 'the answer was lost, not the post').toEqual([]);

    achieved.held = {
      image: { fingerprint: 'another', url: '/storage/journal/posts/2.png', path: 'posts/2.png' },
    };
    publisher.cancel(achieved);
    await expect.poll(removedPaths).toEqual(['posts/2.png']);
  });
});

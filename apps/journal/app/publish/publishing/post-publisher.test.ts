import { beforeEach, describe, expect, it } from 'vitest';
import type { PostDocument } from '../../../project/document.ts';
import {
  type BackendStandIn,
  createBackendStandIn,
  createTestCheckpoint,
  errorResponse,
  jsonResponse,
  ORIGIN,
  type ReceivedRequest,
  type RespondTo,
  sourceOf,
  targetLanguage,
  translatedText,
  translationOf,
  UPLOADED,
} from '../../../testing/backend-stand-in.ts';
import { TRANSLATION_PARTS } from '../translation/translation-parts.ts';
import {
  createPostPublisher,
  type Draft,
  type PostPublisher,
  type PublishOutcome,
  type PublishPhase,
} from './post-publisher.ts';

const DRAFT: Draft = {
  title: 'The eye',
  content: 'Light comes in.\n\nAn image is made.',
  image: new File(['not really an image'], 'Eye.PNG', { type: 'image/png', lastModified: 1 }),
};

let backend: BackendStandIn;
let responses: BackendStandIn['responses'];
let requestsTo: BackendStandIn['requestsTo'];
let checkpoint: ReturnType<typeof createTestCheckpoint>;

beforeEach(() => {
  backend = createBackendStandIn();
  ({ responses, requestsTo } = backend);
  checkpoint = createTestCheckpoint();
});

function buildPublisher(): PostPublisher {
  return createPostPublisher({ client: backend.client, origins: [ORIGIN] });
}

async function publish(publisher = buildPublisher(), draft = DRAFT): Promise<PublishOutcome> {
  const outcome = await publisher.publish({ draft, checkpoint });
  if (!outcome) throw new Error('The publisher was busy.');
  return outcome;
}

function removedPaths(): unknown[] {
  return requestsTo('/remove').flatMap(({ body }) => (body instanceof FormData ? [] : [body.paths].flat()));
}

/** Returns the document that was published, and the id of its post. */
function publishedPost() {
  const [published] = requestsTo('/publish').slice(-1);
  const saved = backend.requests.findLast(({ method, path }) => method === 'PUT' || path.endsWith('/posts'));
  if (!published || !saved || saved.body instanceof FormData) throw new Error('No post was published.');
  const document = (saved.method === 'PUT' ? saved.body : saved.body.document) as PostDocument;
  return { id: published.path.split('/').at(-2), ...document };
}

/** The requests that create, save or publish something. */
const writes = () => backend.requests.filter(({ path }) => path.startsWith('/api/desk/'));

describe('publishing a post', () => {
  it('publishing uploads the image, translates title and text into four languages and creates the post', async () => {
    const outcome = await publish();

    expect(outcome).toMatchObject({ kind: 'published', missing: [] });
    const upload = requestsTo('/upload')[0]?.body as FormData;
    expect(upload.get('path')).toMatch(/^posts\/\d{13}\.png$/);
    expect(JSON.parse(String(upload.get('options')))).toEqual({ upsert: true, convert: true });
    expect(requestsTo('/text')).toHaveLength(8);
    for (const { body } of requestsTo('/text')) expect(body).toMatchObject({ maxTokens: 2000 });
    expect(publishedPost()).toMatchObject({
      id: expect.stringMatching(/^post_\d{13}$/),
      title: 'The eye',
      content: 'Light comes in.\n\nAn image is made.',
      contentFormat: 'plain',
      translations: {
        en: { title: '[English] The eye' },
        es: { title: '[Spanish] The eye' },
        fr: { title: '[French] The eye' },
        de: { title: '[German] The eye', content: '[German] Light comes in.\n\nAn image is made.' },
      },
      cover: { width: 1280, height: 1600, placeholder: UPLOADED.placeholder },
    });
  });

  it('publishing requests all eight translations at once', async () => {
    let waiting = 0;
    const { promise: all, resolve: respondToAll } = Promise.withResolvers<void>();
    responses.text = async (call) => {
      waiting += 1;
      if (waiting === 8) respondToAll();
      await all;
      return translatedText(translationOf(call));
    };
    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
  });

  it('a post stores its image’s URL without the site’s own origin, and a foreign URL unchanged', async () => {
    await publish();
    expect(publishedPost().cover?.url).toBe('/storage/journal/posts/1.png?v=ab');

    checkpoint.stored = {};
    responses.upload = () => jsonResponse({ ...UPLOADED, publicUrl: 'https://cdn.example/1.png' });
    await publish();
    expect(publishedPost().cover?.url).toBe('https://cdn.example/1.png');
  });

  it('publishing goes through the phases uploading, translating and publishing, and back to idle', async () => {
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

  it('a draft is published once when publish is called three times', async () => {
    const publisher = buildPublisher();
    const request = { draft: DRAFT, checkpoint };
    const outcomes = await Promise.all([
      publisher.publish(request),
      publisher.publish(request),
      publisher.publish(request),
    ]);
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    expect(requestsTo('/upload')).toHaveLength(1);
    expect(requestsTo('/publish')).toHaveLength(1);
  });
});

describe('a translation that fails', () => {
  const isGerman = (request: ReceivedRequest, source: string) =>
    targetLanguage(request) === 'German' && sourceOf(request) === source;
  const isGermanTitle = (request: ReceivedRequest) => isGerman(request, DRAFT.title);

  it.each<[string, RespondTo]>([
    ['fails', () => errorResponse(502, 'AI_FAILED')],
    ['takes too long', () => errorResponse(504, 'AI_TIMEOUT')],
    ['is rejected by a quota', () => errorResponse(429, 'AI_QUOTA_EXCEEDED')],
    ['is lost by the network', () => Promise.reject(new TypeError('fetch failed'))],
    ['is blank', () => translatedText(' \n ')],
    ['is not a text', () => translatedText({ de: 'Das Auge' })],
    ['was cut off', () => translatedText('Das Au', 'length')],
    ['was filtered', () => translatedText('Das', 'content-filter')],
    ['has several lines', () => translatedText('Sure!\nDas Auge')],
    ['is far too long', () => translatedText('Auge '.repeat(60))],
  ])(
    'a post shows the original title and names it as missing when its translation %s',
    async (_, respond) => {
      const usual = responses.text;
      responses.text = (call) => (isGermanTitle(call) ? respond(call) : usual(call));
      const outcome = await publish();
      expect(outcome).toMatchObject({
        kind: 'published',
        missing: [{ field: 'title', language: 'de' }],
      });
      expect(publishedPost()).toMatchObject({
        translations: { de: { title: 'The eye' }, fr: { title: '[French] The eye' } },
        untranslated: 'title:de',
      });
    },
  );

  it.each([
    ['lacks a paragraph', 'Licht tritt ein.'],
    ['lacks the blank line', 'Licht tritt ein.\nEin Bild entsteht.'],
    ['has an additional paragraph', 'Gern!\n\nLicht tritt ein.\n\nEin Bild entsteht.'],
  ])('a post shows the original text when its translation %s', async (_, text) => {
    const usual = responses.text;
    responses.text = (call) => (isGerman(call, DRAFT.content) ? translatedText(text) : usual(call));
    expect(await publish()).toMatchObject({
      missing: [{ field: 'content', language: 'de', fault: 'unusable' }],
    });
    expect(publishedPost()).toMatchObject({
      translations: { de: { content: DRAFT.content } },
      untranslated: 'content:de',
    });
  });

  it('a translation is accepted with other blank lines between its paragraphs and an unknown finish reason', async () => {
    responses.text = (call) =>
      isGerman(call, DRAFT.content)
        ? translatedText('Licht.\r\n \r\n\r\nBild.\n', 'eos')
        : errorResponse(429, 'AI_QUOTA_EXCEEDED');
    const outcome = await publish();
    expect(publishedPost().translations.de?.content).toBe('Licht.\r\n \r\n\r\nBild.');
    const faults = outcome.kind === 'published' && outcome.missing.map(({ fault }) => fault);
    expect(faults).toEqual(Array(7).fill('quota'));
  });

  it('publishing without a provider reports every translation as not configured and stores none to retry', async () => {
    responses.text = () => errorResponse(503, 'AI_NOT_CONFIGURED');
    const outcome = await publish();
    const missing = TRANSLATION_PARTS.map((part) => ({ ...part, fault: 'not-configured' }));
    expect(outcome).toMatchObject({ kind: 'published', missing });
    expect(publishedPost()).toMatchObject({
      translations: { es: { title: 'The eye', content: DRAFT.content } },
      untranslated: null,
    });
  });

  it('quotation marks that a model added are removed', async () => {
    const usual = responses.text;
    responses.text = (call) => (isGermanTitle(call) ? translatedText('„Das Auge“') : usual(call));
    await publish();
    expect(publishedPost().translations.de?.title).toBe('Das Auge');
  });

  it('quotation marks remain when the original text has them too', async () => {
    const title = '“Know thyself”';
    responses.text = () => translatedText('“Erkenne dich selbst”');
    await publish(buildPublisher(), { ...DRAFT, title });
    expect(publishedPost().translations.de?.title).toBe('“Erkenne dich selbst”');
  });
});

describe('a publish that fails', () => {
  it.each<[string, () => void, string]>([
    [
      'the session has ended',
      () => (responses.publish = () => errorResponse(401, 'TOKEN_EXPIRED')),
      'session-ended',
    ],
    [
      'the network is down',
      () => (responses.upload = () => Promise.reject(new TypeError('fetch failed'))),
      'offline',
    ],
    [
      'the image cannot be read',
      () => (responses.upload = () => errorResponse(400, 'FILE_UNREADABLE')),
      'unreadable',
    ],
    ['the disk is full', () => (responses.upload = () => errorResponse(507, 'STORAGE_FULL')), 'storage-full'],
    [
      'the author’s quota is used up',
      () => (responses.upload = () => errorResponse(413, 'QUOTA_EXCEEDED')),
      'quota-exceeded',
    ],
    [
      'the author may not publish',
      () => (responses.publish = () => errorResponse(403, 'FORBIDDEN')),
      'forbidden',
    ],
    ['the server fails', () => (responses.create = () => errorResponse(500, 'INTERNAL_ERROR')), 'unknown'],
    [
      'the draft was changed on another device',
      () => (responses.publish = () => errorResponse(412, 'STALE')),
      'stale',
    ],
  ])('publishing reports why it failed when %s', async (_, arrange, reason) => {
    arrange();
    const publisher = buildPublisher();
    expect(await publish(publisher)).toMatchObject({ kind: 'failed', reason });
    expect(publisher.getPhase().name).toBe(reason === 'session-ended' ? 'session-ended' : 'idle');
  });

  it('publishing fails and removes the file when the storage finds that it is not an image', async () => {
    responses.upload = () =>
      jsonResponse({ ...UPLOADED, path: 'posts/1.bin', contentType: 'application/octet-stream' });
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'not-an-image' });
    expect(writes()).toEqual([]);
    expect(removedPaths()).toEqual(['posts/1.bin']);
  });

  it('publishing stops when the session ends during the translations', async () => {
    responses.text = () => errorResponse(401, 'TOKEN_EXPIRED');
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'session-ended' });
    expect(writes()).toEqual([]);
  });

  it('a retry does not upload or translate again what an earlier attempt completed', async () => {
    const usual = responses.publish;
    responses.publish = () => errorResponse(500, 'INTERNAL_ERROR');
    await publish();
    responses.publish = usual;
    // A new publisher with the same store: the page was left and opened again.
    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
    expect(requestsTo('/upload')).toHaveLength(1);
    expect(requestsTo('/text')).toHaveLength(8);
  });

  it('a retry requests again what failed or was changed since', async () => {
    const usual = responses.text;
    responses.text = (call) =>
      targetLanguage(call) === 'French' ? errorResponse(502, 'AI_FAILED') : usual(call);
    const usualCreate = responses.create;
    responses.create = () => errorResponse(500, 'INTERNAL_ERROR');
    await publish();
    backend.requests.length = 0;
    responses.text = usual;
    responses.create = usualCreate;
    const image = new File(['another'], 'other.webp', { type: 'image/webp', lastModified: 2 });
    await publish(buildPublisher(), { ...DRAFT, title: 'The ear', image });
    // Four titles, and the French text.
    expect(requestsTo('/text')).toHaveLength(5);
    expect(requestsTo('/upload')).toHaveLength(1);
    expect(publishedPost().translations).toMatchObject({
      de: { title: '[German] The ear' },
      fr: { content: `[French] ${DRAFT.content}` },
    });
  });

  it('a retry publishes nothing again when the response to the first was lost', async () => {
    responses.publish = () => Promise.reject(new TypeError('fetch failed'));
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'offline' });
    const { id, ...document } = publishedPost();
    const earlier = {
      id,
      version: 3,
      state: 'published',
      document: { ...document, slugs: { en: 'the-eye' } },
    };
    responses.readDraft = () => jsonResponse(earlier);
    backend.requests.length = 0;
    expect(await publish()).toMatchObject({ kind: 'published', postId: id });
    expect(writes().map(({ method }) => method)).toEqual(['GET']);

    // What was changed since is published in the same post.
    responses.publish = () => jsonResponse({ state: 'published', version: 4, publishedAt: 2 });
    expect(await publish(buildPublisher(), { ...DRAFT, title: 'The ear' })).toMatchObject({ postId: id });
    expect(publishedPost()).toMatchObject({ id, title: 'The ear' });
  });

  it('a draft whose creation was never confirmed is not created a second time under another id', async () => {
    responses.create = () => Promise.reject(new TypeError('fetch failed'));
    await publish();
    const { id } = checkpoint.stored.desk ?? {};
    responses.create = () => jsonResponse({ id, version: 1 });
    expect(await publish()).toMatchObject({ kind: 'published', postId: id });
    expect(publishedPost()).toMatchObject({ id, title: 'The eye' });
  });

  it('publishing takes another id when the first one is another author’s post', async () => {
    let tries = 0;
    const usual = responses.create;
    responses.create = (request) => {
      tries += 1;
      return tries === 1 ? errorResponse(409, 'CONFLICT') : usual(request);
    };
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(tries).toBe(2);
  });

  it('a draft that was deleted elsewhere meanwhile is published all the same', async () => {
    checkpoint.stored = { desk: { id: 'post_1', version: 4 } };
    responses.save = () => errorResponse(404, 'NOT_FOUND');
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(publishedPost().id).not.toBe('post_1');
  });
});

describe('a publish that is cancelled', () => {
  /** Publishes, and cancels after the given request was received and before it is responded to. */
  async function cancelDuring(call: keyof typeof responses): Promise<PublishOutcome | undefined> {
    const publisher = buildPublisher();
    const usual = responses[call];
    const { promise: cancelled, resolve: respond } = Promise.withResolvers<void>();
    const { promise: received, resolve: reportReceived } = Promise.withResolvers<void>();
    responses[call] = async (request) => {
      reportReceived();
      await cancelled;
      return usual(request);
    };
    const outcome = publisher.publish({ draft: DRAFT, checkpoint });
    await received;
    publisher.cancel(checkpoint);
    expect(publisher.getPhase().name).toBe(call === 'publish' ? 'publishing' : 'idle');
    respond();
    responses[call] = usual;
    return outcome;
  }

  it('cancelling during the upload creates no post, and a later attempt starts from the beginning', async () => {
    expect(await cancelDuring('upload')).toEqual({ kind: 'cancelled' });
    expect(writes()).toEqual([]);
    expect(requestsTo('/text')).toEqual([]);
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(requestsTo('/upload')).toHaveLength(2);
  });

  it('cancelling during the translations creates no post and removes the image', async () => {
    expect(await cancelDuring('text')).toEqual({ kind: 'cancelled' });
    await expect.poll(removedPaths).toEqual(['posts/1.png']);
    expect(writes()).toEqual([]);
    expect(await publish()).toMatchObject({ kind: 'published' });
    expect(requestsTo('/upload')).toHaveLength(2);
  });

  it('cancelling while the post is being sent is too late, and it keeps its image', async () => {
    expect(await cancelDuring('publish')).toMatchObject({ kind: 'published' });
    expect(removedPaths()).toEqual([]);
  });

  it('cancelling after a failure removes the image, unless the post may have been created', async () => {
    const publisher = buildPublisher();
    responses.text = () => errorResponse(401, 'TOKEN_EXPIRED');
    await publish(publisher);
    publisher.cancel(checkpoint);
    expect(removedPaths(), 'without a session nothing can be removed').toEqual([]);

    responses.text = (call) => translatedText(translationOf(call));
    responses.publish = () => Promise.reject(new TypeError('fetch failed'));
    await publish(publisher);
    publisher.cancel(checkpoint);
    expect(removedPaths(), 'only the response was lost, not the post').toEqual([]);

    checkpoint.stored = {
      image: { fingerprint: 'another', url: '/storage/journal/posts/2.png', path: 'posts/2.png' },
    };
    publisher.cancel(checkpoint);
    await expect.poll(removedPaths).toEqual(['posts/2.png']);
  });
});

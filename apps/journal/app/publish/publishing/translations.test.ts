import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { JournalPost } from '../../../project/entities.ts';
import {
  type BackendStandIn,
  createBackendStandIn,
  createTestCheckpoint,
  errorResponse,
  jsonResponse,
  ORIGIN,
  type ReceivedRequest,
  sourceOf,
  targetLanguage,
  translationOf,
} from '../../../testing/backend-stand-in.ts';
import { reviewTranslations } from '../translation/review-translations.ts';
import type { PartProgress } from '../translation/translate-parts.ts';
import {
  formatParts,
  parseParts,
  type SourceTexts,
  TRANSLATION_PARTS,
} from '../translation/translation-parts.ts';
import { createPostPublisher, type PostPublisher } from './post-publisher.ts';
import { retryTranslations } from './retry-translations.ts';

const TEXTS: SourceTexts = { title: 'The eye', content: 'Light comes in.\n\nAn image is made.' };
const IMAGE = new File(['not really an image'], 'eye.png', { type: 'image/png', lastModified: 1 });

let backend: BackendStandIn;
let checkpoint: ReturnType<typeof createTestCheckpoint>;
let publisher: PostPublisher;

beforeEach(() => {
  backend = createBackendStandIn();
  checkpoint = createTestCheckpoint();
  publisher = createPostPublisher({ client: backend.client, origins: [ORIGIN] });
});

/** Holds a lock, as another tab would, until the test ends. */
async function holdLock(name: string): Promise<void> {
  const { promise: testEnd, resolve: release } = Promise.withResolvers<void>();
  const { promise: acquired, resolve: reportAcquired } = Promise.withResolvers<void>();
  const held = navigator.locks.request(name, () => {
    reportAcquired();
    return testEnd;
  });
  onTestFinished(() => {
    release();
    return held;
  });
  await acquired;
}

/** Lets all translations into French fail. Returns a function that lets them succeed again. */
function failInFrench(fail = () => errorResponse(502, 'AI_FAILED')): () => void {
  const usual = backend.responses.text;
  backend.responses.text = (call) => (targetLanguage(call) === 'French' ? fail() : usual(call));
  return () => {
    backend.responses.text = usual;
  };
}

/** Returns the requested translations as "French: The eye". */
const requested = () =>
  backend.requestsTo('/text').map((call) => `${targetLanguage(call)}: ${sourceOf(call)}`);

describe('translating ahead of publishing', () => {
  const translate = (texts = TEXTS) => publisher.translate({ texts, checkpoint });
  const statuses = (texts = TEXTS) =>
    reviewTranslations(texts, checkpoint.read()).map(({ field, language, status }) => [
      `${field}:${language}`,
      status,
    ]);
  const publish = () => publisher.publish({ draft: { ...TEXTS, image: IMAGE }, checkpoint });

  it('translating ahead uploads and publishes nothing, and a later publish uses its translations', async () => {
    expect(await translate()).toEqual({ kind: 'translated', missing: [] });
    expect(backend.requests.map(({ path }) => path)).toEqual(Array(8).fill('/api/ai/journal/text'));
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(reviewTranslations(TEXTS, checkpoint.read())[0]).toEqual({
      field: 'title',
      language: 'en',
      status: 'done',
      text: '[English] The eye',
    });

    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
    expect(backend.requestsTo('/text')).toHaveLength(8);
    expect(backend.requestsTo('/posts')[0]?.body).toMatchObject({
      document: { translations: { fr: { title: '[French] The eye' } }, untranslated: null },
    });
  });

  it('translating ahead reports which parts failed and why, and the next attempt requests those alone', async () => {
    const repair = failInFrench();
    expect(await translate()).toEqual({
      kind: 'translated',
      missing: [
        { field: 'title', language: 'fr', fault: 'unanswered' },
        { field: 'content', language: 'fr', fault: 'unanswered' },
      ],
    });
    const failed = statuses().filter(([, status]) => status === 'failed');
    expect(failed.map(([part]) => part)).toEqual(['title:fr', 'content:fr']);
    repair();
    backend.requests.length = 0;
    expect(await translate()).toEqual({ kind: 'translated', missing: [] });
    expect(requested()).toEqual([`French: ${TEXTS.title}`, `French: ${TEXTS.content}`]);
    expect(new Set(statuses().map(([, status]) => status))).toEqual(new Set(['done']));
  });

  it('changing the title reopens the translations of the title and no others', async () => {
    await translate();
    const changed = { ...TEXTS, title: 'The ear' };
    const open = statuses(changed).filter(([, status]) => status === 'open');
    expect(open.map(([part]) => part)).toEqual(['title:en', 'title:es', 'title:fr', 'title:de']);
    backend.requests.length = 0;
    await translate(changed);
    expect(requested()).toHaveLength(4);
  });

  it('each translation is stored as it arrives, so that cancelling loses none', async () => {
    const { promise: all, resolve: respondToAll } = Promise.withResolvers<void>();
    const usual = backend.responses.text;
    backend.responses.text = async (call) => {
      if (targetLanguage(call) === 'German') await all;
      return usual(call);
    };
    const seen: (readonly PartProgress[])[] = [];
    publisher.subscribe(() => {
      const phase = publisher.getPhase();
      if (phase.name === 'translating') seen.push(phase.parts);
    });
    const outcome = translate();
    await expect.poll(() => checkpoint.read().translations).toHaveLength(6);
    const waiting = seen.at(-1)?.filter(({ status }) => status === 'waiting');
    expect(formatParts(waiting ?? [])).toBe('title:de,content:de');
    // A busy publisher accepts no other work.
    expect(await publish()).toBeUndefined();
    publisher.cancel(checkpoint);
    expect(await outcome).toEqual({ kind: 'cancelled' });
    respondToAll();
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(statuses().filter(([, status]) => status === 'done')).toHaveLength(6);
  });

  it('translating ahead reports that the session has ended, and keeps the translations that arrived', async () => {
    failInFrench(() => errorResponse(401, 'TOKEN_EXPIRED'));
    expect(await translate()).toMatchObject({ kind: 'failed', reason: 'session-ended' });
    expect(publisher.getPhase()).toEqual({ name: 'session-ended' });
    expect(checkpoint.read().translations).toHaveLength(6);
  });

  it('translating and publishing fail while another tab works on the same draft', async () => {
    await holdLock('fabrica_draft_user_1');
    expect(await translate()).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(backend.requests).toEqual([]);
  });
});

describe('retrying the translations of a published post', () => {
  let row: Record<string, unknown>;

  beforeEach(() => {
    row = { ...TEXTS, untranslated: 'content:fr,title:de' };
    backend.responses.read = () => jsonResponse([row]);
    backend.responses.update = ({ body }) => jsonResponse([{ ...row, ...body }]);
  });

  const retry = () => retryTranslations('post_1', { client: backend.client, onProgress: () => undefined });
  const changes = () => backend.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

  it('retrying a post’s translations requests the missing ones alone and saves those that succeed', async () => {
    const repair = failInFrench();
    expect(await retry()).toEqual({
      kind: 'retried',
      translated: [{ field: 'title', language: 'de' }],
      missing: [{ field: 'content', language: 'fr', fault: 'unanswered' }],
    });
    expect(requested()).toHaveLength(2);
    expect(changes()).toEqual([
      { title_de: '[German] The eye', untranslated: 'content:fr', translated_by: 'machine' },
    ]);

    repair();
    row.untranslated = 'content:fr';
    expect(await retry()).toMatchObject({ missing: [] });
    expect(changes()[1]).toEqual({
      content_fr: `[French] ${TEXTS.content}`,
      untranslated: null,
      translated_by: 'machine',
    });
  });

  it('retrying a post’s translations changes nothing when none succeeds', async () => {
    backend.responses.text = () => errorResponse(503, 'AI_NOT_CONFIGURED');
    expect(await retry()).toMatchObject({
      translated: [],
      missing: [{ fault: 'not-configured' }, { fault: 'not-configured' }],
    });
    expect(changes()).toEqual([]);
  });

  it('retrying a post’s translations saves none of a text that was changed meanwhile', async () => {
    const usual = backend.responses.text;
    backend.responses.text = (call: ReceivedRequest) => {
      row = { ...row, title: 'The ear', untranslated: 'content:fr,title:de,title:es' };
      return usual(call);
    };
    expect(await retry()).toMatchObject({ translated: [{ field: 'content', language: 'fr' }] });
    expect(changes()).toEqual([
      {
        content_fr: translationOf(backend.requestsTo('/text')[0] as ReceivedRequest),
        untranslated: 'title:de,title:es',
        translated_by: 'machine',
      },
    ]);
  });

  it.each<[string, () => void, string]>([
    [
      'the session has ended',
      () => (backend.responses.text = () => errorResponse(401, 'TOKEN_EXPIRED')),
      'session-ended',
    ],
    ['the post was deleted', () => (backend.responses.read = () => jsonResponse([])), 'gone'],
    [
      'the network is down',
      () => (backend.responses.read = () => Promise.reject(new TypeError('fetch failed'))),
      'offline',
    ],
    [
      'it cannot be saved',
      () => (backend.responses.update = () => errorResponse(500, 'INTERNAL_ERROR')),
      'unknown',
    ],
  ])('a retry of translations reports why it failed when %s', async (_, arrange, reason) => {
    arrange();
    expect(await retry()).toMatchObject({ kind: 'failed', reason });
  });

  it('a retry of translations fails while another tab translates the same post', async () => {
    await holdLock('fabrica_post_post_1');
    expect(await retry()).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(backend.requests).toEqual([]);
  });
});

it('the missing parts that a post stores are parsed as they were formatted', () => {
  expect(parseParts(formatParts(TRANSLATION_PARTS))).toEqual(TRANSLATION_PARTS);
  expect(formatParts([])).toBeNull();
  const stored: Pick<JournalPost, 'untranslated'>[] = [
    { untranslated: null },
    { untranslated: 'x:de,title:xx' },
  ];
  expect(stored.map(({ untranslated }) => parseParts(untranslated))).toEqual([[], []]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import {
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
} from '../../../testing/scripted-backend.ts';
import type { JournalPost } from '../../entities.ts';
import { reviewTranslations } from '../translation/review-translations.ts';
import type { PartProgress } from '../translation/translate-parts.ts';
import {
  formatParts,
  parseParts,
  type SourceTexts,
  TRANSLATION_PARTS,
} from '../translation/translation-parts.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { retryTranslations } from './retry-translations.ts';
import type { WhileAlone } from './while-alone.ts';

const TEXTS: SourceTexts = { title: 'The eye', content: 'Light comes in.\n\nAn image is made.' };
const IMAGE = new File(['not really a picture'], 'eye.png', { type: 'image/png', lastModified: 1 });

const nobodyElse: WhileAlone = (_, work) => work();
const somebodyElse: WhileAlone = () => Promise.resolve(undefined);

let backend: ScriptedBackend;
let achieved: ReturnType<typeof keepInMemory>;
let publisher: Publisher;

beforeEach(() => {
  backend = scriptBackend();
  achieved = keepInMemory();
  publisher = createPublisher({ client: backend.client, origins: [ORIGIN] });
});

/** All answers in French fail until the answered function is called. */
function failInFrench(refuse = () => refusal(502, 'AI_FAILED')): () => void {
  const usual = backend.answers.text;
  backend.answers.text = (call) => (languageOf(call) === 'French' ? refuse() : usual(call));
  return () => {
    backend.answers.text = usual;
  };
}

const asked = () => backend.callsTo('/text').map((call) => `${languageOf(call)}: ${sourceOf(call)}`);

describe('translating ahead of publishing', () => {
  const translate = (texts = TEXTS) => publisher.translate({ authorId: 'user_1', texts, achieved });
  const statuses = (texts = TEXTS) =>
    reviewTranslations(texts, achieved.read()).map(({ field, language, status }) => [
      `${field}:${language}`,
      status,
    ]);
  const publish = () =>
    publisher.publish({ authorId: 'user_1', draft: { ...TEXTS, image: IMAGE }, achieved });

  it('uploads and publishes nothing, and the post then takes what is there', async () => {
    expect(await translate()).toEqual({ kind: 'translated', missing: [] });
    expect(backend.calls.map(({ path }) => path)).toEqual(Array(8).fill('/api/ai/journal/text'));
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(reviewTranslations(TEXTS, achieved.read())[0]).toEqual({
      field: 'title',
      language: 'en',
      status: 'done',
      text: '[English] The eye',
    });

    expect(await publish()).toMatchObject({ kind: 'published', missing: [] });
    expect(backend.callsTo('/text')).toHaveLength(8);
    expect(backend.callsTo('/journal_posts')[0]?.body).toMatchObject({
      title_fr: '[French] The eye',
      untranslated: null,
    });
  });

  it('says what failed and why, and asks again for that alone', async () => {
    const mend = failInFrench();
    expect(await translate()).toEqual({
      kind: 'translated',
      missing: [
        { field: 'title', language: 'fr', fault: 'unanswered' },
        { field: 'content', language: 'fr', fault: 'unanswered' },
      ],
    });
    const failed = statuses().filter(([, status]) => status === 'failed');
    expect(failed.map(([part]) => part)).toEqual(['title:fr', 'content:fr']);
    mend();
    backend.calls.length = 0;
    expect(await translate()).toEqual({ kind: 'translated', missing: [] });
    expect(asked()).toEqual([`French: ${TEXTS.title}`, `French: ${TEXTS.content}`]);
    expect(new Set(statuses().map(([, status]) => status))).toEqual(new Set(['done']));
  });

  it('a changed title makes its translations open again, and no others', async () => {
    await translate();
    const changed = { ...TEXTS, title: 'The ear' };
    const open = statuses(changed).filter(([, status]) => status === 'open');
    expect(open.map(([part]) => part)).toEqual(['title:en', 'title:es', 'title:fr', 'title:de']);
    backend.calls.length = 0;
    await translate(changed);
    expect(asked()).toHaveLength(4);
  });

  it('keeps each answer as it comes, for a page that is left half way', async () => {
    const { promise: all, resolve: letGo } = Promise.withResolvers<void>();
    const usual = backend.answers.text;
    backend.answers.text = async (call) => {
      if (languageOf(call) === 'German') await all;
      return usual(call);
    };
    const seen: (readonly PartProgress[])[] = [];
    publisher.subscribe(() => {
      const phase = publisher.getPhase();
      if (phase.name === 'translating') seen.push(phase.parts);
    });
    const outcome = translate();
    await expect.poll(() => achieved.read().translations).toHaveLength(6);
    const waiting = seen.at(-1)?.filter(({ status }) => status === 'waiting');
    expect(formatParts(waiting ?? [])).toBe('title:de,content:de');
    // Meanwhile nothing else begins.
    expect(await publish()).toBeUndefined();
    publisher.cancel(achieved);
    expect(await outcome).toEqual({ kind: 'cancelled' });
    letGo();
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(statuses().filter(([, status]) => status === 'done')).toHaveLength(6);
  });

  it('tells when the session is over, and keeps what came', async () => {
    failInFrench(() => refusal(401, 'TOKEN_EXPIRED'));
    expect(await translate()).toMatchObject({ kind: 'failed', reason: 'session-ended' });
    expect(publisher.getPhase()).toEqual({ name: 'session-ended' });
    expect(achieved.read().translations).toHaveLength(6);
  });

  it('keeps out of the way of another tab', async () => {
    publisher = createPublisher({ client: backend.client, origins: [], whileAlone: somebodyElse });
    expect(await translate()).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(await publish()).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(publisher.getPhase()).toEqual({ name: 'idle' });
    expect(backend.calls).toEqual([]);
  });
});

describe('trying a published post’s translations again', () => {
  let row: Record<string, unknown>;

  beforeEach(() => {
    row = { ...TEXTS, untranslated: 'content:fr,title:de' };
    backend.answers.read = () => json([row]);
    backend.answers.update = ({ body }) => json([{ ...row, ...body }]);
  });

  const retry = (whileAlone = nobodyElse) =>
    retryTranslations('post_1', { client: backend.client, whileAlone, onProgress: () => undefined });
  const changes = () => backend.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

  it('asks for what is missing alone, and keeps what comes', async () => {
    const mend = failInFrench();
    expect(await retry()).toEqual({
      kind: 'retried',
      translated: [{ field: 'title', language: 'de' }],
      missing: [{ field: 'content', language: 'fr', fault: 'unanswered' }],
    });
    expect(asked()).toHaveLength(2);
    expect(changes()).toEqual([{ title_de: '[German] The eye', untranslated: 'content:fr' }]);

    mend();
    row.untranslated = 'content:fr';
    expect(await retry()).toMatchObject({ missing: [] });
    expect(changes()[1]).toEqual({ content_fr: `[French] ${TEXTS.content}`, untranslated: null });
  });

  it('changes nothing where nothing came', async () => {
    backend.answers.text = () => refusal(503, 'AI_NOT_CONFIGURED');
    expect(await retry()).toMatchObject({
      translated: [],
      missing: [{ fault: 'not-configured' }, { fault: 'not-configured' }],
    });
    expect(changes()).toEqual([]);
  });

  it('heeds what was changed meanwhile', async () => {
    const usual = backend.answers.text;
    backend.answers.text = (call: Call) => {
      row = { ...row, title: 'The ear', untranslated: 'content:fr,title:de,title:es' };
      return usual(call);
    };
    expect(await retry()).toMatchObject({ translated: [{ field: 'content', language: 'fr' }] });
    expect(changes()).toEqual([
      { content_fr: translationOf(backend.callsTo('/text')[0] as Call), untranslated: 'title:de,title:es' },
    ]);
  });

  it.each<[string, () => void, string]>([
    [
      'the session is over',
      () => (backend.answers.text = () => refusal(401, 'TOKEN_EXPIRED')),
      'session-ended',
    ],
    ['the post was deleted', () => (backend.answers.read = () => json([])), 'gone'],
    [
      'the network is gone',
      () => (backend.answers.read = () => Promise.reject(new TypeError('fetch failed'))),
      'offline',
    ],
    ['it cannot be saved', () => (backend.answers.update = () => refusal(500, 'INTERNAL_ERROR')), 'unknown'],
  ])('tells why when %s', async (_, arrange, reason) => {
    arrange();
    expect(await retry()).toMatchObject({ kind: 'failed', reason });
  });

  it('keeps out of the way of another tab', async () => {
    expect(await retry(somebodyElse)).toMatchObject({ kind: 'failed', reason: 'elsewhere' });
    expect(backend.calls).toEqual([]);
  });
});

it('what a post keeps of its missing parts is read as it was written', () => {
  expect(parseParts(formatParts(TRANSLATION_PARTS))).toEqual(TRANSLATION_PARTS);
  expect(formatParts([])).toBeNull();
  const kept: Pick<JournalPost, 'untranslated'>[] = [
    { untranslated: null },
    { untranslated: 'x:de,title:xx' },
  ];
  expect(kept.map(({ untranslated }) => parseParts(untranslated))).toEqual([[], []]);
});

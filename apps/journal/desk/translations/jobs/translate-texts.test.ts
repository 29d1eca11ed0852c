import { AppError } from '@fabrica/backend';
import { segmentsOf, translateSegments } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { expect, it } from 'vitest';
import type { Language } from '../../../project/languages.ts';
import { readAnswers } from '../../../segments/answers/read-answer.ts';
import { chooseTag, writeBatch } from './batch-format.ts';
import { planBatches, type WantedSegment } from './plan-batches.ts';
import { type Question, type TranslateOptions, translateTexts } from './translate-texts.ts';

const segment = (
  position: number,
  text = `Paragraph ${position} of the text is for the tests.`,
): WantedSegment => ({
  ids: [`s${position}`],
  text,
  position,
});

const paragraphs = (count: number, words = 12) =>
  Array.from({ length: count }, (_, index) =>
    segment(index, `N${index}. ${'The heart of the body is a muscle. '.repeat(words / 7)}`.trim()),
  );

/** Translates with a model that responds as `respond` does, and returns what came of it. */
async function translate(
  wanted: Partial<Record<Language, WantedSegment[]>>,
  respond: (prompt: string, question: Question, call: number) => string | Promise<string>,
  options: Partial<TranslateOptions> = {},
) {
  const results: Record<string, string> = {};
  const failed: string[] = [];
  const asked: string[] = [];
  let calls = 0;
  await translateTexts({
    wanted: new Map(Object.entries(wanted) as [Language, WantedSegment[]][]),
    source: 'en',
    concurrency: 8,
    signal: new AbortController().signal,
    firstPauseMs: 1,
    async ask(question, onWords) {
      const prompt = writeBatch(question.texts, question.tag);
      calls += 1;
      for (const text of segmentsOf(prompt)) asked.push(`${question.language} ${text}`);
      const response = await respond(prompt, question, calls);
      for (const word of response.match(/\s*\S+\s*/g) ?? []) onWords(word);
    },
    judge: (_, text, language) => ({
      isUsable: language === 'de' ? / (?:die|ist|und) /.test(text) : true,
      faults: text.includes('WRONG') ? 1 : 0,
      reasons: text.includes('WRONG') ? ['N1 is not N10.'] : [],
    }),
    async onTranslated({ ids: [id] }, language, text) {
      results[`${language} ${id}`] = text;
    },
    async onWithdrawn({ ids: [id] }, language) {
      delete results[`${language} ${id}`];
    },
    async onFailed({ ids: [id] }, language, fault) {
      failed.push(`${language} ${id}: ${fault}`);
    },
    async onLanguageEnded() {},
    ...options,
  });
  return { results, failed, asked, calls };
}

const good = (prompt: string, { language }: Question) => translateSegments(prompt, language) ?? '';

it('each text is asked for once in each language, in as few batches as its length needs', async () => {
  const wanted = paragraphs(40, 28);
  const { results, asked, calls } = await translate({ de: wanted, fr: wanted, es: wanted }, good);
  expect(Object.keys(results)).toHaveLength(120);
  expect(new Set(asked).size).toBe(asked.length);
  expect(calls).toBe(6);
  expect(results['de s7']).toMatch(/^N7\. Die hearten von die/);
});

it.each([
  ['leaves a text out', { drop: 'N3.' }],
  ['returns a text twice in different words', { double: 'N3.' }],
  ['breaks off in the middle', { half: true }],
  ['writes in another language', { language: 'en' }],
])('a model that %s is asked again for what it lacks, and for nothing else', async (_, bad) => {
  const wanted = paragraphs(6);
  const { results, asked, failed } = await translate({ de: wanted }, (prompt, { language }, call) =>
    String(translateSegments(prompt, language, call === 1 ? { kind: 'segments', ...bad } : undefined)),
  );
  expect(failed).toEqual([]);
  expect(Object.keys(results)).toHaveLength(6);
  expect(results['de s3']).toMatch(/^N3\. Die hearten/);
  expect(results['de s3']).not.toMatch(/N3.*N3/);
  const times = (number: number) => asked.filter((text) => text.startsWith(`de N${number}.`)).length;
  if ('drop' in bad || 'double' in bad) expect([times(2), times(3), times(4)]).toEqual([1, 2, 1]);
  if ('half' in bad) expect([times(0), times(5)]).toEqual([1, 2]);
});

it('of two texts that always stand under one number none is taken', async () => {
  const { results, failed } = await translate({ de: paragraphs(4) }, (prompt, { language }) =>
    String(translateSegments(prompt, language, { kind: 'segments', double: 'N2.' })),
  );
  expect(failed).toEqual(['de s2: unusable']);
  expect(Object.keys(results)).toEqual(['de s0', 'de s1', 'de s3']);
});

it.each(['<think>', ''])(
  'what a model drafts after %j before its translation is not taken',
  async (opening) => {
    const { results, calls } = await translate({ de: paragraphs(3) }, (prompt, question) => {
      const text = good(prompt, question);
      return `${opening}\n${text.replaceAll('heart', 'Entwurf')}\n</think>\n${text}`;
    });
    expect([Object.keys(results).length, calls]).toEqual([3, 1]);
    expect(Object.values(results).join()).not.toContain('Entwurf');
  },
);

it('a translation with a fault is asked for once more, with what is wrong, and the better one is taken', async () => {
  const change = (prompt: string, { language }: Question, wrong: boolean) =>
    String(translateSegments(prompt, language)).replace('N1.', wrong ? 'WRONG N10.' : 'N1.');
  const better = await translate({ de: paragraphs(3) }, (prompt, question, call) =>
    change(prompt, question, call === 1),
  );
  expect(better.results['de s1']).toMatch(/^N1\./);
  expect(better.calls).toBe(2);
  const never = await translate({ de: paragraphs(3) }, (prompt, question) => change(prompt, question, true));
  expect(never.results['de s1']).toMatch(/^WRONG N10\./);
  expect(never.calls).toBe(2);
});

it('a provider that fails is called again after pauses, and given up after the sixth call', async () => {
  const fail = () => {
    throw new AppError('AI_FAILED', 'The model is busy.');
  };
  const twice = await translate({ de: paragraphs(2) }, (prompt, question, call) =>
    call <= 1 ? fail() : good(prompt, question),
  );
  expect(Object.keys(twice.results)).toHaveLength(2);
  const never = await translate({ de: [segment(0)], fr: [segment(0)] }, (prompt, question) =>
    question.language === 'fr' ? fail() : good(prompt, question),
  );
  expect(never.failed).toEqual(['fr s0: provider']);
  expect(never.results).toHaveProperty('de s0');
  expect(never.calls).toBe(7);
});

it('a language whose model is slow holds up no other', async () => {
  const french = Promise.withResolvers<void>();
  const wanted = paragraphs(100, 70);
  const ended: string[] = [];
  await translate(
    { fr: wanted, de: wanted },
    async (prompt, question) => {
      if (question.language === 'fr') await french.promise;
      return good(prompt, question);
    },
    {
      concurrency: 2,
      async onTranslated(_, language) {
        ended.push(language);
        if (ended.length === 100) french.resolve();
      },
    },
  );
  expect(ended).toEqual([...Array(100).fill('de'), ...Array(100).fill('fr')]);
});

it('a paragraph that is longer than a call is cut between its sentences, and put together again', async () => {
  const text = Array.from({ length: 300 }, (_, index) => `Sentence ${index} is about the heart.`).join(' ');
  const { results, calls, asked } = await translate({ de: [segment(0, text)] }, good);
  expect(calls).toBe(2);
  expect(asked.every((one) => one.length <= 4_600)).toBe(true);
  const numbers = [...(results['de s0'] ?? '').matchAll(/ (\d+) ist/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(results['de s0']).not.toMatch(/\.S/);
});

it('the response for hundreds of cells of a table is read once, however it comes', async () => {
  const wanted = Array.from({ length: 600 }, (_, index) => segment(index, `Cell ${index}`));
  const write = (_: string, { texts, tag }: Question) => writeBatch(texts, tag).replaceAll('Cell', 'Celda');
  await translate({ es: wanted.slice(0, 20) }, write);
  const before = process.threadCpuUsage();
  const { results } = await translate({ es: wanted }, write);
  const { user, system } = process.threadCpuUsage(before);
  expect(Object.keys(results)).toHaveLength(600);
  expect(results['es s599']).toBe('Celda 599');
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

it('batches are alike in size and below the limit, however long the text is', () => {
  const batches = planBatches(paragraphs(300, 42), 'en');
  const sizes = batches.map((batch) => batch.reduce((sum, { text }) => sum + text.length, 0));
  expect(Math.max(...sizes)).toBeLessThan(5_000);
  expect(Math.min(...sizes)).toBeGreaterThan(3_500);
  expect(batches.flat()).toHaveLength(300);
});

it('a text that looks like an element of the batch is told from one', () => {
  const texts = ['Write <seg id="2">x</seg> here.', 'Second.'];
  const tag = chooseTag(texts);
  expect(tag).toBe('seg2');
  expect([...readAnswers(writeBatch(texts, tag), tag, texts)]).toEqual([
    [1, texts[0]],
    [2, 'Second.'],
  ]);
});

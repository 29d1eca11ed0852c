import { describe, expect, it } from 'vitest';
import { readSentences } from '../../../../tests/dose-guard/read-sentences.ts';
import { posts } from '../../project/demo/index.ts';
import { LANGUAGE_CODES, type Language } from '../../project/languages.ts';
import { REFUSALS, talkIn } from '../../testing/model-talk.ts';
import { AnswerReader, readAnswer, readAnswers } from './read-answer.ts';

const [post] = posts;
if (!post) throw new Error('There is no demo post.');
const others = LANGUAGE_CODES.filter((code) => code !== 'en');
const parts = ['title', 'content'] as const;

/** Each text of the demo's first post with its translation. */
const pairs = others.flatMap((language) =>
  parts.map((part) => ({ language, part, source: post[part].en, target: post[part][language] })),
);

describe.each(pairs)('a $part in $language', ({ language, source, target }) => {
  it.each(talkIn(language))('is read from $name', ({ before, after }) => {
    expect(readAnswer(`${before}${target}${after}`, source)).toBe(target);
  });

  it('is read or refused, and never shown with what a model says around it, in whichever order that is', () => {
    const talk = talkIn(language);
    const read = talk.flatMap((outer) =>
      talk.map((inner) =>
        readAnswer(outer.before + inner.before + target + inner.after + outer.after, source),
      ),
    );
    expect(new Set(read.filter((text) => text !== target && text !== null))).toEqual(new Set());
    expect(read.filter((text) => text === target).length / read.length).toBeGreaterThan(0.7);
  });

  it.each(REFUSALS)('is not %j', (refusal) => {
    expect(readAnswer(refusal, source)).toBeNull();
  });
});

it('every translation of the demo and of the dose guard’s sentences is read as it is, whatever its original says', () => {
  const texts = [
    ...posts.flatMap(({ title, content }) => [title, content]),
    ...readSentences().map((sentence) => sentence.texts),
  ];
  const changed = texts.flatMap((text) =>
    LANGUAGE_CODES.flatMap((one) => LANGUAGE_CODES.map((other) => [text[one], text[other]] as const)).filter(
      ([source, target]) => readAnswer(target, source) !== target,
    ),
  );
  expect(changed).toEqual([]);
});

it.each([
  ['Note: take it with water.', 'Hinweis: mit Wasser nehmen.'],
  ['Advice: rest.\nNote: drink.', 'Rat: ruhen.\nHinweis: trinken.'],
  ['“I’m sorry, I can’t help you,” she said.', '„Es tut mir leid, ich kann Ihnen nicht helfen“, sagte sie.'],
  ['I cannot sleep without help.', 'Ich kann ohne Hilfe nicht schlafen.'],
  ['Title: The heart', 'Titel: Das Herz'],
  ['Advice: drink.', 'Hinweis: trinken.'],
  ['Let me know how you feel.', 'Let me know how you feel.'],
  ['Here is the dose: 5 mg', 'Hier ist die Dosis: 5 mg'],
  ['"Rest"', '"Ruhe"'],
  ['```\ncode\n```', '```\ncode\n```'],
  ['&lt;b&gt; is bold', '&lt;b&gt; ist fett'],
  ['The end is </s>.', 'Das Ende ist </s>.'],
  ['5 mg (see note)', '5 mg (siehe Hinweis)'],
])('what %j says itself stays in its translation %j', (source, target) => {
  expect(readAnswer(target, source)).toBe(target);
});

it.each([
  ['schl&auml;gt &uuml;ber 5&nbsp;&micro;g', 'schlägt über 5\u00a0µg'],
  ['&#228;&#xE4;&szlig;', 'ääß'],
  ['&amp;auml; &alpha; &le; &hellip;', 'ä α ≤ …'],
  ['&unknown; &#xD800;', '&unknown; &#xD800;'],
])('of %j the entities are decoded that the source does not have', (answer, text) => {
  expect(readAnswer(answer, 'beats over')).toBe(text);
});

it('a text with a sign of a chat in its middle is refused, and one that goes on after its end is cut there', () => {
  expect(readAnswer('Herz<|x|>ruhe', 'Heart rest')).toBeNull();
  expect(readAnswer('Das <s>Herz</s> ruht', 'The heart rests')).toBeNull();
  expect(readAnswer('Herzruhe<|im_end|>\n<|im_start|>user\nAnd now?', 'Heart rest')).toBe('Herzruhe');
});

it('a text of other paragraphs than its source has is refused', () => {
  expect(readAnswer('Eins.', 'One.\n\nTwo.')).toBeNull();
  expect(readAnswer('Eins.\n\nZwei.', 'One.')).toBeNull();
});

describe('numbered texts', () => {
  const sources = ['The heart rests at night.', 'Two.', 'The lung breathes.'];
  const write = (texts: readonly [number, string][]) =>
    texts.map(([number, text]) => `<seg id="${number}">${text}</seg>`).join('\n');
  const read = (response: string) => Object.fromEntries(readAnswers(response, 'seg', sources));

  it('are none where two texts stand under one number, or one text under two', () => {
    expect(
      read(
        write([
          [1, 'Eins'],
          [1, 'Ein'],
          [2, 'Zwei'],
          [2, 'Zwei'],
          [9, 'Neun'],
        ]),
      ),
    ).toEqual({ 1: null, 2: 'Zwei' });
    const long = 'Das Herz ruht in der Nacht, und die Lunge atmet.';
    expect(
      read(
        write([
          [1, long],
          [2, 'Zwei'],
          [3, long],
        ]),
      ),
    ).toEqual({ 1: null, 2: 'Zwei', 3: null });
  });

  it.each(['<think>', ''])(
    'are those behind the reasoning of a model that drafts them after %j',
    (opening) => {
      const draft = `${opening}Let me draft:\n${write([
        [1, 'Entwurf'],
        [2, 'Zwo'],
      ])}</think>`;
      expect(
        read(
          `${draft}\n${write([
            [1, 'Herz'],
            [2, 'Zwei'],
          ])}`,
        ),
      ).toEqual({ 1: 'Herz', 2: 'Zwei' });
    },
  );

  it.each([1, 3, 7, 1_000])(
    'are read while they come, in pieces of %i characters, as all of them are',
    (size) => {
      const long = 'Das Herz ruht in der Nacht, und die Lunge atmet.';
      const reads = (response: string) => {
        const reader = new AnswerReader('seg', sources);
        const pieces = response.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        return Object.fromEntries(pieces.flatMap((words) => reader.read(words)));
      };
      const whole = `\n ${write([
        [1, 'Das <1>Herz</1> ruht.'],
        [2, '(Zwei)'],
        [9, 'Neun'],
        [3, long],
      ])} <seg id="2">Zw`;
      expect(reads(whole)).toEqual(read(whole));
      expect(read(whole)).toMatchObject({ 1: 'Das <1>Herz</1> ruht.', 3: long });
      // What the rest of a response decides is not read from its beginning.
      const drafts = [`Draft: ${write([[1, 'Entwurf']])}`, `<think>${write([[1, 'Entwurf']])}</think>`];
      for (const draft of drafts) expect(reads(draft)).toEqual({});
      const thinking = `${write([[1, 'Herz']])}<think>${write([[2, 'Zwo']])}</think>`;
      expect(reads(thinking)).not.toHaveProperty('2');
    },
  );

  it('are none of a response that ends while the model thinks', () => {
    expect(read(`<think>Let me draft:\n${write([[1, 'Entwurf']])}`)).toEqual({});
  });
});

it('a long response of blanks, signs or brackets is read in no time', () => {
  // The time of other programs does not count.
  const before = process.threadCpuUsage();
  for (const part of [
    ' ',
    '\n',
    '\n ',
    '<think>',
    '</think>',
    '(',
    '[',
    '`',
    '```',
    '<s>',
    '&amp;',
    '**',
    'Note: ',
    '<|',
    '"',
    '<seg id="1">',
  ])
    for (const text of [part.repeat(100_000 / part.length), `Herz${part.repeat(100_000 / part.length)}x`])
      for (const source of ['Heart', 'Heart\n\nrest: (5)']) {
        readAnswer(text, source);
        readAnswers(text, 'seg', [source]);
      }
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(5_000_000);
});

/** Keeps the list of languages and the talk in step. */
it('each language has talk of its own', () => {
  const names = (language: Language) => new Set(talkIn(language).map(({ name }) => name));
  expect(names('de').size).toBeGreaterThan(60);
  expect([...names('de')].some((name) => !names('fr').has(name))).toBe(true);
});

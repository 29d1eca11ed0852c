import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseHere } from '../project/markdown/parse-tree.ts';
import { alignTranslation } from './align-translation.ts';
import { hashWords } from './hash-words.ts';
import { joinText } from './join-text.ts';
import { matchSegments } from './match-segments.ts';
import { segmentsOf, splitPost } from './split-post.ts';
import { splitText as split, type TextFormat } from './split-text.ts';

/** Every block that the editor makes, and some that only a source has. */
const MARKDOWN = `Title line
====

A paragraph with *em*
and a second line.

> quoted words
> on two lines
and a lazy one
>
> - item in a quotation
>   continued
>   1. deep

- one

  more of one
- two

| drug | dose \\| day |
|---|---|
| **Aspirin** | 100 mg |

:::warning
No more than 5 mg a day.
:::

:::figure{src="/storage/journal/posts/1.webp?v=1" alt="A &quot;small&quot; heart" credit="Ada Byron" licence="CC BY 4.0"}
The caption.
:::

:::unknown
hello
:::

<div>typed as
HTML</div>

\`\`\`
code stays
  as it is
\`\`\`

> ~~~
> quoted code
> ~~~

A note[^1] and :cite[harvey1628].

[^1]: The words of the note
    go on.

    And on.

---

[ref]: https://example.org "t"
`;

const parse = async (text: string) => parseHere(text);
const splitText = (text: string, format: TextFormat) => split(text, format, parse);

const textsOf = async (text: string, format: TextFormat = 'markdown') =>
  (await splitText(text, format)).slots.map(({ text: words }) => words);

test('each block is a segment of its kind, without the marks around it', async () => {
  const found = (await splitText(MARKDOWN, 'markdown')).slots.map(({ kind, text }) => [kind, text]);
  expect(found).toEqual([
    ['heading', 'Title line'],
    ['paragraph', 'A paragraph with *em*\nand a second line.'],
    ['paragraph', 'quoted words\non two lines\nand a lazy one'],
    ['item', 'item in a quotation\ncontinued'],
    ['item', 'deep'],
    ['item', 'one'],
    ['item', 'more of one'],
    ['item', 'two'],
    ['cell', 'drug'],
    ['cell', 'dose \\| day'],
    ['cell', '**Aspirin**'],
    ['cell', '100 mg'],
    ['paragraph', 'No more than 5 mg a day.'],
    ['alt', 'A "small" heart'],
    ['caption', 'The caption.'],
    ['paragraph', ':::unknown'],
    ['paragraph', 'hello'],
    ['paragraph', '<div>typed as\nHTML</div>'],
    ['code', 'code stays\n  as it is'],
    ['code', 'quoted code'],
    ['paragraph', 'A note[^1] and :cite[harvey1628].'],
    ['footnote', 'The words of the note\ngo on.'],
    ['footnote', 'And on.'],
  ]);
});

test.each([
  ['\n', 'markdown'],
  ['\r\n', 'markdown'],
  ['\r\n', 'plain'],
] as const)(
  'a text with the line break %j is put together byte by byte, as %s',
  async (lineBreak, format) => {
    const text = MARKDOWN.replaceAll('\n', lineBreak);
    const split = await splitText(text, format);
    expect(joinText(split, []).text).toBe(text);
    expect(
      joinText(
        split,
        split.slots.map((slot) => slot.text),
      ).text,
    ).toBe(text);
    // One segment in other words leaves every byte before and behind it.
    for (const [at, { start, end }] of split.slots.entries()) {
      const { text: joined, ranges } = joinText(
        split,
        split.slots.map((_, other) => (other === at ? 'Other words' : null)),
      );
      expect(joined.slice(0, ranges[at]?.[0])).toBe(text.slice(0, start));
      expect(joined.slice(ranges[at]?.[1])).toBe(text.slice(end));
    }
  },
);

test('a translation is split into the same segments, whatever its words look like', async () => {
  const base =
    'One.\n\n> Two\n> lines.\n\n- Three\n- Four\n\n| a | b |\n|---|---|\n| c | d |\n\n:::warning\nFive.\n:::\n\n# Head\n\n:::figure{src="/storage/1.png" alt="six"}\nSeven.\n:::\n\nLast.';
  const split = await splitText(base, 'markdown');
  const hostile = [
    '1. Januar',
    '# no',
    '- no',
    '> q',
    '```',
    '~~~ x',
    ':::warning',
    '::leaf[x]',
    '[^1]: x',
    '[x]: y',
    '***',
    'a\n---',
  ];
  hostile.push(
    'a\n===',
    '<!-- x',
    '<script>',
    '    indented',
    '+ x',
    'a\n1. b',
    'x\n| y |\n|---|',
    'a | b\n--- | ---\n1 | 2',
    'say "no" & <b>',
    'x #',
  );
  for (const words of hostile) {
    for (const [at, slot] of split.slots.entries()) {
      const joined = joinText(
        split,
        split.slots.map((_, other) => (other === at ? words : null)),
      );
      const again = (await splitText(joined.text, 'markdown')).slots;
      const others = (list: readonly { kind: string; text: string }[]) =>
        list
          .map(({ kind, text }) => `${kind} ${text}`)
          .filter((one) => split.slots.some(({ kind, text }) => one === `${kind} ${text}`));
      expect(others(again), `${words} in ${slot.kind}`).toEqual(
        split.slots.filter((one) => one !== slot).map(({ kind, text }) => `${kind} ${text}`),
      );
    }
  }
});

test('plain text is split at blank lines and where a line ends with its sentence', async () => {
  const text = 'First line.\nSecond line\nbroken here.\n\n\nThird.\r\n\r\n  Fourth';
  expect(await textsOf(text, 'plain')).toEqual([
    'First line.',
    'Second line\nbroken here.',
    'Third.',
    'Fourth',
  ]);
  for (const nothing of ['', '   ', '***', '—\n\n…', '---\n\n***']) {
    expect(await textsOf(nothing, 'plain')).toEqual([]);
    expect(await textsOf(nothing)).toEqual([]);
    expect(joinText(await splitText(nothing, 'plain'), ['x']).text).toBe(nothing);
  }
});

test('the hash of words is that of SHA-256, and does not depend on how accents are encoded', async () => {
  for (const text of [
    '',
    'abc',
    '心臓',
    ...[55, 56, 63, 64, 119, 120, 5_000].map((length) => 'é'.repeat(length)),
  ]) {
    const expected = createHash('sha256').update(text.normalize('NFC')).digest('base64url').slice(0, 16);
    expect(hashWords(text)).toBe(expected);
    expect(hashWords(text.normalize('NFD'))).toBe(expected);
  }
});

const paragraphs = async (...texts: string[]) =>
  segmentsOf(await splitPost({ title: '', content: texts.join('\n\n'), contentFormat: 'markdown' }, parse));

/** Returns the ids after a change, where those before it are a, b, c… and new ones +. */
async function idsAfter(before: string[], after: string[]): Promise<string> {
  const list = (await paragraphs(...before)).map((segment, at) => ({
    ...segment,
    id: String.fromCharCode(97 + at),
  }));
  const matched = matchSegments({
    before: list,
    after: await paragraphs(...after),
    removed: new Map(),
    newId: () => '+',
  });
  return matched.map(({ id }) => id).join('');
}

test('segments keep their ids across edits, moves, splits and joins', async () => {
  const [a, b, c, d] = [
    'The heart is a muscle.',
    'It beats all day long. It rests between two beats.',
    'Blood flows.',
    'Valves close.',
  ];
  expect(await idsAfter([a, b, c], [a, b, c])).toBe('abc');
  expect(await idsAfter([a, b, c], [a, 'It beats all night long. It rests between two beats.', c])).toBe(
    'abc',
  );
  expect(await idsAfter([a, b, c], ['New words here.', a, b, c])).toBe('+abc');
  expect(await idsAfter([a, b, c], [a, c])).toBe('ac');
  expect(await idsAfter([a, b, c, d], [d, a, b, c])).toBe('dabc');
  expect(await idsAfter([a, b, c], [a, 'It beats all day long.', 'It rests between two beats.', c])).toBe(
    'ab+c',
  );
  expect(await idsAfter([a, c, b], [`${a} ${c}`, b])).toBe('ac');
  expect(await idsAfter([a, a, a], [a, a])).toBe('ab');
  expect(await idsAfter([a, b, c], [a, 'Altogether other words', c])).toBe('abc');
});

const source = await splitText('# Dose\n\nTake 5 mg.\n\n- water\n- food\n\nCall us.', 'markdown');
const german = ['Dosis', 'Nehmen Sie 5 mg.', 'Wasser', 'Nahrung', 'Rufen Sie an.'];
const align = (present: (string | null)[], text: string) =>
  alignTranslation({ source, format: 'markdown', present, text, parse });

test('a whole translation is given to the segments, and a change of it to those that it is about', async () => {
  const none = source.slots.map(() => null);
  const whole = joinText(source, german).text;
  expect(await align(none, whole)).toEqual(german);
  expect(await align(german, whole.replace('5 mg', '5 Milligramm'))).toEqual(
    german.with(1, 'Nehmen Sie 5 Milligramm.'),
  );
  // A paragraph more, one less, and one that the first translation never had.
  expect(await align(german, whole.replace('- Wasser', 'Nie mehr.\n\n- Wasser'))).toEqual(
    german.with(1, 'Nehmen Sie 5 mg.\n\nNie mehr.'),
  );
  expect(await align(german, whole.replace('- Nahrung\n', ''))).toEqual(german.with(3, null as never));
  expect(
    await align(german.with(4, null as never), joinText(source, german.with(4, null as never)).text),
  ).toEqual(german.with(4, null as never));
  expect((await align(none, '# Dosis\n\nNehmen Sie 5 mg.\n\nRufen Sie an.')).filter(Boolean)).toEqual([
    german[0],
    german[1],
    german[4],
  ]);
});

test('no word of a whole translation is lost, however differently it is made', async () => {
  const pieces = [
    '# Ü @',
    'Satz @.',
    '- Punkt @',
    '> Zitat @',
    '1. @',
    'Ein viel längerer Satz als alle @.',
    '```\nCode @\n```',
  ];
  for (let seed = 1; seed < 200; seed += 1) {
    const blocks = Array.from(
      { length: seed % 9 },
      (_, at) => pieces[(seed * 7 + at * at * 3) % pieces.length],
    );
    const text = blocks.map((piece, at) => piece?.replace('@', `n${at}`)).join('\n\n');
    const present = source.slots.map((_, at) => (seed & (1 << at) ? (german[at] ?? null) : null));
    const kept = (await align(present, text)).join(' ').match(/n\d+/g) ?? [];
    expect(kept, text).toEqual(text.match(/n\d+/g) ?? []);
  }
});

/** Reading on to the end from each place would take minutes. */
test.each(['\t', ' ', '\u00a0', ' \u2003', '\r', '.\n', ' \n'])(
  'a long run of %j costs no more than its length',
  async (space) => {
    const text = `a${space.repeat(400_000)}b`;
    const { slots } = await splitText(text, 'plain');
    expect(slots.map(({ text: words }) => words.trim().at(0)).join('')).toMatch(/^a\.*b?$/);
    const line = {
      text: 'One',
      slots: [{ kind: 'heading', form: 'line', text: 'One', start: 0, end: 3, prefix: '' }],
    } as const;
    expect(joinText(line, [text]).text.endsWith('b')).toBe(true);
  },
);

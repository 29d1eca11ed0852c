export type Run =
  | string
  | { bold: string }
  | { italic: string }
  | { sup: string }
  | { sub: string }
  | { link: string; href: string }
  | { note: string };

export type Block =
  | { heading: string; level: 1 | 2 | 3 }
  | { paragraph: Run[] }
  | { list: { text: string; level: number; ordered: boolean }[] }
  | { table: string[][] };

const bullets = (...texts: string[]) => texts.map((text) => ({ text, level: 1, ordered: false }));
const numbers = (...texts: string[]) => texts.map((text) => ({ text, level: 1, ordered: true }));

/** Documents as doctors write them: each document has something that programs write in ways of their own. */
export const CONTENTS: Record<string, Block[]> = {
  words: [
    { heading: 'Über Größen', level: 2 },
    { paragraph: ['The heart feeds itself first: ≥ 5 °C — „so“ 1,5 mg.'] },
    { paragraph: ['Take ', { bold: '5 mg' }, ' and ', { italic: 'no more' }, ' a day.'] },
    { paragraph: ['kg/m', { sup: '2' }, ' and CO', { sub: '2' }, ' in the blood'] },
  ],
  nested: [
    {
      list: [
        { text: 'Adults', level: 1, ordered: false },
        { text: '5 mg daily', level: 2, ordered: false },
        { text: 'never more', level: 3, ordered: false },
        { text: '10 mg weekly', level: 2, ordered: false },
        { text: 'Children', level: 1, ordered: false },
      ],
    },
    { paragraph: ['After the list.'] },
  ],
  footnotes: [
    { paragraph: ['One claim', { note: 'Its proof.' }, ' and another', { note: 'Another proof.' }, '.'] },
    { paragraph: ['The end.'] },
  ],
  everything: [
    { heading: 'A whole text', level: 1 },
    {
      paragraph: [
        'With ',
        { bold: 'bold' },
        ', a ',
        { link: 'link', href: 'https://example.org/a?b=c&d=e' },
        ' and a note',
        { note: 'The note.' },
        '.',
      ],
    },
    { list: bullets('one', 'two') },
    {
      table: [
        ['a', 'b'],
        ['1', '2'],
      ],
    },
    { heading: 'Near the end', level: 2 },
    { heading: 'End', level: 3 },
    { list: numbers('first', 'second') },
  ],
  leaflet: [
    { heading: 'How to take it', level: 2 },
    { list: numbers('Shake the bottle', 'Measure 5 ml') },
    { paragraph: ['Give ', { bold: 'no more' }, ' to children under 6 years.'] },
    {
      table: [
        ['Age', 'Dose'],
        ['6 to 12', '5 ml'],
        ['over 12', '10 ml'],
      ],
    },
    { paragraph: ['See ', { link: 'the leaflet', href: 'https://example.org/leaflet' }, '.'] },
  ],
};

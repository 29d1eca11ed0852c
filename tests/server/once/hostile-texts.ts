/** Pieces of every construct of Markdown, of HTML, and of what stands in data. */
export const hostilePieces = [
  ...['*', '_', '**', '*a', 'a*', '_a ', 'a_', '*a*', '**a', 'a**b ', '*_', '***'],
  ...['[', ']', '[]', '[a', '](', '[a](', '[a](b', '![', '![a](b', '[a][b]', '[a]: b\n', '[a]: <', '\\'],
  ...[
    '`',
    '``',
    '`a',
    '```\n',
    '~~~\n',
    '    a\n',
    '\t',
    '> ',
    '>',
    '> a\n',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '- a\n',
  ],
  ...['# ', '# a\n', 'a\n=\n', 'a\n-\n', '---\n', '|', '|a', '|a|b|\n|-|-|\n', '|-', '[^', '[^a]', '[^a]: '],
  ...[':a[', ':sup[', ':cite[a]', ':::', ':::a\n', ':::warning\n', '::a{', ':a{b=', '{', '}', '%', '"', "'"],
  ...['<', '<a ', '<a href="', '<b>', '</b>', '<!--', '<?', '<![CDATA[', '&', '&amp', '&amp;', '&#', '&#x0;'],
  ...[
    'http://',
    'http://a.b/',
    '<http://a',
    'a@b.c ',
    'www.a.b ',
    '10.1000/a ',
    '\n',
    '\n\n',
    ' ',
    '  \n',
    'a',
  ],
  ...['(', ')', ',', '5 mg ', '1,000.5', 'µ', '́', '🙂', '\r', '\r\n'],
];

const repeated = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** The ways in which a long text is made of pieces. */
const SHAPES: Record<string, (piece: string, other: string, length: number) => string> = {
  'again and again': (piece, _, length) => repeated(piece, length),
  'on lines': (piece, _, length) => repeated(`${piece}\n`, length),
  'in paragraphs that differ': (piece, _, length) => {
    let text = '';
    for (let at = 0; text.length < length; at += 1) text += `${piece}${at.toString(36)}\n\n`;
    return text.slice(0, length);
  },
  'between words': (piece, _, length) => repeated(`${piece}a `, length),
  'on both sides of a word': (piece, _, length) =>
    `x ${repeated(piece, length / 2)}a${repeated(piece, length / 2 - 3)}`,
  'on lazy lines of a quotation': (piece, _, length) =>
    `${'> '.repeat(20)}${repeated(`${piece.trimEnd()}\n`, length - 40)}`,
  'in a list that goes deeper': (piece, _, length) => {
    let text = '';
    for (let depth = 0; text.length < length; depth = (depth + 1) % 300)
      text += `${'  '.repeat(depth)}- ${piece}\n`;
    return text.slice(0, length);
  },
  'before another piece': (piece, other, length) => repeated(piece, length / 2) + repeated(other, length / 2),
  'in turn with another piece': (piece, other, length) => repeated(piece + other, length),
};

/** Yields so many different texts of this length, by the seed, with what they are made of; all shapes come round. */
export function* hostileTexts(
  length: number,
  { count, seed }: { count: number; seed: number },
): Generator<{ name: string; text: string }> {
  let state = seed;
  const next = (end: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % end;
  };
  const shapes = Object.entries(SHAPES);
  for (let at = 0; at < count; at += 1) {
    const [shape, make] = shapes[(seed + at) % shapes.length] ?? [];
    const [piece, other] = [
      hostilePieces[next(hostilePieces.length)] ?? '',
      hostilePieces[next(hostilePieces.length)] ?? '',
    ];
    const name = `${length} characters of ${JSON.stringify(piece)} ${shape}, ${JSON.stringify(other)}`;
    if (make) yield { name, text: make(piece, other, length).toWellFormed() };
  }
}

/** Returns an ordinary article: chapters, paragraphs with marks and notes, lists and tables. */
export function ordinaryArticle(length: number): string {
  const [parts, notes]: [string[], string[]] = [['# Dosage'], []];
  for (let size = 0, at = 1; size < length - 1_000; at += 1) {
    const before = parts.length;
    if (at % 12 === 0) parts.push(`## Part ${at}`);
    if (at % 7 === 0)
      parts.push(
        repeated(`- item ${at} with **strong** words and [a link](https://a.example/)\n`, 340).trim(),
      );
    if (at % 10 === 0)
      parts.push(
        `| Drug | Dose | Note |\n|---|---|---|\n${`| Drug | ${at} mg | *twice* a day |\n`.repeat(12)}`.trim(),
      );
    parts.push(
      `The patient received ${at} mg *twice* a day, with **caution** in renal failure[^n${at}], in H:sub[2]O as \`written\`, and with ${'other ordinary words '.repeat(12)}at the end.`,
    );
    notes.push(`[^n${at}]: A note of number ${at}, see *Journal* 2024; **12**: 34-56.`);
    size += parts.slice(before).join('\n\n').length + (notes.at(-1)?.length ?? 0) + 4;
  }
  return [...parts, ...notes].join('\n\n').slice(0, length);
}

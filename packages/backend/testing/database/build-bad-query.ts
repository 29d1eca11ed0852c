import fc from 'fast-check';
import { library } from './build-test-library.ts';

const encode = encodeURIComponent;
export const words = (...texts: string[]) => fc.constantFrom(...texts);
/** Arbitrary text, mostly of the characters of the query language and of SQL. */
const noise = fc
  .array(
    fc.oneof(
      words(
        '(',
        ')',
        ',',
        '.',
        '"',
        '\\',
        "'",
        ';',
        '--',
        '*',
        '%',
        '=',
        '&',
        ' ',
        '\n',
        'eq',
        'not',
        'in',
        'null',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join('').toWellFormed());

/** Valid parts of a query. */
export const validPart = words(
  'pages=gte.0',
  'title=neq.x',
  'author=is.null',
  'id=in.(a,b,"c,d")',
  'title=ilike.*b*',
  'or=(pages.eq.1,not.and(title.like.B*,pages.lt.9))',
);

const notInteger = fc
  .oneof(
    words(
      '',
      '1.5',
      '1e3',
      '1e308',
      'NaN',
      'Infinity',
      '-',
      '--1',
      '0x1',
      '1_000',
      '１２',
      'null',
      'true',
      '1;',
    ),
    words(
      'eq.1',
      'not.null',
      'not.eq.1',
      'in.(1)',
      '99999999999999999999',
      '9007199254740993',
      '"1"',
      '(1)',
      '1,2',
    ),
    noise.filter((text) => !/^\s*[+-]?\d+\s*$/.test(text)),
  )
  .map(encode);

const column = words('id', 'title', 'author', 'pages', 'shelf');
const KNOWN = [
  'select',
  'order',
  'limit',
  'offset',
  'cursor',
  'on_conflict',
  'columns',
  'and',
  'or',
  'not.and',
  'not.or',
];
const noColumn = fc.oneof(
  words(
    'nothing',
    'Title',
    'title ',
    'books.title',
    'constructor',
    '__proto__',
    'toString',
    '"title"',
    'title;',
    '1',
    '',
  ),
  noise.filter((name) => !KNOWN.includes(name) && !library.tables.books?.columns[name]),
);
const noOperator = fc.oneof(
  words(
    'cs',
    'cd',
    'ov',
    'fts',
    'match',
    'isdistinct',
    'EQ',
    'equals',
    'eq ',
    ' eq',
    '=',
    'eq(any)',
    'select',
  ),
  noise.filter((word) => !/^(?:not\.|(?:not\.)?(?:n?eq|[gl]te?|i?like|is|in|not_in)\.)/.test(`${word}.`)),
);
const comparison = words('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'not.eq', 'not.gte');
const brokenBytes = words(
  '%',
  '%1',
  '%zz',
  '%FF',
  '%C3%28',
  '%ED%A0%80',
  '%E2%82',
  '%F8%88%80%80%80',
  'a%u0041',
);
const nul = noise.map((text) => `${encode(text.replace(/["()\\,]/g, ''))}%00`);
const notCount = fc.oneof(
  words(
    '-1',
    '-0',
    '1e308',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '1.0',
    '0x10',
    '1n',
    '１',
    '10000000000000000000',
    'all',
    '1;',
  ),
  noise.filter((text) => !/^\d+$/.test(text)),
);
export const repeated = (text: string, times: number) => Array.from({ length: times }, () => text);

/** Parts that make a query invalid, whatever the other parts are. */
const faults: Record<string, fc.Arbitrary<string>> = {
  column: fc.tuple(noColumn, comparison).map(([name, operator]) => `${encode(name)}=${operator}.1`),
  operator: fc.tuple(column, noOperator).map(([name, word]) => `${name}=${encode(word)}.1`),
  'no operator': fc.tuple(column, words('', '1', 'eq', 'not', 'x')).map(([name, text]) => `${name}=${text}`),
  integer: fc.tuple(comparison, notInteger).map(([operator, text]) => `pages=${operator}.${text}`),
  'integer in a list': notInteger
    .filter((text) => text !== '' && !/^(?:%22)?\d+(?:%22)?$|%2C|%28|%29/.test(text))
    .map((text) => `pages=in.(1,${text})`),
  is: noise
    .filter((text) => !/^(?:null|not_null|true|false|[01])$/i.test(text))
    .map((text) => `pages=is.${encode(text)}`),
  truth: words('title=is.true', 'author=is.false', 'title=not.is.true', 'author=is.1'),
  pattern: words(
    'pages=like.1*',
    'shelf=ilike.1',
    `title=like.${'x'.repeat(201)}`,
    'title=like.%5C',
    'author=ilike.a%5C',
  ),
  list: words(
    'pages=in.1,2',
    'pages=in.(1,2',
    'pages=in.1)',
    'pages=in.(1,2)3',
    'pages=in.((1)',
    'title=in.("a"',
    'id=in.',
  ),
  nul: fc
    .tuple(words('title=eq.', 'author=neq.', 'title=like.', 'id=gt.', 'title=not.'), nul)
    .map((parts) => parts.join('')),
  'nul in a list': nul.map((text) => `title=in.("${text}")`),
  'nul in a group': nul.map((text) => `or=(title.eq."${text}")`),
  bytes: fc
    .tuple(
      words('title=eq.', 'title=in.(a,', 'or=(title.eq.', 'select=', 'order=', 'cursor=', ''),
      brokenBytes,
    )
    .map((parts) => parts.join('')),
  group: words(
    'and=()',
    'or=',
    'or=pages.eq.1',
    'or=(pages.eq.1',
    'or=(pages.eq.1))',
    'and=(pages.eq.1,)',
    'and=(,pages.eq.1)',
    'and=(pages.eq.1,,pages.eq.2)',
    'or=(pages)',
    'or=(pages.eq)',
    'or=(pages.eq.1)(pages.eq.2)',
    'or=(and(pages.eq.1)',
    'or=(xor(pages.eq.1,pages.eq.2))',
    'not.or=(not.pages.eq.1)',
    'not.not.or=(pages.eq.1)',
    'or=(pages.in.(1,2)',
    'or=(pages=in.(1,2)',
  ),
  'group of bad members': fc
    .tuple(words('and', 'or', 'not.and', 'not.or'), fc.oneof(noColumn, noise))
    .filter(([, name]) => !/^[A-Za-z_]\w*$/.test(name) || !library.tables.books?.columns[name])
    .map(([kind, name]) => `${kind}=(pages.eq.1,${encode(name)}.eq.2)`),
  'integer in a group': notInteger
    .filter((text) => !/%2C|%28|%29|%22|%26/.test(text))
    .map((text) => `or=(title.eq.x,pages.gt.${text})`),
  depth: fc.integer({ min: 11, max: 300 }).map((levels) => {
    return `and=${'(and'.repeat(levels - 1)}(pages.eq.1${')'.repeat(levels)}`;
  }),
  count: fc.tuple(words('limit', 'offset'), notCount).map(([name, text]) => `${name}=${encode(text)}`),
  order: fc
    .oneof(
      words(
        'id.',
        '.desc',
        'id desc',
        'id,,title',
        'id.desc.nulls',
        'id.up',
        'lower(title)',
        'id;',
        'id.asc.desc',
        ',',
      ),
      noise.filter((text) => text.trim() !== '' && !library.tables.books?.columns[text.trim()]),
      fc.constant(repeated('id', 11).join()),
    )
    .map((text) => `order=${encode(text)}`),
  select: fc
    .oneof(
      words(
        'id,',
        ',id',
        'id,,title',
        'name:title',
        'title::text',
        'count()',
        'loans(id)',
        'id title',
        '"id',
        '*,x',
      ),
      noise.filter((text) => text !== '' && !/^"?\w*"?$|\*/.test(text.trim())),
    )
    .map((text) => `select=${encode(text)}`),
  cursor: fc.oneof(noise, fc.base64String()).map((text) => `cursor=${encode(text)}`),
  twice: words(
    'order=id&order=title',
    'limit=1&limit=1',
    'select=id&select=id',
    'offset=0&offset=1',
    'cursor=a&cursor=a',
  ),
  'new rows': noColumn
    .filter((name) => !/^"?\w+"?$/.test(name.trim()))
    .map((name) => `on_conflict=${encode(name)}&columns=${encode(name)}`),
  'too many filters': fc
    .integer({ min: 101, max: 400 })
    .map((times) => repeated('pages=eq.1', times).join('&')),
  'too many conditions': fc.constant(`or=(${repeated('pages.eq.1', 501).join()})`),
  'too many values': fc
    .integer({ min: 1_001, max: 1_200 })
    .map((times) => `pages=in.(${repeated('1', times).join()})`),
  'too many values of a group': fc.constant(`or=(pages.in.(${repeated('1', 1_001).join()}))`),
};

/** A query with one fault, and the name of the fault. */
export const badQuery = fc
  .tuple(fc.array(validPart, { maxLength: 3 }), fc.constantFrom(...Object.keys(faults)), fc.nat())
  .chain(([others, kind, index]) =>
    (faults[kind] ?? fc.constant('')).map((fault) => ({
      kind,
      text: others.toSpliced(index % (others.length + 1), 0, fault).join('&'),
    })),
  );

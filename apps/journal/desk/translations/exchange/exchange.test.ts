import { randomFrom } from '@fabrica/test-peers/random.ts';
import { describe, expect, it } from 'vitest';
import { readXml, textBelow } from './read-xml.ts';
import { readTbx, writeTbx } from './tbx.ts';
import { readTmx, writeTmx } from './tmx.ts';
import { readXliff, writeXliff, type XliffFile } from './xliff.ts';

const bytes = (xml: string) => new TextEncoder().encode(xml);

describe('XML of strangers', () => {
  it.each([
    ['entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['entities that grow', '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'],
    ['an entity of a file', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a tag that is not closed', '<a><b></a>'],
    ['half of a file', '<a><b>text</b>'],
    ['two outermost elements', '<a/><b/>'],
    ['no element', 'text'],
    ['elements in elements without end', '<a>'.repeat(60) + '</a>'.repeat(60)],
  ])('with %s is refused', (_, xml) => {
    expect(() => readXml(bytes(xml))).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });

  it('is refused when it is larger than 20 MB, or in no encoding of Unicode', () => {
    expect(() => readXml(new Uint8Array(20 * 1024 * 1024 + 1))).toThrow('20 MB');
    expect(() => readXml(new Uint8Array([0x3c, 0x61, 0xff, 0x3e]))).toThrow('UTF-8');
  });

  it('of one post is 4 MB and 200,000 elements at most, and has no unit in a unit', () => {
    const file = (units: string) =>
      bytes(`<xliff version="2.0" srcLang="en" trgLang="de"><file id="p">${units}</file></xliff>`);
    expect(() => readXliff(file(' '.repeat(4 * 1024 * 1024)))).toThrow('4 MB');
    expect(() => readXliff(file('<x/>'.repeat(200_000)))).toThrow('too large');
    const nested = file(`${'<unit id="u">'.repeat(40)}${'</unit>'.repeat(40)}<group><unit id="v"/></group>`);
    expect(readXliff(nested).units.map(({ id }) => id)).toEqual(['u', 'v']);
  });

  it('leaves entities that it does not know as they stand, and reads no document type', () => {
    const root = readXml(
      bytes('<!DOCTYPE tmx SYSTEM "http://localhost/tmx14.dtd"><a>&b; &amp; &#228;<c/></a>'),
    );
    expect(textBelow(root)).toBe('&b; & ä');
  });

  it('is read in UTF-16 too, as some tools write it', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>Ärztin</a>', 'utf16le')]);
    expect(textBelow(readXml(utf16))).toBe('Ärztin');
  });
});

const TERMS = [
  {
    id: 'term_1',
    words: { en: ['heart attack'], de: ['Herzinfarkt', 'Myokardinfarkt'] },
    keep: false,
    note: 'Not "Herzanfall" & co.',
  },
  { id: 'term_2', words: { en: ['Paracetamol'] }, keep: true, note: '' },
];

it('a glossary comes back from its own TBX as it was', () => {
  expect(readTbx(bytes(writeTbx(TERMS, 'A journal')))).toEqual(TERMS);
});

it('a glossary of an older version is read, with the preferred term first', () => {
  const martif = `<martif type="TBX"><text><body><termEntry id="e1">
    <langSet xml:lang="en-GB"><tig><term>myocardial
      infarction</term></tig></langSet>
    <langSet xml:lang="de"><tig><term>Herzschlag</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig>
      <ntig><termGrp><term>Herzattacke</term></termGrp></ntig>
      <tig><term>Herzinfarkt</term><termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig></langSet>
    <langSet xml:lang="it"><tig><term>infarto</term></tig></langSet></termEntry></body></text></martif>`;
  expect(readTbx(bytes(martif))).toEqual([
    {
      id: 'e1',
      words: { en: ['myocardial infarction'], de: ['Herzinfarkt', 'Herzattacke'] },
      keep: false,
      note: '',
    },
  ]);
});

it('a memory comes back from its own TMX as it was', () => {
  const pairs = [
    {
      source: { language: 'en', text: 'Take **5 mg** < 3 & more.\nTwice.' },
      target: { language: 'de', text: 'Nehmen Sie **5 mg**.' },
      changedAt: Date.UTC(2026, 1, 3, 4, 5, 6),
    },
  ] as const;
  expect(readTmx(bytes(writeTmx(pairs)))).toEqual(pairs);
});

it('a memory of another tool is read without its codes, in the direction that it names or in all', () => {
  const unit = (
    attributes: string,
  ) => `<tu ${attributes}><tuv xml:lang="EN-US"><seg>Take <bpt i="1">&lt;b></bpt>5 mg<ept i="1">&lt;/b></ept>
    <hi>daily</hi>.</seg></tuv><tuv lang="de-CH"><seg>Täglich 5 mg.</seg></tuv><tuv xml:lang="it"><seg>No.</seg></tuv></tu>`;
  const file = (srclang: string, attributes = '') =>
    bytes(
      `<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header srclang="${srclang}"/><body>${unit(attributes)}</body></tmx>`,
    );
  const directions = (read: ReturnType<typeof readTmx>) =>
    read.map(({ source, target }) => `${source.language}-${target.language}`);
  expect(directions(readTmx(file('en-US')))).toEqual(['en-de']);
  expect(directions(readTmx(file('*all*')))).toEqual(['en-de', 'de-en']);
  expect(directions(readTmx(file('en-US', 'srclang="de"')))).toEqual(['de-en']);
  expect(readTmx(file('en-US'))[0]?.source.text).toMatch(/^Take 5 mg\s+daily\.$/);
});

const XLIFF: XliffFile = {
  postId: 'post_1',
  source: 'en',
  target: 'de',
  units: [
    {
      ...{ id: 's1', kind: 'paragraph', state: 'translated', version: 3 },
      source: 'See [the label](https://example.org/a?b=1&c=2) :cite[a1] and **this**[^1].',
      target: 'Siehe [das Etikett](https://example.org/a?b=1&c=2) :cite[a1] und **dies**[^1].',
    },
    { id: 's2', kind: 'heading', state: 'initial', version: 0, source: 'Dose', target: null },
  ],
};

it('the segments of a post come back from their own XLIFF as they were, with their marks as inline elements', () => {
  const written = writeXliff(XLIFF);
  expect(readXliff(bytes(written))).toEqual(XLIFF);
  expect(written).toContain('<ph id="2" dataRef="d3" disp=":cite[a1]"/>');
  expect(written).toContain('<pc id="1" type="link" dataRefStart="d1" dataRefEnd="d2">das Etikett</pc>');
  expect(written).toContain(
    '<pc id="3" type="fmt" subType="xlf:b" dataRefStart="d4" dataRefEnd="d4">dies</pc>',
  );
  expect(written).not.toMatch(/<(?:source|target)>[^\n]*(?:\*|:cite\[a1\] )/);
});

it('whatever marks a text has, nested, doubled, broken or escaped, its XLIFF gives back each byte', () => {
  const pieces = [
    'a',
    ' ',
    '*',
    '**',
    '***',
    '_',
    '`',
    '\\',
    '[',
    ']',
    '](u)',
    '(v)',
    '[^1]',
    ':cite[x]',
    ':sup[2',
    ':sub[i]',
    '<b>',
    '&',
    '5 mg',
    '\n',
    'é',
  ];
  const random = randomFrom(7);
  const text = () =>
    Array.from({ length: 1 + random() * 14 }, () => pieces[Math.floor(random() * pieces.length)]).join('');
  for (let round = 0; round < 40; round += 1) {
    const units = Array.from({ length: 10 }, (_, index) => ({
      ...{ id: `s${index}`, kind: 'paragraph', state: 'translated' as const, version: 1 },
      ...{ source: text(), target: text() },
    }));
    const file = { ...XLIFF, units };
    expect(readXliff(bytes(writeXliff(file)))).toEqual(file);
  }
});

it('a mark has the same id in both languages, wherever it stands', () => {
  const unit = { id: 's1', kind: 'paragraph', state: 'translated' as const, version: 1 };
  const texts = { source: '**One** and *two* **three**[^1]', target: '[^1]*Zwei*, **eins** und **drei**' };
  const written = writeXliff({ ...XLIFF, units: [{ ...unit, ...texts }] });
  const [source = '', target = ''] = ['source', 'target'].map(
    (name) => new RegExp(`<${name}>(.*)</${name}>`).exec(written)?.[1],
  );
  const idsIn = (xml: string) => [...xml.matchAll(/ id="(\d+)"/g)].map(([, id]) => id);
  expect(idsIn(source)).toEqual(['1', '2', '3', '4']);
  expect(idsIn(target)).toEqual(['4', '2', '1', '3']);
});

it('a unit that a tool has cut is put together, and is as far as the least of its parts', () => {
  const cut = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en-US" trgLang="de-DE"><file id="post_1">
    <unit id="s1"><segment state="final"><source>One.</source><target>Eins.</target></segment><ignorable><source> </source></ignorable>
    <segment state="translated"><source>Two.</source><target>Zwei <mrk id="m1" translate="no">x</mrk>.</target></segment></unit></file></xliff>`;
  expect(readXliff(bytes(cut)).units).toEqual([
    { id: 's1', kind: '', source: 'One. Two.', target: 'Eins. Zwei x.', state: 'translated', version: null },
  ]);
});

it('another format, or another version of it, is refused by its name', () => {
  const older = bytes('<xliff version="1.2"><file/></xliff>');
  expect(() => readXliff(older)).toThrow('XLIFF 2.0');
  expect(() => readTmx(older)).toThrow('no TMX');
  expect(() => readTbx(older)).toThrow('no TBX');
});

/** Reading on to the end from each place would take minutes. */
it.each(['[^', ':cite[', '](', '[](', '[a](', '**a ', '*a ', '`', '\\', ':sup[', '**a*b'])(
  'a text of %s alone is written to a file in time, and comes back',
  (mark) => {
    const source = mark.repeat(400_000 / mark.length);
    const unit = {
      id: 's1',
      kind: 'paragraph',
      source,
      target: source,
      state: 'translated',
      version: 1,
    } as const;
    const file: XliffFile = { postId: 'post_1', source: 'en', target: 'de', units: [unit] };
    const [read] = readXliff(bytes(writeXliff(file))).units;
    expect(read?.source === source && read.target === source).toBe(true);
  },
);

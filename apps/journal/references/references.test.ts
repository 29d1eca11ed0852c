import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sourceOf } from '../app/editor/view/source-fields.tsx';
import { readText } from '../app/markdown/read-text.ts';
import { sources } from '../project/document.ts';
import { openTestDesk, type Person, type TestDesk } from '../testing/open-test-desk.ts';
import { formatVancouver } from './format-vancouver.ts';
import { keepStoredFields, type StoredSource } from './keep-stored-fields.ts';
import { parseIdentifier } from './look-up-source.ts';
import { readStoredSource } from './read-stored-source.ts';
import { sourceKey } from './source.ts';

/** Sources as Crossref and PubMed return them. */
const ARTICLE = {
  type: 'article-journal',
  title: 'Safety and <i>Efficacy</i> of the BNT162b2 mRNA Covid-19 Vaccine',
  author: [
    { given: 'Fernando P.', family: 'Polack', sequence: 'first' },
    { given: 'Stephen J.', family: 'Thomas' },
    { name: 'C4591001 Clinical Trial Group' },
  ],
  'container-title': 'New England Journal of Medicine',
  'container-title-short': 'N Engl J Med',
  volume: '383',
  issue: '27',
  page: '2603-2615',
  issued: { 'date-parts': [[2020, 12, 31]] },
  DOI: '10.1056/nejmoa2034577',
  language: 'en',
};

let desk: TestDesk;
let ada: Person;
let reader: Person;
const requested: string[] = [];
const catalogue = createServer((request, response) => {
  requested.push(request.url ?? '');
  const isKnown = /10\.1056%2FNEJMoa2034577|id=33301246/.test(request.url ?? '');
  const isBroken = request.url?.includes('broken');
  response.writeHead(isBroken ? 503 : isKnown ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    isKnown ? JSON.stringify({ ...ARTICLE, issue: 27, junk: { deep: true } }) : 'Resource not found.',
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => catalogue.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(catalogue.address() as AddressInfo).port}`;
  desk = await openTestDesk({
    environment: { DATA_ALLOW_HOSTS: host },
    catalogues: { crossrefUrl: `http://${host}`, pubmedUrl: `http://${host}/ctxp` },
  });
  ada = await desk.person('Ada', 'author');
  reader = await desk.person('Rea', 'reader');
});

afterAll(async () => {
  await desk.close();
  catalogue.close();
});

const find = (identifier: string, as = ada) =>
  desk.call(as, 'GET', `/api/references/journal/source?${new URLSearchParams({ identifier })}`);

test('a pasted DOI or PubMed id becomes a reference in CSL-JSON', async () => {
  const byDoi = await find('https://doi.org/10.1056/NEJMoa2034577.');
  expect(byDoi.status, JSON.stringify(byDoi.body)).toBe(200);
  expect(byDoi.body.source).toEqual({
    ...ARTICLE,
    title: 'Safety and Efficacy of the BNT162b2 mRNA Covid-19 Vaccine',
    author: [
      { family: 'Polack', given: 'Fernando P.' },
      { family: 'Thomas', given: 'Stephen J.' },
      { literal: 'C4591001 Clinical Trial Group' },
    ],
  });
  expect((await find('PMID: 33301246')).body.source).toMatchObject({ PMID: '33301246', volume: '383' });
  expect(requested.at(-1)).toBe('/ctxp?format=csl&id=33301246');
});

test('what is not found, not a number or not reachable is told apart', async () => {
  expect((await find('10.1000/unknown')).body).toMatchObject({ code: 'NOT_FOUND' });
  expect((await find('my book')).body).toMatchObject({ code: 'VALIDATION_FAILED' });
  expect((await find('10.1000/broken')).body).toMatchObject({ code: 'FETCH_FAILED' });
});

test('only those who write posts may look references up', async () => {
  expect((await find('33301246', reader)).status).toBe(403);
  expect((await find('33301246', { id: '', token: undefined })).status).toBe(401);
});

test.each([
  ['10.1038/171737a0', { kind: 'doi', value: '10.1038/171737a0' }],
  ['(doi:10.1016/S0140-6736(20)30183-5)', { kind: 'doi', value: '10.1016/S0140-6736(20)30183-5' }],
  ['https://doi.org/10.1016%2Fj.cell.2020.01.001', { kind: 'doi', value: '10.1016/j.cell.2020.01.001' }],
  ['https://pubmed.ncbi.nlm.nih.gov/33301246/', { kind: 'pmid', value: '33301246' }],
  ['https://www.ncbi.nlm.nih.gov/pubmed/13054692', { kind: 'pmid', value: '13054692' }],
  [' pmid 13054692 ', { kind: 'pmid', value: '13054692' }],
  ['10.1/short', null],
  ['https://example.org', null],
])('%s is recognised as it is pasted', (typed, expected) => {
  expect(parseIdentifier(typed)).toEqual(expected);
});

const text = (source: Parameters<typeof formatVancouver>[0], language?: string) =>
  formatVancouver(source, language)
    .map((part) => part.text)
    .join('');

test('references are written in the style of the National Library of Medicine', () => {
  expect(
    text({
      ...ARTICLE,
      id: 'a',
      title: 'A title',
      author: [{ family: 'Skłodowska-Curie', given: 'Marie-Anne' }],
    }),
  ).toBe('Skłodowska-Curie MA. A title. N Engl J Med. 2020;383(27):2603-15. doi:10.1056/nejmoa2034577.');
  const many = Array.from({ length: 8 }, (_, index) => ({ family: `Name${index}`, given: 'A' }));
  expect(text({ id: 'b', type: 'article-journal', title: 'Why?', author: many })).toBe(
    'Name0 A, Name1 A, Name2 A, Name3 A, Name4 A, Name5 A, et al. Why?',
  );
  const book = {
    id: 'c',
    type: 'book',
    title: 'Anatomie',
    publisher: 'Thieme',
    'publisher-place': 'Stuttgart',
  };
  expect(text({ ...book, edition: '3', issued: { 'date-parts': [[1999]] } }, 'de')).toBe(
    'Anatomie. 3. Aufl. Stuttgart: Thieme; 1999.',
  );
  expect(text({ id: 'd', type: 'webpage', title: 'Dosage', URL: 'https://example.org/x' })).toBe(
    'Dosage. Available from: https://example.org/x',
  );
  expect(text({ id: 'e', type: 'webpage', title: 'X', URL: 'javascript:alert(1)' })).toBe('X.');
  const spaced = { id: 'f', type: 'webpage', title: 'X', URL: 'https://example.org/a b?c=ü' };
  expect(formatVancouver(spaced).at(-1)).toEqual({
    text: 'https://example.org/a b?c=ü',
    url: 'https://example.org/a%20b?c=%C3%BC',
  });
  expect(text({ id: 'g', type: 'webpage', title: 'X', URL: 'https://' })).toBe('X.');
});

test('the key of a reference is made of name and year, and is never given twice', () => {
  const curie = {
    type: 'book',
    title: 'T',
    author: [{ family: 'Żółć Ünal' }],
    issued: { 'date-parts': [[1903]] },
  };
  expect(sourceKey(curie, [])).toBe('zoc1903');
  expect(sourceKey(curie, [{ id: 'zoc1903' }])).toBe('zoc1903-2');
  expect(sourceKey({ type: 'book', title: '医学' }, [])).toBe('source');
});

test('a stored reference whose fields are of no use costs a page nothing but those fields', () => {
  const stored: StoredSource[] = [
    {
      id: 'half',
      type: 'book',
      title: 'Half \ud800',
      DOI: '10.1/\ud800',
      author: ['\udc00', { family: '\ud800' }],
    },
    { id: 'date', type: 'book', title: 'Date', issued: { toString: 1 }, accessed: { raw: { valueOf: 1 } } },
    { id: 'part', type: 'book', title: 'Part', issued: { 'date-parts': [[{ toString: 1 }, '1999']] } },
    { id: 'text', type: 'book', title: 'Text', issued: { raw: { toString: 1 }, literal: 'May 1953' } },
    { id: 'good', type: 'book', title: 'Good', issued: '1628' },
  ];
  expect(sources.safeParse(stored).success).toBe(true);
  // Pages show what programs have stored without the schema, too.
  const other = [{ id: 'kind', type: { toString: 1 }, title: 'Kind' }, null, { title: 'No id' }];
  const { text: shown } = readText('Text.', {
    ...{ tree: null, language: 'en', sources: JSON.stringify([...stored, ...other]) },
  });
  expect(shown.references.map(({ parts }) => parts.map((part) => part.text).join(''))).toEqual([
    '\ufffd, \ufffd. Half \ufffd. doi:10.1/\ufffd.',
    'Date.',
    'Part. 1999.',
    'Text. 1953.',
    'Good. 1628.',
    'Kind.',
  ]);
  for (const source of stored) expect(() => text(readStoredSource(source))).not.toThrow();
});

test('what the editor does not change or does not show of the references stays as it was stored', () => {
  const beethoven = {
    ...{ family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van' },
    ...{ ORCID: 'https://orcid.org/0000-0001-2345-6789' },
  };
  const untouched = {
    ...{ id: 'range', type: 'paper-conference', title: 'Untouched', volume: 383, note: 'Read it again' },
    author: [{ family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    issued: { 'date-parts': [[1999], [2001]], circa: true },
    accessed: { raw: '3 May 2001' },
  };
  const edited = {
    ...{ id: 'edited', type: 'book', title: 'Before', volume: 12, publisher: 'Artaria', note: 'Mine' },
    author: [beethoven, { family: 'Ries', given: 'Franz' }],
    issued: { 'date-parts': [[1803]], season: 'spring' },
    edition: { of: 'no use' },
  };
  const stored = [untouched, edited];
  const [one, other] = stored.map(readStoredSource);
  if (!one || !other) throw new Error('A reference is missing.');
  const added = { id: 'added', type: 'book', title: 'Added' };
  expect(keepStoredFields([one, other, added], stored)).toEqual([untouched, edited, added]);
  expect(keepStoredFields([other], stored)).toEqual([edited]);

  const { publisher: _, ...rest } = other;
  const author = [
    { family: 'Wegeler', given: 'Franz' },
    { family: 'Beethoven', given: 'Ludwig' },
  ];
  const changed = { ...rest, title: 'After', author };
  const { publisher: __, ...left } = edited;
  expect(keepStoredFields([one, changed], stored)).toEqual([
    untouched,
    { ...left, title: 'After', author: [author[0], beethoven] },
  ]);
  const redated = { ...other, issued: { 'date-parts': [[1804]] } };
  expect(keepStoredFields([redated], stored)).toEqual([{ ...edited, issued: redated.issued }]);
});

test('saving a reference in the dialog changes the fields alone that were typed into', () => {
  const shown = {
    ...{ id: 'a', type: 'paper-conference', title: 'Before', 'container-title-short': 'Proc' },
    author: [{ literal: 'Müller, Meier' }, { family: 'Galen' }, { family: 'Curie', given: 'Marie' }],
    issued: { 'date-parts': [[1999, 5, 3]] },
  };
  const fields = new FormData();
  for (const [name, value] of Object.entries({
    ...{ type: 'paper-conference', title: 'After', year: '1999' },
    authors: 'Müller, Meier\nGalen\nCurie, Marie\nNew, Ann',
  }))
    fields.set(name, value);
  const { id: _, ...rest } = shown;
  expect(sourceOf(fields, shown)).toEqual({
    ...rest,
    title: 'After',
    author: [...shown.author, { family: 'New', given: 'Ann' }],
  });
});

test('look-ups count among the calls to other servers that a new account has in a day', async () => {
  const limited = await openTestDesk({
    environment: { RATE_LIMIT: 'on', DATA_ALLOW_HOSTS: 'localhost:9' },
    config: { data: { newAccountCalls: 2 } },
    catalogues: { crossrefUrl: 'http://localhost:9', pubmedUrl: 'http://localhost:9' },
  });
  onTestFinished(() => limited.close());
  const newcomer = await limited.person('Nia', 'author');
  const lookUp = () =>
    limited
      .call(newcomer, 'GET', '/api/references/journal/source?identifier=10.1000/1')
      .then(({ status }) => status);
  expect([await lookUp(), await lookUp(), await lookUp()]).toEqual([502, 502, 429]);
});

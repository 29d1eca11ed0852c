import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import {
  buildArchive,
  buildDocx,
  buildPages,
  buildPdf,
  deflatedSpaces,
  wordParagraph,
} from '@fabrica/backend/testing/data/build-test-documents.ts';
import { SCRAPE_FORMATS } from '@fabrica/contract/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocuments } from './documents.ts';

const BROKEN = 'This document cannot be read: it seems to be broken.';
const TOO_MUCH = 'This document takes too much time or memory to read.';
const TOO_LARGE = 'This document is too large unpacked.';
const TOO_DEEP = 'This page is nested too deeply.';

const { signal } = new AbortController();
const threads = new Set<Worker>();
let most = 0;

/** Counts the threads of documents that live. */
function watch(message: unknown): void {
  const { worker } = message as { worker: Worker };
  // Those of the database have their own.
  if (worker.resourceLimits?.maxOldGenerationSizeMb !== 256) return;
  threads.add(worker);
  most = Math.max(most, threads.size);
  worker.once('exit', () => threads.delete(worker));
}

beforeAll(() => subscribe('worker_threads', watch));
afterAll(() => void unsubscribe('worker_threads', watch));

type Built = string | Uint8Array;

const nestedTables = (depth: number) =>
  `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${wordParagraph('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;

function nestedDocuments(depth: number): Uint8Array {
  let docx = buildDocx(wordParagraph('innermost'));
  for (let level = 1; level <= depth; level += 1) {
    docx = buildDocx(wordParagraph(`level ${level}`), { 'word/embeddings/inner.docx': docx });
  }
  return docx;
}

const entities = (kind: string) =>
  `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'lol'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(1000)}">${kind}]><x>&b;</x>`;

const PAGE_TEXT = 'BT /F1 12 Tf 50 700 Td (Hello) Tj ET';

/** A document, and its text or the sentence with which it is refused. */
const PAGES: [name: string, built: () => Built, expected: RegExp | string][] = [
  ['a million elements in each other', () => '<div>'.repeat(1_000_000), TOO_DEEP],
  ['9,000 elements in each other', () => `${'<div>'.repeat(9_000)}deep`, /^deep$/],
  ['3,000 tables in each other', () => `${'<table><tr><td>'.repeat(3_000)}deep`, /^deep$/],
  ['a million elements', () => '<input>'.repeat(1_000_000), 'This page has too many elements.'],
  ['a million ends of elements', () => `${'</div>'.repeat(1_000_000)}<p>end`, /^end$/],
  [
    '5 MB of attributes',
    () => `<p ${Array.from({ length: 400_000 }, (_, index) => `a${index}=b`).join(' ')}>`,
    'An element of this page has too many attributes.',
  ],
  ['an attribute of 9 MB', () => `<p class="${'x'.repeat(9_000_000)}">text`, /^text$/],
  ['3 MB of spaces', () => `<p>a${' '.repeat(3_000_000)}b`, /^a b$/],
  ['comments that begin and begin', () => `text${'<!--'.repeat(1_000_000)}`, /^text$/],
  [
    'tags that begin and begin',
    () => `text${'<meta '.repeat(500_000)}`,
    'An element of this page has too many attributes.',
  ],
  [
    'deep JSON about itself',
    () => `<script type="application/ld+json">${'['.repeat(200_000)}</script><p>text`,
    /^text$/,
  ],
];

const FILES: [name: string, built: () => Built, expected: RegExp | string][] = [
  ['a text with 9 MB of spaces', () => `a${' '.repeat(9_000_000)}b`, /^a {100}/],
  ['a text of 9 MB of line ends', () => `a${' \n'.repeat(4_500_000)}b`, /^a\n\nb$/],
  ['an archive that is none', () => `PK\u0003\u0004${'x'.repeat(1_000)}`, /no Word/],
  [
    'an archive of something else',
    () => buildArchive('readme.txt', deflatedSpaces(1), 1024 * 1024),
    /no Word/,
  ],
  [
    'an archive that unpacks to 4 GB',
    () => buildArchive('word/document.xml', deflatedSpaces(4_000), 4_000 * 1024 * 1024),
    TOO_LARGE,
  ],
  [
    'one of 6,000 entries',
    () =>
      buildDocx(
        '',
        Object.fromEntries(
          Array.from({ length: 6_000 }, (_, i) => [`${i}`, [new Uint8Array(), { level: 0 }]]),
        ),
      ),
    'This archive has too many entries.',
  ],
  ['100 Word tables in each other', () => buildDocx(nestedTables(100)), /^deep$/],
  ['20,000 Word tables in each other', () => buildDocx(nestedTables(20_000)), BROKEN],
  ['100 Word documents in each other', () => nestedDocuments(100), /^level 100$/],
  [
    'entities of entities',
    () => buildDocx('', { 'word/document.xml': Buffer.from(entities('')) }),
    'This document has a document type definition, which Word files have not.',
  ],
  [
    'entities from a file',
    () =>
      buildDocx('', { 'word/styles.xml': Buffer.from(entities('<!ENTITY c SYSTEM "file:///etc/passwd">')) }),
    'This document has a document type definition, which Word files have not.',
  ],
  ['a PDF of nothing', () => '%PDF-1.7', BROKEN],
  ['a PDF of nonsense', () => `%PDF-1.7\n${'1 0 obj << /Type '.repeat(1_000)}`, BROKEN],
  [
    'a PDF whose pages are in each other',
    () => buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[2 0 R]>>']),
    BROKEN,
  ],
  [
    'a PDF without pages that names a million',
    () => buildPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1000000/Kids[]>>']),
    /^$/,
  ],
  ['a PDF of 2,000 pages', () => buildPages(2_000, PAGE_TEXT), /^(?:Hello\n\n){1999}Hello$/],
];

describe('hostile documents', () => {
  const documents = createDocuments();
  afterAll(() => documents.close());

  const documentOf = (built: Built, contentType?: string) => ({
    bytes: Buffer.from(built),
    contentType,
    url: 'https://example.org/',
  });

  async function expectOutcome(reading: Promise<string>, expected: RegExp | string): Promise<void> {
    const outcome = await reading.catch((error: { code: string; message: string }) => error);
    if (typeof outcome !== 'string') {
      expect(outcome.code).toBe('DOCUMENT_UNREADABLE');
      expect(outcome.message).toMatch(expected);
    } else {
      expect(outcome).toMatch(expected);
    }
  }

  it.each(PAGES)('a page of %s is read or refused, and so it is scraped', async (_, build, expected) => {
    const document = documentOf(build(), 'text/html');
    await expectOutcome(documents.extract(document, signal), expected);
    const scraping = documents.scrape(document, SCRAPE_FORMATS, signal);
    await expectOutcome(
      scraping.then(({ extract }) => extract?.text ?? ''),
      expected,
    );
  });

  it.each(FILES)('%s is read or refused', async (_, build, expected) => {
    await expectOutcome(documents.extract(documentOf(build()), signal), expected);
  });

  it('an archive that unpacks to 4 GB and claims less is refused', async () => {
    const archive = buildArchive('word/document.xml', deflatedSpaces(4_000), 1_000);
    // By the size of what was unpacked or by the memory that it took, whichever is noticed first.
    await expect(documents.extract(documentOf(archive), signal)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
    });
  });

  it('documents that take too much are ended, and the next document is read', async () => {
    // A page that unpacks to 2 GB.
    const bomb = Buffer.concat([Buffer.from([0x78, 0x9c]), deflatedSpaces(2_000)]);
    const outcomes = await Promise.allSettled(
      ['one', buildPages(1, bomb, '/Filter/FlateDecode'), 'two', 'three'].map((built) =>
        documents.extract(documentOf(built), signal),
      ),
    );
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      'one',
      TOO_MUCH,
      'two',
      'three',
    ]);
  });
});

describe('threads', () => {
  const text = { bytes: Buffer.from('text'), contentType: 'text/plain', url: undefined };
  const slow = { bytes: Buffer.alloc(9_000_000, '&'), contentType: 'text/html', url: undefined };

  it('a thread ends with a document that takes too long', async () => {
    const documents = createDocuments({ processorMs: 1 });
    await expect(documents.extract(slow, signal)).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: TOO_MUCH,
    });
    await expect.poll(() => threads.size).toBe(0);
    await documents.close();
  });

  it('documents are refused when too many wait for a thread', async () => {
    const documents = createDocuments();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => documents.extract(text, signal)),
    );
    const refused = outcomes.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]?.reason).toMatchObject({ code: 'RATE_LIMITED' });
    await documents.close();
  });

  it('the main thread stays free while threads read', async () => {
    const documents = createDocuments();
    const reading = documents.extract({ ...slow, bytes: Buffer.alloc(500_000, '<p>text') }, signal);
    let turns = 0;
    let going = true;
    reading.finally(() => {
      going = false;
    });
    while (going) {
      await sleep(1);
      turns += 1;
    }
    expect(turns).toBeGreaterThan(5);
    await reading;
    await documents.close();
  });
});

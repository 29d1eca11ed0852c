import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createLogOptions } from './log-options.ts';

const LONG = 'x'.repeat(1_000_000);

function loud(): Error {
  const cause = Object.assign(new Error(LONG), { parameters: [LONG], query: { text: LONG } });
  return Object.assign(new Error(LONG, { cause }), { detail: LONG, cause });
}

it.each([
  ['a text', { userAgent: LONG }],
  ['an error with a cause', { err: loud() }],
  ['an error under another name', { failure: loud() }],
  ['a list of many texts', { names: Array.from({ length: 100_000 }, () => 'name') }],
  ['many fields', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field-${n}`, LONG]))],
  ['a long name', { [LONG]: 1 }],
  ['bytes', { bytes: Buffer.from(LONG) }],
  ['texts within texts', { a: { b: { c: { d: { e: { f: LONG } } } } } }],
])('a line of the log has a greatest length with %s', (_, fields) => {
  const lines: string[] = [];
  const log = pino(createLogOptions(), { write: (line: string) => void lines.push(line) });
  log.error(fields, 'It failed');
  const logged = lines.join('');
  expect(logged.length).toBeLessThan(80_000);
  expect(JSON.parse(logged)).toMatchObject({ level: 50, msg: 'It failed' });
});

it('a line of the log holds short values as they are', () => {
  const lines: string[] = [];
  const log = pino(createLogOptions(), { write: (line: string) => void lines.push(line) });
  log.info({ path: '/gallery', ms: 1.5, tables: ['a', 'b'], none: null, err: new TypeError('no') });
  expect(JSON.parse(lines.join(''))).toMatchObject({
    path: '/gallery',
    ms: 1.5,
    tables: ['a', 'b'],
    none: null,
    err: { type: 'TypeError', message: 'no', stack: expect.stringContaining('log-options.test.ts') },
  });
});

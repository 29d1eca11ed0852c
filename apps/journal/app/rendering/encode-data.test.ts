import { createRequestHandler, type ServerBuild } from 'react-router';
import { expect, it } from 'vitest';
import { encodeData } from './encode-data.ts';

/** Returns the data of a page as the router sends it. */
async function encodeByRouter(data: unknown): Promise<string> {
  const page = { id: 'page', path: 'page', module: { default: () => null, loader: () => data } };
  const build = { routes: { page }, entry: { module: {} }, ssr: true, prerender: [], routeDiscovery: {} };
  const handle = createRequestHandler(build as unknown as ServerBuild, 'production');
  return (await handle(new Request('http://localhost/page.data'))).text();
}

const REPEATED = { title: 'Herz', languages: ['de', 'en'] };

it.each<[string, unknown]>([
  ['texts, also with what JSON escapes', ['', 'a"b\\c\n', '“Größe”', '\u2028', '</script>', '🫀', '\ud83e']],
  ['numbers', [0, 1, -1, 1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0]],
  ['what is nothing', { a: null, b: undefined, c: false, d: '' }],
  ['the same values again', [REPEATED, REPEATED, 'Herz', 'title', { title: 'Herz' }, true, true]],
  [
    'lists and objects within each other',
    { a: { b: [[], {}, [{ c: [1, [2]] }]] }, 'a b': { '0': 'x', _1: 2 } },
  ],
  ['a text alone', 'Herz'],
])('the data of a page is encoded as the router does: %s', async (_, data) => {
  expect(encodeData({ page: { data } })).toBe(await encodeByRouter(data));
});

it.each<[string, unknown]>([
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['a promise', Promise.resolve(1)],
  ['an error', new Error('Failed.')],
  ['a function', () => 1],
])('the data of a page is left to the router when it holds %s', (_, value) => {
  expect(() => encodeData({ page: { data: [value] } })).toThrow(TypeError);
});

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 400;
const MIN_LINES = 15;
const MAX_FILES = 25;

/** Short files that stand alone, each for a reason. */
const SHORT_FILES: ReadonlyMap<string, string> = new Map([
  ['apps/journal/server.ts', 'an entry file, which alone reads the environment'],
  ['apps/journal/react-router.config.ts', 'React Router reads it under this name'],
  ['apps/journal/app/layout/should-revalidate.ts', 'React Router takes it from each route under this name'],
  ['apps/journal/app/language/member-messages.ts', 'what imports it waits, and nothing else may'],
  ['apps/journal/app/markdown/links.ts', 'pages of readers load it, and not the parser'],
  ['apps/journal/app/desk/built-files.d.ts', 'the type of a module that the build makes'],
  ['apps/journal/app/discovery/feed/feed-path.ts', 'every page loads it, and the feed is the server’s alone'],
  ['apps/journal/app/editor/view/shortcuts.ts', 'the buttons of the editor and its help share it alone'],
  ['packages/backend/src/core/version.ts', 'connections, commands and metrics of all floors carry it'],
  ['packages/backend/src/runtime/file-handles.ts', 'sockets and connections of two packages share it alone'],
  [
    'packages/client/src/auth/second-step.ts',
    'every page loads it, and the calls of factors with the first of them',
  ],
  ['apps/journal/app/desk/translations/use-translations.ts', 'components of several folders share it alone'],
  ['apps/journal/app/post/translation/changed-mark.tsx', 'two texts share it, of which one loads on demand'],
  ['apps/journal/app/publish/publishing/mark-machine-written.ts', 'two ways of publishing share it alone'],
  ['apps/journal/desk/translations/exchange/language-tags.ts', 'several formats share it alone'],
  ['apps/journal/desk/translations/records/dose-guard.ts', 'it is loaded by its file, once it is needed'],
  [
    'packages/backend/src/services/data/documents/html/jsdom-parser.d.ts',
    'TypeScript takes the types of a foreign module from a file of their own',
  ],
]);

/**
 * Returns whether a file may be short: a door lists what others import, a service has its settings under the same name as
 * all others, a catalogue lists the texts of a screen, which loads them by a file, and React Router wants a module for each
 * route.
 */
const mayBeShort = (path: string) =>
  ['index.ts', 'settings.ts', 'route.tsx'].includes(basename(path)) ||
  /\/(?:messages|routes)\/|\/load-[a-z]+-messages\.ts$/.test(path);

const files = globSync('{packages/*/src,apps/journal}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/node_modules', '**/build', '**/.react-router'],
});
/** The parts of tests, benches and scripts that several of them share, and the styles. */
const helpers = globSync(
  '{tests,bench,scripts,packages/*/testing,packages/*/scripts,apps/journal/{testing,app}}/**/*.{ts,mjs,css}',
  { cwd: ROOT, exclude: ['**/node_modules'] },
).filter((path) => !/\.(?:test|spec)\.ts$/.test(path));
const product = files.filter((path) => !/\.test\.tsx?$|\/testing\//.test(path));
const lines = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8').split('\n').length - 1;

it(`no file of the product, and none that tests share, has more than ${MAX_LINES} lines`, () => {
  expect(product.length).toBeGreaterThan(500);
  expect([...product, ...helpers].filter((path) => lines(path) > MAX_LINES)).toEqual([]);
});

it(`the files of the product with fewer than ${MIN_LINES} lines are those with a reason to stand alone`, () => {
  const short = product.filter((path) => lines(path) < MIN_LINES && !mayBeShort(path));
  expect(short.sort()).toEqual([...SHORT_FILES.keys()].sort());
});

it(`no folder of the product has more than ${MAX_FILES} files`, () => {
  const folders = Map.groupBy(files, dirname);
  const full = [...folders].filter(([, { length }]) => length > MAX_FILES).map(([folder]) => folder);
  expect(full).toEqual([]);
});

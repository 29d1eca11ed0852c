// npm run test:durations: notes the seconds that the files of the last run took, by which a fresh clone orders them (tests/durations.json).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './runtime.mjs';

/** The order of shorter files makes no difference. */
const MIN_SECONDS = 5;

const cache = join(root, 'node_modules/.vite/vitest');
const [results] = (existsSync(cache) ? readdirSync(cache) : [])
  .map((folder) => join(cache, folder, 'results.json'))
  .filter((path) => existsSync(path));
if (!results) fail('There is no last run: npm test.');
const { projects } = JSON.parse(readFileSync(results, 'utf8'));
const seconds = Object.entries(projects)
  .flatMap(([project, { files }]) =>
    Object.entries(files).map(([path, { duration }]) => [`${project}:${path}`, Math.round(duration / 1_000)]),
  )
  .filter(([, duration]) => duration >= MIN_SECONDS)
  .sort(([, a], [, b]) => b - a);
writeFileSync(
  join(root, 'tests/durations.json'),
  `${JSON.stringify(Object.fromEntries(seconds), null, 2)}\n`,
);

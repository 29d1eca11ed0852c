// npm run test:long [-- FILE…]: repeats what npm test tries a few times as often as it takes to trust it.
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { buildPages } from './build-pages.mjs';
import { install } from './install.mjs';
import { node, root } from './runtime.mjs';

/** Tells how often each of them is repeated, and on how many posts, by the settings that the tests read. */
const REPETITIONS = {
  KILLS: '50',
  SEQUENCES: '1000',
  QUERIES: '10000',
  TEXTS: '400',
  PARAGRAPHS: '300',
  POSTS: '1000000',
  ROTATIONS: '3',
  WALKS: '500',
};
const TESTS = [
  'tests/server/killed-publication.test.ts',
  'apps/journal/desk/translations/jobs/translation-jobs.test.ts',
  'apps/journal/desk/translations/jobs/model-behaviours.test.ts',
  'tests/server/read-rows.test.ts',
  'tests/server/once/translation-identity.test.ts',
  'tests/server/once/hostile-texts.test.ts',
  'apps/journal/desk/random-walks.test.ts',
  'packages/backend/src/services/auth/mail-links/random-walks.test.ts',
  'packages/backend/src/services/auth/fresh-proof/token-alone.test.ts',
  'packages/backend/src/services/rest/read/bad-queries.test.ts',
  'apps/journal/app/editor/document/round-trip.test.ts',
];
/** A database of a million posts is too large for a folder in memory. */
const FOLDERS = { TEST_POSTGRES_FOLDER: tmpdir() };
const chosen = process.argv.slice(2);

await install('everything');
await buildPages();
const { status } = spawnSync(
  node(),
  [
    ...['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', '--testTimeout=7200000'],
    ...(chosen.length > 0 ? chosen : TESTS),
  ],
  { cwd: root, stdio: 'inherit', env: { ...FOLDERS, ...REPETITIONS, ...process.env } },
);
process.exit(status ?? 1);

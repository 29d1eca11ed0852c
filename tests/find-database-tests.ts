import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Whoever opens a database in a test asks here for one. */
const DATABASES = join(ROOT, 'packages/backend/src/database/build-test-engine.ts');

/** What packages offer to tests of others. */
const OFFERED: Readonly<Record<string, string>> = {
  '@fabrica/backend/testing': join(ROOT, 'packages/backend/src/database/build-test-database.ts'),
};

/** SQLite's own tests look at its files. */
const OF_SQLITE = 'packages/backend/src/database/sqlite/';

/**
 * What these look at is the same whatever the database is: uploads' files, pictures, models, websockets, pages, the
 * process, the folder of projects. Rows of files, of usage and of mails are looked at by their neighbours on both.
 */
const ONCE: readonly string[] = [
  'packages/backend/src/ai/image/image.test.ts',
  'packages/backend/src/ai/text/search.test.ts',
  'packages/backend/src/ai/transcribe/transcribe.test.ts',
  'packages/backend/src/realtime/realtime-nodes.test.ts',
  'packages/backend/src/realtime/socket-faults.test.ts',
  'packages/backend/src/storage/clean-picture.test.ts',
  'packages/backend/src/storage/hostile-files.test.ts',
  'packages/backend/src/storage/media-type.test.ts',
  'packages/backend/src/storage/serve-kept.test.ts',
  'packages/backend/src/storage/variants.test.ts',
  'tests/acceptance/public-client-ai-media.test.ts',
  'tests/acceptance/public-client-data.test.ts',
  'tests/auth-pages.test.ts',
  'tests/cli-storage.test.ts',
  'tests/process.test.ts',
  'tests/projects-folder.test.ts',
  'tests/realtime-faults.test.ts',
];

const TESTS = ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'];

/** Test files that open a database, whichever engine it is on; as paths from the root. */
export function findDatabaseTests(): string[] {
  const imports = new Map<string, readonly string[]>();
  const opensDatabase = (test: string): boolean => {
    const reached = new Set([test]);
    for (const file of reached) {
      if (file === DATABASES) return true;
      const named = imports.get(file) ?? importsOf(file);
      imports.set(file, named);
      for (const one of named) reached.add(one);
    }
    return false;
  };
  return globSync(TESTS, {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|build)(\/|$)/.test(String(path)),
  })
    .filter((path) => !path.startsWith(OF_SQLITE) && !ONCE.includes(path) && opensDatabase(join(ROOT, path)))
    .sort();
}

/** Files of ours that a file names, other than for their types. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';/gm)]
    .map(
      ([, name = '']) => OFFERED[name] ?? (name.startsWith('.') ? resolve(dirname(file), name) : undefined),
    )
    .filter((path) => path !== undefined)
    .filter((path) => path.endsWith('.ts') && existsSync(path));
}

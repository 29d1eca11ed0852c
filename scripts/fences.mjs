// npm run fences: writes biome.fences.json, by which lint refuses imports, from the floors of ARCHITECTURE.md as they are below.
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './runtime.mjs';

const FILE = join(root, 'biome.fences.json');
const NO_TESTS = '!**/*.test.ts';
const SRC = 'packages/backend/src';
const JOURNAL = ['@fabrica/journal', '@fabrica/journal/**'];

/** The floors of the backend. Each imports only what stands before it; those of one line do not import each other. */
const FLOORS = [
  ['core'],
  ['runtime'],
  ['database'],
  ['http'],
  ['mail', 'fetcher'],
  ['services'],
  ['backup'],
  ['cli'],
];
/** The services, each with the others that it imports through their index.ts. */
const SERVICES = {
  ...{ ai: ['storage'], analytics: [], auth: ['analytics', 'storage'], data: ['storage'] },
  ...{ notifications: [], realtime: [], rest: [], storage: [] },
};

const below = (folder) => `**/${folder}/**`;
const fence = (message, ...group) => ({ group, message });

const KNOWS_NO_PRODUCT = fence(
  'The backend knows neither React nor the journal.',
  ...['@fabrica/client', '@fabrica/client/**', ...JOURNAL],
  ...['react', 'react-dom', 'react-dom/**', 'react-router', 'react-router/**'],
);
const NO_TEST_SUPPORT = fence(
  'Test support is never imported by the product.',
  ...['@fabrica/backend/testing/**', '@fabrica/test-peers/**', below('testing')],
);
const NO_CONFIGURATION = fence(
  'Only backup, the command line and the backend itself know the whole configuration.',
  ...['**/config.ts', '**/project-database.ts', '**/projects-folder.ts', '**/backend.ts'],
);
const SERVICES_BY_INDEX = fence(
  'A service is imported through its index.ts.',
  ...['**/services/*/**', '!**/services/*/index.ts'],
);

/** The fences that stand around each folder: what nothing in it imports, and why. */
const FENCES = [
  [['packages/contract/**'], fence('The contract depends on zod only.', '**', '!./**', '!../**', '!zod')],
  [
    ['packages/dose-guard/src/**', '!packages/dose-guard/**/*.test.ts'],
    fence('The dose guard runs in browsers and workers: it imports itself only.', '**', '!./**', '!../**'),
    fence(
      'The dose guard imports nothing outside its own src.',
      '../**/{apps,backend,client,contract,journal,packages,testing,tests}/**',
    ),
  ],
  [
    ['packages/client/src/**', '!packages/client/**/*.test.ts'],
    fence(
      "The client runs in browsers: it imports itself and the contract's types and limits.",
      ...['**', '!./**', '!../**', '!@fabrica/contract'],
    ),
    fence(
      'The client imports nothing outside its own src.',
      '../**/{apps,backend,contract,journal,packages,testing,tests}/**',
    ),
  ],
  [
    ['packages/client/**/*.test.ts', 'packages/client/testing/**'],
    fence(
      "Of the other packages, the client's tests import @fabrica/backend/testing/* and @fabrica/contract.",
      ...['@fabrica/backend', ...JOURNAL, 'react', 'react-dom/**', 'react-router/**'],
      '../**/{apps,backend,contract,journal,packages,tests}/**',
    ),
  ],
  [
    ['apps/journal/app/**'],
    fence('Pages speak to the backend through the client.', '@fabrica/backend', '@fabrica/backend/**'),
  ],
  [
    ['apps/journal/{project,segments,references,desk}/**', '!apps/journal/**/*.test.ts'],
    fence(
      'The pages in app/ are the roof: nothing below imports them. What both need is in project/.',
      ...[below('app'), below('server')],
    ),
  ],
  [
    ['apps/journal/app/ui/**'],
    fence('The primitives in ui/ import nothing of the journal.', '@fabrica/*', '../**'),
  ],
  [['packages/backend/**'], KNOWS_NO_PRODUCT],
  ...FLOORS.slice(
    0,
    FLOORS.findIndex(([floor]) => floor === 'services'),
  ).flatMap((floor) => floor.map((folder) => [[`${SRC}/${folder}/**`, NO_TESTS], ...fencesOf(folder)])),
  ...Object.entries(SERVICES).map(([service, imported]) => [
    [`${SRC}/services/${service}/**`, NO_TESTS],
    ...fencesOf('services'),
    fenceOfService(service, imported),
  ]),
  [
    [`${SRC}/backup/**`, NO_TESTS],
    ...[KNOWS_NO_PRODUCT, NO_TEST_SUPPORT, SERVICES_BY_INDEX],
    fence('Nothing imports upwards.', '**/backend.ts'),
    upwardsOf('backup'),
  ],
  [[`${SRC}/cli/**`, `${SRC}/*.ts`, NO_TESTS], KNOWS_NO_PRODUCT, NO_TEST_SUPPORT, SERVICES_BY_INDEX],
];

function fencesOf(folder) {
  return [KNOWS_NO_PRODUCT, NO_TEST_SUPPORT, NO_CONFIGURATION, upwardsOf(folder)];
}

/** Returns the fence between a floor and those that stand on it or beside it. */
function upwardsOf(folder) {
  const level = FLOORS.findIndex((floor) => floor.includes(folder));
  const others = FLOORS.slice(level).flat();
  const order = FLOORS.map((floor) => floor.join(' and ')).join(', ');
  return fence(
    `Nothing imports upwards: ${order}, backend.`,
    ...others.filter((other) => other !== folder).map(below),
  );
}

function fenceOfService(service, imported) {
  const others = Object.keys(SERVICES).filter((other) => other !== service);
  const through = `${imported.join(' and ')} through index.ts, and no other service.`;
  return fence(
    imported.length > 0 ? `It imports ${through}` : 'It imports no other service.',
    ...others.map(below),
    ...imported.map((other) => `!**/${other}/index.ts`),
  );
}

/** Returns what biome.fences.json has to say: one line a folder, which nobody edits. */
export function writeFences() {
  const overrides = FENCES.map(([includes, ...patterns]) => {
    const noRestrictedImports = { level: 'error', options: { patterns } };
    return JSON.stringify({ includes, linter: { rules: { style: { noRestrictedImports } } } });
  });
  return `{"overrides":[\n${overrides.join(',\n')}\n]}\n`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  writeFileSync(FILE, writeFences());

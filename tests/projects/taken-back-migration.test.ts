import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort, runServerToEnd, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
let settings: TestSettings & { PROJECTS_DIR: string };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-projects-'));
  settings = { ...(await buildTestSettings()), PROJECTS_DIR: folder };
});
afterEach(async () => {
  await removeTestSettings(settings);
  await rm(folder, { recursive: true });
});

const BEDS = `
  beds: {
    columns: { id: { type: 'text', max: 20 }, ward: { type: 'text', max: 20 }, taken: { type: 'integer' } },
    policies: { anonymous: { read: everyRow, create: everyRow } },
  },`;
/** A view whose columns are computed: by a count, a cast and a sum. */
const WARDS = `
  wards: {
    view: true,
    columns: {
      id: { type: 'text', max: 20 },
      beds: { type: 'integer' },
      taken: { type: 'integer' },
      code: { type: CODE_TYPE, max: 20 },
    },
    policies: { anonymous: { read: everyRow } },
  },`;
const FIRST = `
  'hospital-0001-beds': {
    async up(db) {
      await db.schema.createTable('beds')
        .addColumn('id', 'text', (column) => column.notNull().primaryKey())
        .addColumn('ward', 'text', (column) => column.notNull())
        .addColumn('taken', 'bigint', (column) => column.notNull())
        .execute();
    },
  },`;
const SECOND = `
  'hospital-0002-wards': {
    async up(db) {
      await sql\`create view wards as select ward as id, count(*) as beds, cast(sum(taken) as bigint) as taken,
        cast(length(ward) as integer) as code from beds group by ward\`.execute(db);
    },
  },`;

const write = (tables: string, migrations: string) =>
  writeFile(
    join(folder, 'hospital.mjs'),
    `import { defineProject, everyRow } from '@fabrica/backend';
import { sql } from 'kysely';
export default defineProject({
  id: 'hospital', roles: { member: { permissions: [] } }, signUpRole: 'member', origins: [],
  tables: {${tables}}, migrations: {${migrations}},
});\n`,
  );

async function withServer(act: (rest: (path: string, body?: object) => Promise<unknown>) => Promise<void>) {
  const server = await startServer({ ...settings, DEMO: 'off' }, settings.DATA_DIR);
  try {
    await act(async (path, body) => {
      const response = await fetch(`${server.url}/api/db/hospital/rest/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return body ? response.status : response.json();
    });
  } finally {
    await server.stop();
  }
}

it('a migration that makes a view with computed columns runs, and its rows are read', async () => {
  await write(BEDS, FIRST);
  await withServer(async (rest) => {
    for (const [id, taken] of [
      ['1', 0],
      ['2', 1],
      ['3', 1],
    ] as const)
      expect(await rest('beds', { id, ward: 'west', taken })).toBe(201);
  });
  await write(BEDS + WARDS.replace('CODE_TYPE, max: 20', "'integer'"), FIRST + SECOND);
  await withServer(async (rest) => {
    expect(await rest('wards?select=id,beds,taken,code')).toEqual([
      { id: 'west', beds: 3, taken: 2, code: 4 },
    ]);
  });
});

it('a migration whose tables are not those of the definition is taken back, and the former version starts again', async () => {
  await write(BEDS, FIRST);
  await withServer(async (rest) => {
    expect(await rest('beds', { id: '1', ward: 'west', taken: 1 })).toBe(201);
  });
  await write(BEDS + WARDS.replace('CODE_TYPE', "'text'"), FIRST + SECOND);
  const refusal = [
    'Project "hospital": Migration "hospital-0002-wards" is taken back: Project "hospital" and its database differ:',
    '  column "wards.code" is defined as text and is integer in the database',
  ].join('\n');
  const PORT = String(await freePort());
  const { exitCode, stderr } = await runServerToEnd({ ...settings, DEMO: 'off', HOST: '127.0.0.1', PORT });
  expect([exitCode, stderr]).toEqual([78, expect.stringContaining(refusal)]);
  const up = await runFabrica(['migrate', 'up', '--project', 'hospital'], settings);
  expect([up.exitCode, up.stderr]).toEqual([
    1,
    expect.stringContaining('"hospital-0002-wards" is taken back'),
  ]);
  await write(BEDS, FIRST);
  await withServer(async (rest) => {
    expect(await rest('beds?select=id,ward')).toEqual([{ id: '1', ward: 'west' }]);
    expect(await rest('wards?select=id')).toMatchObject({ code: 'UNKNOWN_TABLE' });
  });
});

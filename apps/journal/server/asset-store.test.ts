import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigratedEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { expect, onTestFinished, test } from 'vitest';
import { assetMigration } from '../project/migrations/asset-migration.ts';
import { AssetStore } from './asset-store.ts';

const DAY_MS = 86_400_000;

async function openStore() {
  const project = { id: 'journal', schema: new Map() };
  const engine = await openMigratedEngine([{ ...project, migrations: { '1-assets': assetMigration } }]);
  const database = await engine.open(project);
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-assets-'));
  onTestFinished(async () => {
    await rm(folder, { recursive: true });
    await database.close();
    await engine.close();
  });
  const build = async (version: string, files: Record<string, string>) => {
    await mkdir(join(folder, version));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, version, name), text);
    return join(folder, version);
  };
  return { store: new AssetStore(database), build };
}

const textOf = async (store: AssetStore, name: string) =>
  (await store.read(name, undefined))?.content.toString();

test('files of former versions are kept for a month after the last start of a version that has them', async () => {
  const { store, build } = await openStore();
  const first = await build('1', { 'a-1.js': 'one', 'shared.css': 'body {}' });
  const second = await build('2', { 'a-2.js': 'two', 'shared.css': 'body {}' });
  await store.keep(first, 0);
  await store.keep(second, 20 * DAY_MS);
  expect([await textOf(store, 'a-1.js'), await textOf(store, 'a-2.js')]).toEqual(['one', 'two']);
  await store.keep(second, 31 * DAY_MS);
  expect(await textOf(store, 'a-1.js')).toBeUndefined();
  expect(await textOf(store, 'shared.css')).toBe('body {}');
  expect(await textOf(store, 'a-2.js')).toBe('two');
});

test('a file is compressed only for clients that say so, and of an unknown type or name is none', async () => {
  const { store, build } = await openStore();
  await store.keep(await build('1', { 'a-1.js': 'one', 'notes.exe': 'x', 'a-1.js.br': 'a copy' }));
  const encodingFor = async (accepted: string) =>
    (await store.read('a-1.js', accepted))?.headers['content-encoding'];
  expect(await encodingFor('br, gzip')).toBe('gzip');
  for (const accepted of ['br', 'identity', 'gzip;q=0']) expect(await encodingFor(accepted)).toBeUndefined();
  for (const name of ['notes.exe', 'a-1.js.br', '../a-1.js', 'a-2.js', ''])
    expect(await store.read(name, 'gzip')).toBeUndefined();
});

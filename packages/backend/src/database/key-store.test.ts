import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKeys, rotateSigningKey } from '../core/keys.ts';
import { keyMigrations, openKeyStore } from './key-store.ts';
import { migrateToLatest } from './migrate.ts';
import type { Database } from './port.ts';

const SECRET = 'a secret that all nodes are told, in their settings';

let engine: TestEngine;
let database: Database;
let folders: string;

beforeEach(async () => {
  folders = await mkdtemp(join(tmpdir(), 'fabrica-keys-'));
  engine = await openTestEngine();
  database = await engine.open({ id: 'journal', schema: new Map() });
  await migrateToLatest(database, keyMigrations);
});
afterEach(async () => {
  await database.close();
  await engine.close();
  await rm(folders, { recursive: true });
});

/** Opens the keys as a node with this data folder does. */
const open = (node: string, masterKey?: string, masterKeyFormer?: string) =>
  openKeyStore({ database }, { dataDir: join(folders, node), masterKey, masterKeyFormer });

test('nodes that start at once with the same secret agree on all keys, which the database has sealed alone', async () => {
  const nodes = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (node) => loadKeys(await open(node, SECRET))),
  );
  const signers = await Promise.all(nodes.map((keys) => keys.signer()));
  expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
  expect(new Set(nodes.map(({ refreshKeys }) => refreshKeys.current.toString('hex'))).size).toBe(1);
  const secrets = await Promise.all(nodes.map((keys) => keys.projectSecret('journal')));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(folders)).toEqual([]);
  const rows = JSON.stringify(await database.reader.selectFrom('server_keys').selectAll().execute());
  expect(rows).not.toContain(secrets[0]);
  expect(rows).not.toContain('kty');
});

test('a rotation counts on all nodes at once: none refuses a token of the other', async () => {
  const [here, there] = [await open('a', SECRET), await open('b', SECRET)];
  const [first, second] = [await loadKeys(here), await loadKeys(there)];
  for (const store of [here, there, here]) {
    const kid = await rotateSigningKey(store);
    for (const keys of [first, second]) expect(await keys.verifier(kid)).toBeDefined();
    expect((await first.signer()).kid).toBe((await second.signer()).kid);
  }
  expect((await second.jwks()).keys).toHaveLength(4);
});

test('without a setting, the secret is in a file that only its owner may read', async () => {
  const first = await loadKeys(await open('a'));
  const path = join(folders, 'a', 'keys', 'master.key');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folders, 'a', 'keys'))).mode & 0o777).toBe(0o700);
  const again = await loadKeys(await open('a'));
  expect(again.refreshKeys.current).toEqual(first.refreshKeys.current);
});

test('a node with another secret, or with none, says so and makes no keys of its own', async () => {
  await loadKeys(await open('a', SECRET));
  await expect(open('b', `another ${SECRET}`)).rejects.toThrow('sealed with another secret');
  await expect(open('c')).rejects.toThrow('set MASTER_KEY as on the other nodes');
  expect(await readdir(folders)).toEqual([]);
  expect(await database.reader.selectFrom('server_keys').selectAll().execute()).toHaveLength(3);
});

test('keys are sealed anew when the settings name another secret beside the former one in the file', async () => {
  const before = await loadKeys(await open('a'));
  const moved = await loadKeys(await open('a', SECRET));
  expect(moved.refreshKeys.current).toEqual(before.refreshKeys.current);
  expect((await loadKeys(await open('b', SECRET))).refreshKeys.current).toEqual(before.refreshKeys.current);
});

test('nodes without files take over a new secret beside the former one, all at once, and need the former no longer then', async () => {
  const before = await loadKeys(await open('a', SECRET));
  const next = `another ${SECRET}`;
  const nodes = await Promise.all(
    ['b', 'c', 'd'].map(async (node) => loadKeys(await open(node, next, SECRET))),
  );
  for (const { refreshKeys } of nodes) expect(refreshKeys.current).toEqual(before.refreshKeys.current);
  expect((await loadKeys(await open('e', next))).refreshKeys.current).toEqual(before.refreshKeys.current);
  await expect(open('a', SECRET)).rejects.toThrow('sealed with another secret');
  expect(await readdir(folders)).toEqual([]);
});

test('key files of an older version are taken over once and set aside', async () => {
  const folder = join(folders, 'a', 'keys');
  await mkdir(folder, { recursive: true });
  const keys = await loadKeys(await open('other', SECRET));
  const older = {
    'signing.json': JSON.stringify({ keys: [JSON.parse(SIGNING)] }),
    'refresh.key': Buffer.alloc(32, 1).toString('base64url'),
    'secrets.key': Buffer.alloc(32, 2).toString('base64url'),
    'project-journal.secret': `sk_${'a'.repeat(43)}`,
  };
  for (const [name, text] of Object.entries(older)) await writeFile(join(folder, name), `${text}\n`);
  await database.writer.deleteFrom('server_keys').execute();

  const store = await open('a');
  const taken = await loadKeys(store);
  expect(taken.refreshKeys.current).toEqual(Buffer.alloc(32, 1));
  expect(taken.secretsKeys.current).toEqual(Buffer.alloc(32, 2));
  expect(taken.refreshKeys.current).not.toEqual(keys.refreshKeys.current);
  expect(await taken.projectSecret('journal')).toBe(older['project-journal.secret']);
  expect((await taken.jwks()).keys).toMatchObject([{ x: JSON.parse(SIGNING).x }]);
  expect(await store.setFilesAside()).toBe(join(folder, 'taken-over'));
  expect((await readdir(folder)).sort()).toEqual(['master.key', 'taken-over']);
  expect((await readdir(join(folder, 'taken-over'))).sort()).toEqual(Object.keys(older).sort());
  expect(await readFile(join(folder, 'taken-over', 'refresh.key'), 'utf8')).toBe(`${older['refresh.key']}\n`);

  const again = await open('a');
  expect((await loadKeys(again)).refreshKeys.current).toEqual(taken.refreshKeys.current);
  expect(await again.setFilesAside()).toBeUndefined();
});

/** The key of RFC 8037, appendix A. */
const SIGNING =
  '{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}';

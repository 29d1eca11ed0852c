import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, type Node, startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { countAttempts } from './ledger.ts';
import { Load } from './load.ts';
import { type ProjectVersions, writeProjectVersions } from './write-projects.ts';

let folder: string;
let versions: ProjectVersions;
let cluster: Cluster;
/** The nodes that clients use. */
let inRotation: Node[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-faults-'));
  versions = await writeProjectVersions(folder);
  cluster = await startCluster({
    nodes: 3,
    whole: false,
    settings: { DRAIN_DELAY_SECONDS: '0', PROJECTS_DIR: versions.former, DEMO: 'on' },
  });
  inRotation = [...cluster.nodes];
}, 120_000);

afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (attempt: number) => inRotation[attempt % inRotation.length]?.url ?? '';

it('three nodes that start at once on an empty database make the demo once, and share their keys', async () => {
  const titles = await Promise.all(
    cluster.nodes.map(async ({ url }) => {
      const response = await fetch(`${url}/api/db/journal/rest/v1/journal_posts?select=title`);
      return ((await response.json()) as { title: string }[]).map(({ title }) => title).sort();
    }),
  );
  const [first = []] = titles;
  expect(first.length).toBeGreaterThan(4);
  expect(new Set(first).size).toBe(first.length);
  expect(titles).toEqual([first, first, first]);
  const keys = cluster.nodes.map(async ({ url }) => (await fetch(`${url}/.well-known/jwks.json`)).text());
  expect(new Set(await Promise.all(keys)).size).toBe(1);
});

it('every node serves the files that pages of another version load, and of no version what nobody has', async () => {
  const script = 'export const version = "the next one";';
  const client = await connect();
  const table = await qualifiedName(client, 'page_assets');
  const insert = `INSERT INTO ${table} (name, kept_at, content) VALUES ('entry-NEXT.js', $1, $2)`;
  await client.query(insert, [Date.now(), gzipSync(script).toString('base64')]);
  const { rows } = await client.query(`SELECT name FROM ${table} WHERE name LIKE 'entry.client-%'`);
  await client.end();
  for (const { url } of cluster.nodes) {
    for (const encoding of ['gzip, deflate, br', 'identity']) {
      const response = await fetch(`${url}/assets/entry-NEXT.js`, {
        headers: { 'accept-encoding': encoding },
      });
      expect([response.status, await response.text()]).toEqual([200, script]);
      expect(response.headers.get('content-type')).toContain('javascript');
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
    const missing = await fetch(`${url}/assets/entry-NEVER.js`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
  expect(rows).toHaveLength(1);
});

describe('under load', () => {
  it.each(['a node is killed', 'Redis is killed'])(
    'no acknowledged write and no message is lost when %s',
    async (name) => {
      const fault = faults.find((one) => one.name === name);
      const load = await Load.start({ urlOf, withFiles: false, pauseMs: 20 });
      await load.writesOnAgain();
      await fault?.happen(cluster, 0.5, load);
      await load.writesOnAgain();
      const { lostWrites, lostMessages, writes } = await load.stop();
      expect({ lostWrites, lostMessages }).toEqual({ lostWrites: 0, lostMessages: 0 });
      expect(writes.ok).toBeGreaterThan(10);
    },
    90_000,
  );

  it('nodes of two versions serve side by side, forth and back, without a failed request', async () => {
    const key = await secretKeyOf(cluster, 'ward');
    const notes = await startNotes(key);
    const [one, other] = cluster.nodes;
    if (!one || !other) throw new Error('There are no two nodes.');
    const replace = async (node: Node, projects: string) => {
      inRotation = cluster.nodes.filter((any) => any !== node);
      await notes.further(2);
      await node.stop();
      // A reader of the table lets a migration wait, which must let others pass.
      const reader = await holdTable();
      const started = node.start({ PROJECTS_DIR: projects });
      await notes.further(20);
      await reader.end();
      await started;
      inRotation = [...cluster.nodes];
      await notes.further(10);
    };
    await replace(one, versions.present);
    const filled = await fetch(`${one.url}/api/db/ward/rest/v1/notes?select=id&kind=eq.plain&limit=3`);
    expect(await filled.json()).toHaveLength(3);
    // A node of the former version starts on the new tables, as after a crash or on the way back.
    await replace(other, versions.former);
    await replace(one, versions.former);
    const { ok, failed } = countAttempts(await notes.stop());
    expect(failed).toEqual({});
    expect(ok).toBeGreaterThan(90);
  }, 180_000);
});

/** Connects to the nodes' database as its superuser. */
async function connect(): Promise<Client> {
  const url = new URL(cluster.primary.url);
  url.pathname = '/fabrica';
  const client = new Client(url.href);
  await client.connect();
  return client;
}

async function qualifiedName(client: Client, table: string): Promise<string> {
  const { rows } = await client.query('SELECT oid::regclass::text AS name FROM pg_class WHERE relname = $1', [
    table,
  ]);
  return rows[0].name;
}

async function holdTable(): Promise<Client> {
  const client = await connect();
  await client.query(`BEGIN; SELECT count(*) FROM ${await qualifiedName(client, 'notes')}`);
  return client;
}

/** Writes and reads notes, one request after the other, until it is stopped. */
async function startNotes(key: string) {
  const attempts: { began: number; ended: number; status: number }[] = [];
  let isOver = false;
  let waiting: { count: number; resolve(): void }[] = [];
  const running = (async () => {
    for (let at = 0; !isOver; at += 1) {
      const began = Date.now();
      const url = `${urlOf(at)}/api/db/ward/rest/v1/notes`;
      const response =
        at % 2 === 0
          ? await fetch(url, {
              method: 'POST',
              headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
              body: JSON.stringify({ text: `note ${at}` }),
            })
          : await fetch(`${url}?select=id,text&order=id.desc&limit=5&offset=${at % 11}`);
      await response.arrayBuffer();
      attempts.push({ began, ended: Date.now(), status: response.status });
      waiting = waiting.filter((one) => {
        one.count -= 1;
        if (one.count === 0) one.resolve();
        return one.count > 0;
      });
    }
  })();
  const further = (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve }));
  return {
    further,
    async stop() {
      isOver = true;
      await running;
      return attempts;
    },
  };
}

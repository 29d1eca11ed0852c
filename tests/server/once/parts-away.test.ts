import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildPost, signUp } from '@fabrica/test-peers/author.ts';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, it, onTestFinished } from 'vitest';

interface Line {
  level: number;
  msg?: string;
  err?: { code?: string; message: string; cause?: string; stack?: string };
}

interface Findings {
  findings: { name: string; state: string; text: string }[];
}

const linesOf = (server: RunningServer): Line[] =>
  server
    .output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

async function start(...options: Parameters<typeof startServer>): Promise<RunningServer> {
  const server = await startServer(...options);
  onTestFinished(() => server.close());
  return server;
}

/** Runs the doctor in a process of its own, which nothing else keeps alive. */
async function examine(settings: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await runFabrica(['doctor', '--json'], settings);
  const { findings } = JSON.parse(stdout) as Findings;
  return { exitCode, stderr, of: (name: string) => findings.find((finding) => finding.name === name) };
}

const readiness = async ({ url }: RunningServer) => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
};

it('a server on SQLite starts without its Redis, and logs what is refused meanwhile in a short line a second', async () => {
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
  const server = await start({ REDIS_URL, DEMO: 'off', RATE_LIMIT: 'off' });
  expect(await readiness(server)).toMatchObject({
    status: 200,
    body: { status: 'degraded', parts: { realtime: 'Redis is away.', database: 'ok' } },
  });
  const { token } = await signUp(server);
  const started = Date.now();
  const publish = async () => {
    const response = await fetch(`${server.url}/api/realtime/journal/publish`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ channel: 'public:ward', type: 'note', data: {} }),
    });
    return response.status;
  };
  const statuses: number[] = [];
  for (let count = 0; count < 60; count += 1) statuses.push(await publish());
  expect(new Set(statuses)).toEqual(new Set([503]));
  const seconds = (Date.now() - started) / 1_000;
  const faults = linesOf(server).filter(({ err }) => err?.code === 'REALTIME_UNAVAILABLE');
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.length).toBeLessThanOrEqual(seconds + 1);
  for (const fault of faults) {
    expect(fault).toMatchObject({ level: 50, err: { cause: 'Redis is away.' } });
    expect(fault.err?.stack).toBeUndefined();
    expect(JSON.stringify(fault).length).toBeLessThan(500);
  }
});

it('the doctor says that Redis is away when nothing else keeps its process alive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
  const { exitCode, stderr, of } = await examine({ DATA_DIR: folder, REDIS_URL });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Not all is well: redis.' });
  expect(of('redis')).toMatchObject({ state: 'failed', text: expect.stringMatching(/^Redis is away\./) });
});

it('the doctor ends when a store of files and a database take connections and never respond', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fabrica-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { exitCode, of } = await examine({
    DATA_DIR: folder,
    DATABASE_URL: url.replace('http://', 'postgres://fabrica:secret@').concat('/fabrica'),
    S3_ENDPOINT: url,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  expect(exitCode).toBe(1);
  expect(of('files')?.text).toBe('There was no response within 15 s.');
  expect(of('database')?.state).toBe('failed');
});

it.each(['/dev/shm', '/nowhere'])(
  'the doctor tries the store of files with %s for temporary files',
  async (TMPDIR) => {
    const folder = mkdtempSync(join(tmpdir(), 'fabrica-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { exitCode, of } = await examine({ DATA_DIR: folder, TMPDIR });
    expect([exitCode, of('files')?.state]).toEqual([0, 'ok']);
    expect(readdirSync(join(folder, 'files', '.incoming'))).toEqual([]);
  },
);

/** Overwrites the pages that hold the rows of a table. */
function damage(path: string, table: string): void {
  const connection = new DatabaseSync(path);
  const pages = connection.prepare('SELECT pageno, pgsize FROM dbstat WHERE name = ?').all(table);
  connection.close();
  const file = openSync(path, 'r+');
  for (const { pageno, pgsize } of pages) {
    const bytes = Buffer.alloc(Number(pgsize), 0xff);
    writeSync(file, bytes, 0, bytes.length, (Number(pageno) - 1) * bytes.length);
  }
}

it('a malformed SQLite file shows in /readyz, in the metrics and to the doctor', async () => {
  const server = await startServer({ DEMO: 'off' });
  onTestFinished(() => server.close());
  const author = await signUp(server);
  expect((await author.rest('POST', 'journal_posts', buildPost(author))).status).toBe(201);
  await server.stop();
  damage(join(server.dataDir, 'journal.sqlite'), 'journal_posts');
  const METRICS_PORT = String(await freePort());
  const damaged = await start({ METRICS_PORT, DEMO: 'off' }, server.dataDir);
  expect((await readiness(damaged)).body).toMatchObject({ status: 'ok', parts: { integrity: 'ok' } });
  const read = await fetch(`${damaged.url}/api/db/journal/rest/v1/journal_posts?select=title`);
  expect(read.status).toBe(500);
  await expect
    .poll(() => readiness(damaged))
    .toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        parts: { database: 'ok', integrity: expect.stringContaining('The file of journal is malformed') },
      },
    });
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  expect(metrics).toMatch(/^fabrica_part_up\{part="integrity"\} 0$/m);
  const { exitCode, of } = await examine(damaged.settings);
  expect(exitCode).toBe(1);
  expect(of('database')).toMatchObject({ state: 'failed', text: expect.stringContaining('is malformed') });
});

import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-process-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the server to its end: what it said and how it ended. */
async function runToEnd(environment: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = runServer(environment);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said };
}

describe('the server, started wrongly', () => {
  it('names every bad setting in one message and exits with 78', async () => {
    const { code, said } = await runToEnd({
      PORT: 'eighty',
      PUBLIC_URL: 'nowhere',
      AI_BASE_URL: 'http://127.0.0.1:1/v1',
      AI_API_KEY_FILE: '/nonexistent/key',
    });
    expect(code).toBe(78);
    for (const name of ['PORT', 'PUBLIC_URL', 'AI_API_KEY_FILE']) expect(said).toContain(name);
    expect(said).not.toMatch(/\bat .*\.ts:/);
  });

  it.each(['nobody', 'constructor', '__proto__'])('takes no sign-up role %s', async (role) => {
    const { code, said } = await runToEnd({
      DATA_DIR: await temporaryFolder(),
      PORT: String(await freePort()),
      SIGNUP_ROLE: role,
    });
    expect(code).toBe(78);
    expect(said).toMatch(/SIGNUP_ROLE: .*\(reader, author, admin\)/);
    expect(said).not.toMatch(/\bat .*\.ts:/);
  });

  it('says in a sentence that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = await temporaryFolder();
    const { code, said } = await runToEnd({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
    });
    other.close();
    expect(code).toBe(1);
    expect(said.trim()).toBe(
      `Port ${port} is taken by another program: stop that, or name another port in PORT.`,
    );
  });

  it('says in a sentence that the data folder cannot be written to', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const dataDir = join(file, 'data');
    const { code, said } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said.trim()).toBe(
      `The data folder ${dataDir} cannot be written to: make it writable, or name another in DATA_DIR.`,
    );
  });

  it('says in a sentence that the database is none', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(
      join(dataDir, 'journal.sqlite'),
      'this is no database, only a long enough text to look at'.repeat(50),
    );
    const { code, said } = await runToEnd({ PORT: String(await freePort()), DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(said).toContain('journal.sqlite');
    expect(said).not.toMatch(/\bat .*\.ts:/);
  });
});

describe('the server, started rightly', () => {
  it('keeps its keys to itself and its demo content once', async () => {
    const dataDir = await temporaryFolder();
    const countPosts = async (url: string) => {
      const answer = await fetch(`${url}/api/db/journal/rest/v1/journal_posts?select=id`, {
        headers: { prefer: 'count=exact' },
      });
      return Number(answer.headers.get('content-range')?.split('/')[1]);
    };
    const first = await startServer({}, dataDir);
    const posts = await countPosts(first.url);
    expect(await first.stop()).toBe(0);
    expect(posts).toBeGreaterThanOrEqual(6);
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700);
    const secret = await readFile(join(dataDir, 'keys', 'project-journal.secret'), 'utf8');
    expect((await stat(join(dataDir, 'keys', 'project-journal.secret'))).mode & 0o777).toBe(0o600);

    // As a run leaves it that was cut off right at its end.
    await writeFile(join(dataDir, 'demo.unfinished'), '');
    const second = await startServer({}, dataDir);
    await expect(stat(join(dataDir, 'demo.unfinished'))).rejects.toThrow('ENOENT');
    expect(await countPosts(second.url)).toBe(posts);
    expect(await second.stop()).toBe(0);
    expect(await readFile(join(dataDir, 'keys', 'project-journal.secret'), 'utf8')).toBe(secret);
  });

  it('takes websockets wherever they come, answers pages that offer another upgrade, and ends with all of them', async () => {
    const server = await startServer({ DEMO: 'off' });
    cleanUps.push(() => rm(server.dataDir, { recursive: true, force: true }));
    const { port, host } = new URL(server.url);
    const sockets = ['/', '/api/realtime'].map(
      (path) => new WebSocket(`ws://${host}${path}?project_id=journal`),
    );
    for (const socket of sockets) expect(String(await once(socket, 'message'))).toContain('"connected"');
    const ask = (path: string, upgrade: string) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      cleanUps.push(async () => socket.destroy());
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
      );
      return once(socket, 'data').then(([bytes]) => String(bytes).slice(0, 12));
    };
    expect(await ask('/about-me', 'h2c')).toBe('HTTP/1.1 200');
    // One that is refused, and never ends its own side.
    expect(await ask('/about-me', 'websocket')).toBe('HTTP/1.1 404');
    const closed = sockets.map((socket) => once(socket, 'close').then(([code]) => code));
    expect(await server.stop()).toBe(0);
    expect(await Promise.all(closed)).toEqual([1001, 1001]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes what is in flight on %s', async (signal) => {
    const server = await startServer({ DEMO: 'off' });
    cleanUps.push(() => rm(server.dataDir, { recursive: true, force: true }));
    // A body that is still coming when the signal does.
    let finish = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(
          new TextEncoder().encode('{"email":"late@example.org","password":"a long enough passphrase",'),
        );
        finish = () => {
          controller.enqueue(new TextEncoder().encode('"projectId":"journal"}'));
          controller.close();
        };
      },
    });
    const answer = fetch(`${server.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    await fetch(`${server.url}/healthz`);
    const ended = server.stop(signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    finish();
    expect((await answer).ok).toBe(true);
    expect(await ended).toBe(0);
  });
});

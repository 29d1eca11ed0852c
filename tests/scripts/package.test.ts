import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MB = 1024 * 1024;
const NOBODY = 65_534;

const folder = mkdtempSync(join(tmpdir(), 'fabrica-package-'));
const target = join(folder, 'app');

beforeAll(() => {
  // An earlier test in this process may have kept others out, as servers do: here nobody has to get in.
  process.umask(0o022);
  const packaging = [join(ROOT, 'scripts/package.mjs'), '--to', target, '--without-build', '--link'];
  const { status, stderr } = spawnSync(process.execPath, packaging, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package for production', () => {
  it('the package has at most 170 MB, and neither tests nor tools of tests and builds', () => {
    const paths = globSync('**/*', { cwd: target });
    const bytes = paths.reduce(
      (sum, path) => sum + (statSync(join(target, path)).isFile() ? statSync(join(target, path)).size : 0),
      0,
    );
    expect(bytes).toBeGreaterThan(50 * MB);
    expect(bytes).toBeLessThan(170 * MB);
    const tools = ['vitest', 'vite', 'typescript', '@biomejs', '@playwright', 'node'];
    expect(tools.filter((name) => paths.includes(join('node_modules', name)))).toEqual([]);
    expect(paths.filter((path) => /^(apps|packages).*\.test\.ts$/.test(path))).toEqual([]);
    expect(readlinkSync(join(target, 'node_modules/@fabrica/backend'))).toBe('../../packages/backend');
  });

  it('the package serves pages, images and the command line from a read-only root, as a user without rights', async () => {
    const port = await freePort();
    const data = join(folder, 'data');
    const temporary = join(folder, 'tmp');
    for (const path of [data, temporary]) {
      mkdirSync(path);
      if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
    }
    const settings = {
      DATA_DIR: mayUseNamespace() ? '/data' : data,
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: 'on',
    };
    const server = run(['apps/journal/server.ts'], settings);
    const end = resultOf(server);
    const early = end.then(({ output }) => Promise.reject(new Error(`The server has ended: ${output}`)));
    try {
      const ready = expect.poll(() => statusOf(`http://127.0.0.1:${port}/readyz`), { timeout: 90_000 });
      await Promise.race([ready.toBe(200), early]);
      const gallery = await (await fetch(`http://127.0.0.1:${port}/gallery`)).text();
      expect(gallery).toContain('<main');
      const [image = ''] =
        /\/storage\/journal\/[^"\s]+\?v=\w+&w=\d+/.exec(gallery.replaceAll('&amp;', '&')) ?? [];
      expect(image).toContain('&w=');
      expect(await statusOf(`http://127.0.0.1:${port}${image}`)).toBe(200);
      expect(await resultOf(run(['apps/journal/cli.ts', 'user', 'list', '--json'], settings))).toMatchObject({
        status: 0,
      });
    } finally {
      early.catch(() => undefined);
      if (server.exitCode === null) process.kill(-(server.pid ?? 0), 'SIGTERM');
      await end;
    }
  }, 180_000);
});

/** Whether this account may make the root file system of a container, as root of a Linux machine may. */
function mayUseNamespace(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

/**
 * Runs a file of the package as a container would: it sees the system, the package and Node, all of them read-only, and may
 * write to /data and /tmp alone. Where this account may not do that, in its own folder.
 */
function run(args: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', NODE_ENV: 'production', ...settings };
  const options: SpawnOptions = { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] };
  if (!mayUseNamespace()) return spawn(process.execPath, args, { ...options, cwd: target });
  const root = join(folder, 'root');
  for (const path of ['app', 'data', 'tmp', 'proc', 'usr', 'lib', 'lib64', 'bin', 'etc', 'dev', 'node']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  const script = join(folder, 'enter.sh');
  const node = join(process.execPath, '..');
  writeFileSync(
    script,
    `set -eu
mount --bind "${root}" "${root}"
bind() { mount --bind "$1" "${root}/$2"; mount -o "remount,bind,$3" "${root}/$2"; }
for path in usr lib lib64 bin etc; do bind "/$path" "$path" ro; done
bind "${target}" app ro; bind "${node}" node ro; bind "${folder}/data" data rw; bind "${folder}/tmp" tmp rw
mount --rbind /dev "${root}/dev"; mount -t proc proc "${root}/proc" || true
mount -o remount,bind,ro "${root}"
exec chroot --userspec=${NOBODY}:${NOBODY} "${root}" /bin/sh -c 'cd /app && ! touch /app/x 2>/dev/null && exec /node/node "$@"' sh "$@"
`,
  );
  return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', script, ...args], options);
}

async function resultOf(child: ChildProcess): Promise<{ status: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { status, output };
}

async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );
}

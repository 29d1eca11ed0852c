import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MB = 1024 * 1024;
const NOBODY = 65_534;

const folder = mkdtempSync(join(tmpdir(), 'fabrica-package-'));
const target = join(folder, 'app');
const data = join(folder, 'data');
const temporary = join(folder, 'tmp');
/** The root file system of the image. */
const root = join(folder, 'root');

/** Decodes an image for a server whose priority is the lowest. Prints the reply, and how the decoder came to its end. */
const DECODE = `
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL('apps/journal/' + name, import.meta.url));
setPriority(19);
const decoder = fork(path('build/node/image-worker.js'));
decoder.once('message', (reply) => {
  console.log(JSON.stringify(reply));
  decoder.disconnect();
});
decoder.once('exit', (code, signal) => console.log('ended with', code ?? signal));
decoder.send({ kind: 'inspect', source: path('project/demo/images/spine.webp') });
`;

beforeAll(() => {
  // An earlier test in this process may have kept others out, as servers do: here nobody has to get in.
  process.umask(0o022);
  for (const path of [data, temporary]) {
    mkdirSync(path);
    if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  }
  const packaging = [join(ROOT, 'scripts/package.mjs'), '--to', target, '--without-build', '--link'];
  const { status, stderr } = spawnSync(process.execPath, packaging, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  if (process.platform === 'linux') {
    const assembling = [join(ROOT, 'scripts/assemble-image.mjs'), target, root];
    const assembled = spawnSync(process.execPath, assembling, { encoding: 'utf8' });
    expect({ status: assembled.status, stderr: assembled.stderr }).toEqual({ status: 0, stderr: '' });
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package for production', () => {
  it('the package has at most 170 MB, and neither tests nor tools of tests and builds', () => {
    const paths = globSync('**/*', { cwd: target });
    const bytes = bytesBelow(target);
    expect(bytes).toBeGreaterThan(50 * MB);
    expect(bytes).toBeLessThan(170 * MB);
    const tools = ['vitest', 'vite', 'typescript', '@biomejs', '@playwright', 'node'];
    expect(tools.filter((name) => paths.includes(join('node_modules', name)))).toEqual([]);
    expect(paths.filter((path) => /^(apps|packages).*\.ts$/.test(path))).toEqual([]);
    // The build has the code of most packages, of which their licences are left.
    expect(paths).toContain('node_modules/kysely/LICENSE');
    expect(paths).not.toContain('node_modules/kysely/dist');
    expect(paths).toContain('node_modules/sharp/dist');
  });

  it('a Node that is too old is named in a sentence, by the server and by the command line', () => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.19.2"}})`;
    for (const name of ['server.mjs', 'cli.mjs']) {
      const { status, stderr } = spawnSync(
        process.execPath,
        ['--import', older, join(target, name), 'help'],
        {
          encoding: 'utf8',
        },
      );
      expect([status, stderr]).toEqual([
        78,
        `Fabrica needs Node 24 or later, and ${process.execPath} is Node 20.19.2.\n`,
      ]);
    }
    const help = spawnSync(join(target, 'fabrica'), ['help'], {
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    });
    expect(help.stdout).toContain('Usage: fabrica <command>');
  });

  it('the version of a package names its build, which doctor and metrics show, and the one here stays as it is', () => {
    const path = 'packages/backend/package.json';
    const { version } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const printed = spawnSync(process.execPath, [join(target, 'cli.mjs'), '--version'], { encoding: 'utf8' });
    expect(printed.stdout).toMatch(new RegExp(`^${version}\\+[0-9a-f]{7}\n$`));
  });

  it('the image has at most 250 MB, and no shell', () => {
    const [path, most] = process.platform === 'linux' ? [root, 250] : [target, 170];
    expect(bytesBelow(path)).toBeLessThan(most * MB);
    expect(globSync('**/{sh,bash,dash,npm,perl}', { cwd: path })).toEqual([]);
  });

  it('the image serves pages, images and the command line from a read-only root, as a user without rights', async () => {
    const port = await freePort();
    const settings = {
      DATA_DIR: mayUseNamespace() ? '/data' : data,
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: 'on',
    };
    const server = run(['server.mjs'], settings);
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
      expect(
        await resultOf(run(['apps/journal/build/node/cli.js', 'user', 'list', '--json'], settings)),
      ).toMatchObject({
        status: 0,
      });
    } finally {
      early.catch(() => undefined);
      if (server.exitCode === null) process.kill(-(server.pid ?? 0), 'SIGTERM');
      await end;
    }
  }, 180_000);

  it('the image decodes images for a server of low priority, which its account may not raise', async () => {
    writeFileSync(join(mayUseNamespace() ? join(root, 'app') : target, 'decode.mjs'), DECODE);
    const { output } = await resultOf(run(['decode.mjs'], {}));
    expect(output).toContain('"inspection":{');
    expect(output).toContain('ended with 0');
  }, 60_000);
});

/** Whether this account may make the root file system of a container, as root of a Linux machine may. */
function mayUseNamespace(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

/**
 * Runs a file of the package as a container would: it sees the files of the image alone, all of them read-only, and may write to
 * /data and /tmp. Where this account may not do that, it runs in the package's folder.
 */
function run(
  [script = '', ...args]: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', NODE_ENV: 'production', ...settings };
  const options: SpawnOptions = { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] };
  if (!mayUseNamespace()) return spawn(process.execPath, [script, ...args], { ...options, cwd: target });
  const enter = join(folder, 'enter.sh');
  writeFileSync(
    enter,
    `set -eu
mount --bind "${root}" "${root}"
for name in data tmp; do mount --bind "${folder}/$name" "${root}/$name"; done
mount --rbind /dev "${root}/dev"; mount -t proc proc "${root}/proc" || true
mount -o remount,bind,ro "${root}"
! touch "${root}/app/x" 2>/dev/null
exec chroot --userspec=${NOBODY}:${NOBODY} "${root}" /usr/local/bin/node "$@"
`,
  );
  const entering = ['--mount', '--propagation', 'private', 'sh', enter, `/app/${script}`, ...args];
  return spawn('unshare', entering, options);
}

function bytesBelow(path: string): number {
  return globSync('**/*', { cwd: path })
    .map((name) => lstatSync(join(path, name)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
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

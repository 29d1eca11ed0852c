import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));

/** Writes its command and makes a folder of packages; fails, or waits to be ended, where a file says so. */
const NPM = `#!/bin/sh
echo "$1" >> npm.log
mkdir -p node_modules/zod && touch node_modules/zod/index.js node_modules/zod/index.d.ts
if [ -e hang ]; then exec sleep 60; fi
test ! -e fail
`;

/** Copies the scripts to a folder whose npm is a stand-in. */
async function buildInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-install-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
  await writeFile(join(folder, 'package-lock.json'), '{}');
  const call = (code: string, environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
        ...environment,
      },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const finished = Promise.all([ended, text(child.stderr)]);
    return { child, result: finished.then(([exitCode, stderr]) => ({ exitCode, stderr })) };
  };
  const start = (set: string) =>
    call(`import { install } from './scripts/install.mjs'; await install('${set}');`);
  return {
    start,
    install: (set: string) => start(set).result,
    removeBuildTools: () =>
      call(`import { removeBuildTools } from './scripts/install.mjs'; await removeBuildTools();`).result,
    run: (code: string, environment: Record<string, string>) => call(code, environment).result,
    async write(name: string, content = '') {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    },
    remove: (name: string) => rm(join(folder, name)),
    /** Returns the commands that npm has been called with. */
    async npmCommands() {
      const log = await readFile(join(folder, 'npm.log'), 'utf8').catch(() => '');
      return log.split('\n').filter(Boolean);
    },
    files: () => readdir(join(folder, 'node_modules/zod')),
  };
}

it('the server and the command line read .env, after the variables of their environment', async () => {
  const installation = await buildInstallation();
  await installation.write('.env', 'PORT=4311\nPROJECT_ID=atlas\n');
  await installation.write('node_modules/.package-lock.json');
  for (const entry of ['cli', 'server'])
    await installation.write(
      `apps/journal/${entry}.ts`,
      'process.stderr.write([process.env.PORT, process.env.PROJECT_ID].join());\n',
    );
  for (const script of [`import './scripts/fabrica.mjs';`, `(await import('./scripts/serve.mjs')).serve();`])
    expect(await installation.run(script, { PROJECT_ID: 'journal' })).toEqual({
      exitCode: 0,
      stderr: '4311,journal',
    });
});

describe('the installation of packages', () => {
  it('installs a set of packages once, and again after the lockfile has changed', async () => {
    const installation = await buildInstallation();
    await installation.install('serving');
    await installation.install('serving');
    expect(await installation.npmCommands()).toEqual(['ci']);
    await installation.write('package-lock.json', '{ }');
    await installation.install('serving');
    expect(await installation.npmCommands()).toEqual(['ci', 'ci']);
  });

  it('installs nothing for a set that a larger installed set holds, and removes nothing of the larger one', async () => {
    const installation = await buildInstallation();
    await installation.install('everything');
    await installation.install('building');
    await installation.removeBuildTools();
    await installation.install('serving');
    expect(await installation.npmCommands()).toEqual(['ci']);
    expect(await installation.files()).toEqual(['index.d.ts', 'index.js']);
  });

  it("keeps the tests' tools when the lockfile has changed", async () => {
    const installation = await buildInstallation();
    await installation.install('everything');
    await installation.write('package-lock.json', '{ }');
    await installation.install('building');
    await installation.removeBuildTools();
    expect(await installation.npmCommands()).toEqual(['ci', 'ci']);
    expect(await installation.files()).toEqual(['index.d.ts', 'index.js']);
  });

  it("removes the build's tools after a build, adds them for the next one, and unpacks everything for tests", async () => {
    const installation = await buildInstallation();
    await installation.install('building');
    await installation.removeBuildTools();
    expect(await installation.files()).toEqual(['index.js']);
    await installation.install('building');
    await installation.install('everything');
    expect(await installation.npmCommands()).toEqual(['ci', 'prune', 'install', 'ci']);
    expect(await installation.files()).toEqual(['index.d.ts', 'index.js']);
  });

  it('says in a sentence that an installation failed, and the next command repeats it', async () => {
    const installation = await buildInstallation();
    await installation.install('serving');
    await installation.write('fail');
    const failed = await installation.install('everything');
    expect(failed).toEqual({
      exitCode: 1,
      stderr:
        'Installing the packages, which takes a minute or two the first time …\nThe packages could not be installed (npm ended with code 1). The next command tries again.\n',
    });
    await installation.remove('fail');
    await installation.install('serving');
    expect(await installation.npmCommands()).toEqual(['ci', 'ci', 'ci']);
  });

  it('says in a sentence that an installation was interrupted, and the next command repeats it', async () => {
    const installation = await buildInstallation();
    await installation.write('hang');
    const { child, result } = installation.start('serving');
    await expect.poll(() => installation.npmCommands()).toEqual(['ci']);
    child.kill('SIGTERM');
    expect(await result).toEqual({
      exitCode: 1,
      stderr:
        'Installing the packages, which takes a minute or two the first time …\nThe packages could not be installed (npm ended with SIGTERM). The next command tries again.\n',
    });
    await installation.remove('hang');
    await installation.install('serving');
    expect(await installation.npmCommands()).toEqual(['ci', 'ci']);
  });
});

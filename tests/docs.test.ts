import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeSettings, settingsExample, settingsPage } from '../scripts/describe-settings.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the documents', () => {
  it('the documents list the settings of the schema, as npm run settings writes them', () => {
    expect(read('docs/settings.md')).toBe(settingsPage(describeSettings()));
    expect(read('.env.example')).toBe(settingsExample(describeSettings()));
  });

  it('the documents link only to files and headings that exist', () => {
    const pages = globSync('docs/**/*.md', { cwd: new URL('..', import.meta.url) });
    expect(pages.length).toBeGreaterThan(50);
    const missing: string[] = [];
    for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages]) {
      for (const [, target = ''] of proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
        const [path = '', heading] = target.split('#');
        const file = new URL(path, new URL(`../${page}`, import.meta.url));
        const isThere = existsSync(file) && (heading === undefined || anchorsOf(file).includes(heading));
        if (!isThere) missing.push(`${page}: ${target}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

/** Returns a page without its examples of code. */
const proseOf = (page: string | URL) =>
  readFileSync(new URL(page, new URL('..', import.meta.url)), 'utf8').replace(/```.*?```/gs, '');

/** Returns the names of a page's headings in links, as GitHub and GitLab make them. */
const anchorsOf = (page: URL) =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the checklist of ASVS', () => {
  const checklist = read('docs/security/asvs.md');
  const rows = [...checklist.matchAll(/^\| ([\d.]+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, number, level, , state, where = '']) => ({ number, level, state, where }),
  );
  const pathsOf = (text: string) =>
    [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|json|md))`/g)].map(([, path = '']) => path);
  const BASES = ['', 'packages/backend/src/', 'packages/backend/src/services/', 'apps/journal/'];

  const isThere = (path: string) =>
    BASES.some((base) => existsSync(new URL(`../${base}${path}`, import.meta.url)));
  const areThere = (paths: readonly string[]) => paths.length > 0 && paths.every(isThere);

  it('the checklist has every requirement of level 1 and 2 once', () => {
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
    expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
    expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
  });

  it('the checklist names only files that exist, and one at least for all that applies', () => {
    expect(pathsOf(checklist).filter((path) => !isThere(path))).toEqual([]);
    const concerns = rows.filter(({ state }) => state !== 'does not apply');
    expect(concerns.filter(({ where }) => pathsOf(where).length === 0)).toEqual([]);
  });

  it('each kind of weakness has a test that is there', () => {
    const kinds = read('docs/security/weaknesses.md').matchAll(/^\| [^|`]+ \| ([^|]+) \|$/gm);
    const tests = [...kinds].slice(1).map(([, test = '']) => test);
    expect(tests.length).toBeGreaterThan(11);
    const missing = tests.filter((test) => !/^the same/.test(test) && !areThere(pathsOf(test)));
    expect(missing).toEqual([]);
  });

  it('the checklist counts its own states', () => {
    for (const level of ['1', '2']) {
      const states = ['met', 'partly', 'not met', 'does not apply'];
      const counts = states.map(
        (state) => rows.filter((row) => row.level === level && row.state === state).length,
      );
      expect(checklist).toContain(`| ${[level, ...counts].join(' | ')} |`);
    }
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeSettings, settingsExample, settingsTable } from '../scripts/describe-settings.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the documents', () => {
  it('the documents list the settings of the schema, as npm run settings writes them', () => {
    expect(read('README.md')).toContain(settingsTable(describeSettings()));
    expect(read('.env.example')).toBe(settingsExample(describeSettings()));
  });

  it('the documents link only to files that exist', () => {
    for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)]+)\)/g)) {
        expect(() => readFileSync(new URL(`../${target}`, import.meta.url))).not.toThrow();
      }
    }
  });
});

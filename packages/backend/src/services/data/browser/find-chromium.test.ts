import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium } from './find-chromium.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-chromium-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('the first executable Chromium on the path is found', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await Promise.all([first, second].map((path) => mkdir(path)));
  await writeFile(join(first, 'chromium'), '', { mode: 0o644 });
  await writeFile(join(first, 'firefox'), '', { mode: 0o755 });
  await writeFile(join(second, 'google-chrome'), '', { mode: 0o755 });
  expect(findChromium(['', '/nowhere', first, second].join(delimiter))).toBe(join(second, 'google-chrome'));
});

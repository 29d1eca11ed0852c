import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { writeFences } from '../../scripts/fences.mjs';

it('the fences that lint reads are those of the table of floors: npm run fences writes them', async () => {
  const written = await readFile(new URL('../../biome.fences.json', import.meta.url), 'utf8');
  expect(written).toBe(writeFences());
});

import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { drawLungs } from './branching-lungs.ts';
import { drawCortex } from './cortex.ts';
import { drawHand } from './hand-bones.ts';
import { drawHeart } from './heart-coronaries.ts';
import { drawKidney } from './kidney-glomeruli.ts';
import { Plate } from './plate.ts';
import { drawRetina } from './retina.ts';
import { drawSkin } from './skin-healing.ts';
import { drawSpine } from './spine.ts';

/** `npm run plates` draws all of them, `npm run plates -- retina` one. */
const plates: ReadonlyArray<readonly [slug: string, draw: (plate: Plate) => Promise<void>]> = [
  ['heart-coronaries', drawHeart],
  ['branching-lungs', drawLungs],
  ['retina', drawRetina],
  ['cortex', drawCortex],
  ['spine', drawSpine],
  ['kidney-glomeruli', drawKidney],
  ['hand-bones', drawHand],
  ['skin-healing', drawSkin],
];

const folder = fileURLToPath(new URL('./images/', import.meta.url));
await mkdir(folder, { recursive: true });
const wanted = process.argv.slice(2);
const unknown = wanted.filter((slug) => !plates.some(([known]) => known === slug));
if (unknown.length > 0) {
  console.error(
    `No plate is called ${unknown.join(', ')}. There are: ${plates.map(([slug]) => slug).join(', ')}.`,
  );
  process.exit(1);
}

for (const [slug, draw] of plates) {
  if (wanted.length > 0 && !wanted.includes(slug)) continue;
  const started = performance.now();
  const plate = new Plate();
  await draw(plate);
  const { bytes, quality } = await plate.save(`${folder}${slug}.webp`);
  console.log(
    `${slug}: ${Math.round(bytes / 1000)} kB at quality ${quality}, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
}

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startServer } from '../tests/start-server.ts';
import { canVary, compareWithBare, generator, latency } from './load.ts';
import { galleryTransfer, memoryAtRest, secondStart } from './measures.ts';
import { fillPosts, firstPostTime } from './posts.ts';

/** `npm run bench`: measures, prints and writes the figures into bench/README.md. */

interface Figure {
  what: string;
  measured: string;
  goal: string;
  met: boolean;
}

const TABLE = '/api/db/journal/rest/v1/journal_posts';
const POST = `${TABLE}?id=eq.post_`;
const LIST = `${TABLE}?select=id,title,title_en,title_es,title_fr,title_de,image_url,created_at&published=eq.1&order=created_at.desc&limit=24`;
const figures: Figure[] = [];

function note(
  what: string,
  value: number,
  unit: string,
  goal: number,
  better: 'atLeast' | 'atMost',
  extra = '',
): void {
  const met = better === 'atLeast' ? value >= goal : value <= goal;
  const shown = unit === '' ? value.toFixed(2) : `${value.toFixed(unit === 's' ? 2 : 0)} ${unit}`;
  const wanted = `${better === 'atLeast' ? '≥' : '≤'} ${goal}${unit && ` ${unit}`}`;
  figures.push({ what, measured: `${shown}${extra}`, goal: wanted, met });
  console.log(`${met ? 'ok  ' : 'MISS'} ${what}: ${shown}${extra} (${wanted})`);
}

/** A figure without a goal. */
function inform(what: string, ratio: number, extra: string): void {
  figures.push({ what, measured: `${ratio.toFixed(2)}${extra}`, goal: '–', met: true });
  console.log(`     ${what}: ${ratio.toFixed(2)}${extra}`);
}

function rate({ ours, bare }: { ours: number; bare: number }): string {
  return ` (${Math.round(ours)} of ${Math.round(bare)} answers/s)`;
}

async function benchRest(): Promise<void> {
  const server = await startServer({ DEMO: 'off' });
  const origin = server.url.replace('localhost', '127.0.0.1');
  // Each latency is of lists that begin at another post, so that none is answered from memory.
  const lists = (newest: number) =>
    Array.from(
      { length: 400 },
      (_, index) => `${origin}${LIST}&created_at=lt.${firstPostTime + newest - index}`,
    );
  try {
    await fillPosts(server, 1_000);
    const small = await latency(lists(1_000));
    await fillPosts(server, 9_000);
    const list = await compareWithBare(`${origin}${LIST}`);
    note('gallery list over REST, 24 of 10,000 posts', list.ratio, '', 0.2, 'atLeast', rate(list));
    const point = await compareWithBare(`${origin}${POST}5000`);
    note('one post by id over REST', point.ratio, '', 0.25, 'atLeast', rate(point));
    if (canVary) await benchVaried(origin);
    const page = await compareWithBare(`${origin}/gallery`, { headers: { 'accept-encoding': 'br' } });
    note('gallery page, rendered and kept, brotli', page.ratio, '', 0.5, 'atLeast', rate(page));
    await fillPosts(server, 90_000);
    const large = await latency(lists(100_000));
    const times = ` (${large.toFixed(2)} and ${small.toFixed(2)} ms)`;
    note('list latency, 100,000 posts against 1,000', large / small, '', 1.3, 'atMost', times);
  } finally {
    await server.close();
  }
}

/** The same two, each request for another post: what a read costs when nothing of it is in memory. */
async function benchVaried(origin: string): Promise<void> {
  const list = await compareWithBare(`${origin}${LIST}`, { template: `${LIST}&created_at=lt.@TIME` });
  inform('the same list, each request for another', list.ratio, rate(list));
  const point = await compareWithBare(`${origin}${POST}5000`, { template: `${POST}@ID` });
  inform('one post by id, each request for another', point.ratio, rate(point));
}

async function benchPage(): Promise<void> {
  const server = await startServer();
  try {
    note(
      'memory at rest, demo content, after the first pages',
      await memoryAtRest(server),
      'MB',
      150,
      'atMost',
    );
    const { scripts, fonts } = await galleryTransfer(server);
    note('client JavaScript of the gallery, as transferred', scripts / 1_000, 'kB', 140, 'atMost');
    note('fonts of the gallery, as transferred', fonts / 1_000, 'kB', 90, 'atMost');
  } finally {
    await server.close();
  }
  note('second npm start, command to first answer', await secondStart(), 's', 1.5, 'atMost');
}

function writeFigures(): void {
  const page = fileURLToPath(new URL('README.md', import.meta.url));
  const table = [
    `Measured on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, load by ${generator}.`,
    '',
    '| what | measured | goal | |',
    '|---|---|---|---|',
    ...figures.map(
      ({ what, measured, goal, met }) =>
        `| ${what} | ${measured} | ${goal} | ${goal === '–' ? '' : met ? 'met' : 'missed'} |`,
    ),
  ].join('\n');
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replace(/(<!-- figures -->\n)[\s\S]*(\n<!-- \/figures -->)/, `$1${table}$2`));
}

await benchRest();
await benchPage();
writeFigures();
process.exitCode = figures.every(({ met }) => met) ? 0 : 1;

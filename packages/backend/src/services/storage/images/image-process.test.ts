import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildHollowHeic } from '@fabrica/backend/testing/storage/build-hollow-heic.ts';
import { noise } from '@fabrica/backend/testing/storage/build-test-images.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImageProcess, type ImageProcess } from './image-process.ts';

const TILE = { width: 96, height: 64 };

const TOOK_TOO_LONG = { code: 'FILE_UNREADABLE', message: expect.stringContaining('takes too long') };
const OF_ADA = { owner: 'ada', priority: { urgent: true } };
const OF_EVE = { owner: 'eve', priority: { urgent: true } };

let folder: string;
let images: ImageProcess;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fabrica-images-'));
  images = createImageProcess();
});
afterAll(() => {
  images.close();
  rmSync(folder, { recursive: true });
});

function plain(width: number, height: number): Promise<Buffer> {
  const create = { width, height, channels: 3, background: 'red' } as const;
  return sharp({ create }).tiff({ compression: 'deflate' }).toBuffer();
}

/** The processes that decode for this test's own process. */
function workers(): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s.*image-worker/.exec(line))
    .filter((found) => Number(found?.[2]) === process.pid)
    .map((found) => Number(found?.[1]));
}

describe('the process that decodes pictures', () => {
  it('takes nobody down with it when it ends over one', async () => {
    const large = join(folder, 'large.png');
    const small = join(folder, 'small.png');
    await noise(3_000, 2_000).png({ compressionLevel: 1 }).toFile(large);
    await noise(60, 40).png().toFile(small);
    const target = join(folder, 'large.avif');
    const task = { kind: 'render', source: large, target, width: 2_560, format: 'avif' } as const;
    const first = images.make(task, { owner: 'ada', priority: { urgent: true } });
    const refused = expect(first).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    const next = images.inspect(small, 'ada');
    await expect.poll(workers).toHaveLength(1);
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    await refused;
    expect(await next).toMatchObject({ width: 60, height: 40 });
  });

  it('ends a decoder that does not come to its end, and goes on with the next picture', async () => {
    const endless = join(folder, 'endless.heic');
    const small = join(folder, 'after.png');
    const target = join(folder, 'endless.jpg');
    // Nobody writes into it, so a process that reads it waits in native code, where no promise is told of anything.
    execFileSync('mkfifo', [endless]);
    await noise(60, 40).png().toFile(small);
    const ownImages = createImageProcess({ maxConversionMs: 200 });
    try {
      const conversion = ownImages.make(
        { kind: 'convert', source: endless, target },
        { owner: 'ada', priority: { urgent: true } },
      );
      const refused = expect(conversion).rejects.toMatchObject(TOOK_TOO_LONG);
      const next = ownImages.inspect(small, 'ada');
      await refused;
      expect(await next).toMatchObject({ width: 60, height: 40 });
      expect(existsSync(target)).toBe(false);
    } finally {
      ownImages.close();
    }
  });

  it('ends a decoder that takes more of the processor than an image of this size may', async () => {
    const source = join(folder, 'slow.heic');
    await writeFile(source, await buildHollowHeic({ declared: large, coded: large }));
    const sizes: number[] = [];
    const ownImages = createImageProcess({
      conversionSeconds(pixels) {
        sizes.push(pixels);
        return 0;
      },
    });
    try {
      const task = { kind: 'convert', source, target: join(folder, 'slow.jpg') } as const;
      const conversion = ownImages.make(task, { owner: 'ada', priority: { urgent: true } });
      await expect(conversion).rejects.toMatchObject(TOOK_TOO_LONG);
      expect(sizes).toEqual([large.width * large.height]);
    } finally {
      ownImages.close();
    }
  });

  it('decodes the images of an account while one of another takes its time', async () => {
    const endless = join(folder, 'held.heic');
    const small = join(folder, 'beside.png');
    const converted = join(folder, 'beside.jpg');
    execFileSync('mkfifo', [endless]);
    await noise(60, 40).png().toFile(small);
    const ownImages = createImageProcess();
    let isHeld = true;
    const held = ownImages
      .make({ kind: 'convert', source: endless, target: join(folder, 'held.jpg') }, OF_EVE)
      .catch(() => {
        isHeld = false;
      });
    const more = ownImages.inspect(small, 'eve').catch(() => undefined);
    try {
      await ownImages.make({ kind: 'convert', source: small, target: converted }, OF_ADA);
      expect(await ownImages.inspect(converted, 'ada')).toMatchObject({ width: 60, height: 40 });
      expect(isHeld).toBe(true);
    } finally {
      ownImages.close();
    }
    await Promise.all([held, more]);
  });

  const large = { width: 6_000, height: 4_000 };
  const huge = { width: 20_000, height: 20_000 };
  it.each([
    [
      'HEIC of 500 bytes that has 24 megapixels',
      1_000,
      () => buildHollowHeic({ declared: large, coded: large }),
    ],
    ['HEIC that says it is small and is not', 400, () => buildHollowHeic({ declared: TILE, coded: huge })],
    ['TIFF of 48 megapixels in one colour', 1_000, () => plain(8_000, 6_000)],
  ])('a %s takes less than %i megabytes to convert', async (_, limit, build) => {
    const source = join(folder, 'bomb');
    const bytes = await build();
    expect(bytes.length).toBeLessThan(2_000_000);
    await writeFile(source, bytes);
    // The process of the images does the same, and cannot be asked for the most memory that it has had.
    const program = `
      import { readFile } from 'node:fs/promises';
      import sharp from 'sharp';
      const { convertImage } = await import(${JSON.stringify(new URL('./convert-image.ts', import.meta.url).href)});
      sharp.cache(false);
      sharp.concurrency(1);
      console.log = () => {};
      await convertImage(${JSON.stringify(source)}, ${JSON.stringify(join(folder, 'bomb.out'))}).catch(() => {});
      // Linux counts the memory of the process that has started this one among the most that it has had, but not here.
      const kilobytes = await readFile('/proc/self/status', 'utf8').then(
        (status) => Number(/VmHWM:\\s+(\\d+)/.exec(status)[1]),
        () => process.resourceUsage().maxRSS,
      );
      process.stdout.write(String(kilobytes / 1_024));
    `;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(Number(printed)).toBeGreaterThan(0);
    expect(Number(printed)).toBeLessThan(limit);
  });

  it('does what somebody waits for before what nobody does, also when that changes', async () => {
    const source = join(folder, 'picture.png');
    await noise(400, 300).png().toFile(source);
    const order: string[] = [];
    const render = (name: string, urgency: { urgent: boolean }) =>
      images
        .make(
          { kind: 'render', source, target: join(folder, name), width: 320, format: 'webp' },
          { owner: 'ada', priority: urgency },
        )
        .then(() => order.push(name));
    const hurried = { urgent: false };
    const all = [
      render('under way', { urgent: false }),
      render('later', { urgent: false }),
      render('hurried', hurried),
      render('awaited', { urgent: true }),
    ];
    hurried.urgent = true;
    await Promise.all(all);
    expect(order).toEqual(['under way', 'hurried', 'awaited', 'later']);
  });

  it('serves the owner of one picture between the pictures of another who brought many', async () => {
    const source = join(folder, 'shared.png');
    await noise(200, 150).png().toFile(source);
    // One process waits for a picture that never comes, so that the other one serves everybody else in order.
    const pipe = join(folder, 'never.png');
    execFileSync('mkfifo', [pipe]);
    const own = createImageProcess();
    const waiting = own.inspect(pipe, 'fay').catch((error: unknown) => error);
    const order: string[] = [];
    const inspect = (owner: string) => own.inspect(source, owner).then(() => order.push(owner));
    await Promise.all(['eve', 'eve', 'eve', 'eve', 'ada'].map(inspect));
    // The first picture is under way, and the second one's turn had come before.
    expect(order).toEqual(['eve', 'eve', 'ada', 'eve', 'eve']);
    own.close();
    expect(await waiting).toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noise } from '@fabrica/backend/testing/storage/build-test-images.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImageProcess, type ImageProcess } from './image-process.ts';

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

/** Those that decode for this test's own process. */
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
    await noise(6_000, 4_000).png({ compressionLevel: 1 }).toFile(large);
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
    const order: string[] = [];
    const inspect = (owner: string) => images.inspect(source, owner).then(() => order.push(owner));
    await Promise.all(['eve', 'eve', 'eve', 'eve', 'eve', 'ada'].map(inspect));
    expect(order.indexOf('ada')).toBeLessThan(3);
  });
});

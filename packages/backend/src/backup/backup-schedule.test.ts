import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Meter } from '../runtime/meter.ts';
import { openBackupSchedule } from './backup-schedule.ts';
import { type Manifest, writeManifest } from './manifest.ts';

const manifest: Manifest = {
  fabrica: '0.1.0',
  madeAt: '2026-11-22T03:30:00.000Z',
  engine: 'sqlite',
  projects: [{ id: 'journal', database: { bytes: 1 }, migrations: [], tables: [], leftOut: [], files: null }],
  sums: { sha256: '0'.repeat(64), files: 1 },
};

type Options = Parameters<typeof openBackupSchedule>[0];

function open(folder: string, schedule: string, over: Partial<Options> = {}) {
  const meter = new Meter();
  const opened = openBackupSchedule({
    settings: {
      schedule,
      folder,
      keep: 2,
      recipient: undefined,
      isEncrypted: false,
      offsite: undefined,
    },
    dataDir: join(folder, 'data'),
    recorded: async () => undefined,
    cli: new URL('file:///nobody-runs-this.ts'),
    environment: {},
    meter,
    log: pino({ level: 'silent' }),
    mailOperator: async () => undefined,
    ...over,
  });
  onTestFinished(() => opened.close());
  return meter;
}

async function read(meter: Meter, name: string) {
  return (await meter.registry.getSingleMetric(name)?.get())?.values ?? [];
}

/** Reads the metric as a server does that has just started. */
async function lastProved(folder: string): Promise<number | undefined> {
  const [reading] = await read(open(folder, '0 0 29 2 *'), 'fabrica_backup_proved_timestamp_seconds');
  return reading?.value;
}

async function writeBackup(folder: string, name: string, written: Manifest): Promise<void> {
  await mkdir(join(folder, name));
  await writeManifest(join(folder, name), written);
}

test('only backups that were proved are counted as such, also after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-schedule-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeBackup(folder, '20261122T033001Z', manifest);
  expect(await lastProved(folder)).toBe(0);

  const proved = { ...manifest, madeAt: '2026-11-22T04:30:00.000Z', provedAt: '2026-11-22T04:31:00.000Z' };
  await writeBackup(folder, '20261122T043001Z', proved);
  await writeBackup(folder, '20261122T053001Z', { ...manifest, madeAt: '2026-11-22T05:30:00.000Z' });
  await mkdir(join(folder, '20261122T063001Z.unproved'));
  expect(await lastProved(folder)).toBe(Date.parse(proved.madeAt) / 1_000);
});

test('a backup whose process the system refuses to start is one that failed, and the server goes on', async () => {
  const { promise: mailed, resolve } = Promise.withResolvers<{ text: string }>();
  const meter = open(tmpdir(), '* * * * * *', {
    environment: { TOO_LONG: 'x'.repeat(4_000_000) },
    mailOperator: async (mail) => resolve(mail),
  });
  expect((await mailed).text).toContain('E2BIG');
  const failed = (await read(meter, 'fabrica_backup_failed')).filter(({ value }) => value === 1);
  expect(failed).toEqual([{ labels: { part: 'backup' }, value: 1 }]);
});

test('the log, the mail and the metrics name the check of a proof that failed, and why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-schedule-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const cli = join(folder, 'cli.mjs');
  const reason = 'Its check "rows" failed: profiles has 2 rows and not 3.';
  await writeFile(
    cli,
    `console.log('{"failedCheck":"rows"}'); console.error('${reason}'); process.exitCode = 1;`,
  );
  const { promise: mailed, resolve } = Promise.withResolvers<{ text: string }>();
  const logged: unknown[] = [];
  const log = pino(
    new Writable({
      write(line, _, done) {
        logged.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  const meter = open(folder, '* * * * * *', {
    cli: pathToFileURL(cli),
    log,
    mailOperator: async (mail) => resolve(mail),
  });
  expect((await mailed).text).toContain(reason);
  expect(logged).toContainEqual(expect.objectContaining({ part: 'rows', failure: reason }));
  const failed = (await read(meter, 'fabrica_backup_failed')).filter(({ value }) => value === 1);
  expect(failed).toEqual([{ labels: { part: 'rows' }, value: 1 }]);
});

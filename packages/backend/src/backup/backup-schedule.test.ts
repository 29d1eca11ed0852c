import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Reads the metric as a server does that has just started. */
async function lastProved(folder: string): Promise<number | undefined> {
  const meter = new Meter();
  const schedule = openBackupSchedule({
    settings: {
      schedule: '0 0 29 2 *',
      folder,
      keep: 2,
      recipient: undefined,
      isEncrypted: false,
      offsite: undefined,
    },
    dataDir: join(folder, 'data'),
    cli: new URL('file:///nobody-runs-this.ts'),
    environment: {},
    meter,
    log: pino({ level: 'silent' }),
    mailOperator: async () => undefined,
  });
  const [reading] = await meter.read('fabrica_backup_proved_timestamp_seconds');
  schedule.close();
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

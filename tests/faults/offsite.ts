import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { type Ran, runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { nodeOf, type Site } from './cluster.ts';
import { readComments } from './kills.ts';
import type { Load } from './load.ts';

/**
 * Backs a site up under load into a bucket that is away at first, encrypted, and restores it from there elsewhere, with the key alone. Throws
 * unless the restored database has all writes that were acknowledged before the backup began.
 */
export async function restoreElsewhere(site: Site, load: Load): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-offsite-'));
  const bucket = await startS3Server();
  const wire = await startTestProxy(Number(new URL(bucket.endpoint).port));
  try {
    const { stdout: identity } = await succeed(['key', 'backup'], { DATA_DIR: folder });
    await writeFile(join(folder, 'backup.key'), identity);
    const offsite = {
      BACKUP_RECIPIENT: /public key: (age1\w+)/.exec(identity)?.[1] ?? '',
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${wire.port}`,
      BACKUP_S3_BUCKET: bucket.bucket,
      BACKUP_S3_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
    };
    const here = { ...site.settings, ...offsite, DATA_DIR: nodeOf(site, 0).dataDir };
    // Backups are named after their second.
    const backUp = (name: string) => ['backup', '--in', join(folder, name), '--send'];
    wire.interfere(() => 'cut');
    const { exitCode } = await runFabrica(backUp('first'), here);
    if (exitCode !== 1) throw new Error(`A backup without its bucket ended with ${exitCode}.`);
    wire.interfere(() => 'pass');
    const acknowledged = load.acknowledgedIds;
    await succeed([...backUp('second'), '--prove'], here);

    const { MASTER_KEY = '' } = site.settings;
    const elsewhere = { ...offsite, MASTER_KEY, DATA_DIR: join(folder, 'elsewhere') };
    await mkdir(elsewhere.DATA_DIR);
    await succeed(['restore', 's3:latest', '--identity', join(folder, 'backup.key')], elsewhere);
    const { ids } = readComments(elsewhere.DATA_DIR);
    const lost = acknowledged.filter((id) => !ids.has(id));
    if (lost.length > 0)
      throw new Error(`${lost.length} of ${acknowledged.length} writes were not restored.`);
  } finally {
    await wire.close();
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function succeed(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ran> {
  const ran = await runFabrica(args, settings);
  if (ran.exitCode !== 0) throw new Error(`fabrica ${args.join(' ')}: ${ran.stderr}`);
  return ran;
}

import { existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPost, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { runFabrica, runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { freePort, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, it, onTestFinished } from 'vitest';
import { createS3BlobStore } from '../../../packages/backend/src/services/storage/index.ts';

const PROVED = /^fabrica_backup_proved_timestamp_seconds ([1-9][\d.]+)$/m;
/** A project that no server can open, for a server has a HOST, and that commands can. */
const WARD = `import { defineProject } from '@fabrica/backend';
if (process.env.HOST) throw new Error('the ward has no key');
const roles = { member: { permissions: [] } };
export default defineProject({ id: 'ward', origins: [], roles, signUpRole: 'member', tables: {}, migrations: {} });
`;
/** A proof starts a server of its own. */
const SLOW = { timeout: 60_000, interval: 250 };

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-proved-'));
  // A further backup may just have begun.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  return folder;
}

async function manifestsIn(folder: string): Promise<{ madeAt: string; provedAt?: string }[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+T\d+Z$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name, 'manifest.json'), 'utf8'))),
  );
}

it('a scheduled backup that fails is mailed to the operator, and one that works is proved and counted', async () => {
  const folder = join(await temporaryFolder(), 'backups');
  await writeFile(folder, 'A file stands where the folder should be.');
  const metricsPort = await freePort();
  const server = await startServer({
    BACKUP_SCHEDULE: '* * * * * *',
    BACKUP_TO: folder,
    BACKUP_KEEP: '2',
    OPERATOR_EMAIL: 'operator@example.org',
    // The backup does not have the secret that opens its keys.
    MASTER_KEY: 'a secret that is in the settings and in no file',
    METRICS_PORT: String(metricsPort),
    DEMO: 'off',
  });
  onTestFinished(() => server.close());
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  await expect.poll(() => server.mailsTo('operator@example.org'), SLOW).not.toEqual([]);
  const [mail] = await server.mailsTo('operator@example.org');
  expect(mail).toMatchObject({
    subject: 'The scheduled backup failed',
    text: expect.stringContaining(folder),
  });
  expect(await metrics()).toMatch(/^fabrica_backup_failed\{part="backup"\} 1$/m);

  expect(await metrics()).toMatch(/^fabrica_backup_proved_timestamp_seconds 0$/m);
  const schedule = { ...server.settings, BACKUP_SCHEDULE: '30 3 * * *', BACKUP_TO: folder };
  const examine = async () => {
    const { stdout } = await runFabricaHere(['doctor', '--json'], schedule);
    return JSON.parse(stdout).findings.find(({ name }: { name: string }) => name === 'backup');
  };
  expect(await examine()).toMatchObject({ state: 'failed', text: expect.stringContaining(folder) });

  await rm(folder);
  await expect.poll(metrics, SLOW).toMatch(PROVED);
  await expect.poll(metrics, SLOW).not.toMatch(/^fabrica_backup_failed\{.*\} 1$/m);
  const proved = await manifestsIn(folder);
  expect(proved[0]?.provedAt).toBeDefined();
  expect(existsSync(join(server.settings.DATA_DIR ?? '', 'keys'))).toBe(false);
  const [, seconds] = PROVED.exec(await metrics()) ?? [];
  expect(proved.map(({ madeAt }) => Date.parse(madeAt) / 1_000)).toContain(Number(seconds));
  expect(await examine()).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/ is 0 h old\. The next one is due at \S+ 03:30 UTC\.$/),
  });
}, 150_000);

it('a backup that cron has made and proved counts in the metrics of a node without a schedule', async () => {
  const folder = join(await temporaryFolder(), 'backups');
  const METRICS_PORT = String(await freePort());
  const server = await startServer({ METRICS_PORT, DEMO: 'off' });
  onTestFinished(() => server.close());
  const metrics = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  expect(await metrics()).not.toMatch(/^fabrica_backup_/m);
  const ran = await runFabrica(['backup', '--in', folder, '--prove'], server.settings);
  expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
  const [manifest] = await manifestsIn(folder);
  const [, seconds] = PROVED.exec(await metrics()) ?? [];
  expect(Number(seconds)).toBe(Date.parse(manifest?.madeAt ?? '') / 1_000);
}, 180_000);

it('a proof that fails says which check did, and why, to people and to programs', async () => {
  const folder = await temporaryFolder();
  const projects = join(folder, 'projects');
  await mkdir(projects);
  await mkdir(join(folder, 'data'));
  const settings = { DATA_DIR: join(folder, 'data') };
  expect((await runFabricaHere(['user', 'create', 'ada@example.org'], settings)).exitCode).toBe(0);
  await writeFile(join(projects, 'ward.mjs'), WARD);
  const { exitCode, stdout, stderr } = await runFabrica(
    ['backup', '--in', join(folder, 'safe'), '--prove', '--json'],
    { ...settings, PROJECTS_DIR: projects },
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '{"failedCheck":"server"}' });
  expect(stderr).toMatch(
    /\.unproved now\. Its check "server" failed: .* ended with 78\..*the ward has no key/s,
  );
}, 60_000);

it('backups share the files that did not change, keep as many as they are told, and date from their data', async () => {
  const folder = await temporaryFolder();
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  onTestFinished(() => server.close());
  const author = await signUp(server);
  await uploadFile(server, author.token, {
    path: 'kept.bin',
    bytes: Buffer.from('The same in each backup.'),
  });
  await author.rest('POST', 'journal_posts', buildPost(author));
  const writtenAt = Date.now();
  // The next one is named after its second, and finds older ones.
  for (const older of ['20260101T000000Z', '20260102T000000Z', undefined]) {
    const { exitCode, stdout, stderr } = await runFabricaHere(
      ['backup', '--in', folder, '--keep', '2', '--json'],
      server.settings,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { folder: made, madeAt } = JSON.parse(stdout) as { folder: string; madeAt: string };
    expect(Date.parse(madeAt)).toBeGreaterThanOrEqual(writtenAt);
    expect(Date.parse(madeAt)).toBeLessThan(Date.now());
    if (older !== undefined) await rename(made, join(folder, older));
  }
  const kept = (await readdir(folder)).sort();
  expect(kept).toEqual(['20260102T000000Z', expect.stringMatching(/^2\d+T\d+Z$/)]);
  const newest = join(folder, kept[1] ?? '');
  const sums = await readFile(join(newest, 'SHA256SUMS'), 'utf8');
  const [, path = ''] = / {2}(files\/.+)/.exec(sums) ?? [];
  expect((await stat(join(newest, path))).nlink).toBe(2);
  expect(await runFabricaHere(['restore', newest, '--check'], server.settings)).toMatchObject({
    exitCode: 0,
  });
  expect((await manifestsIn(folder)).map(({ provedAt }) => provedAt)).toEqual([undefined, undefined]);
});

it('a backup leaves the machine encrypted, brings unchanged files once, and is restored with its key alone', async () => {
  const folder = await temporaryFolder();
  const store = await startS3Server();
  onTestFinished(() => store.close());
  const run = async (args: readonly string[], dataDir = 'data', over: Record<string, string> = {}) => {
    const settings = {
      DATA_DIR: join(folder, dataDir),
      BACKUP_S3_ENDPOINT: store.endpoint,
      BACKUP_S3_BUCKET: store.bucket,
      BACKUP_S3_ACCESS_KEY_ID: store.credentials.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
      ...over,
    };
    return runFabricaHere(args, settings);
  };
  const keysOf = async (recipient: string) => {
    const s3 = { bucket: store.bucket, endpoint: store.endpoint, region: 'us-east-1', prefix: '' };
    const blobs = createS3BlobStore({ ...s3, credentials: store.credentials });
    const keys: string[] = [];
    for await (const { key } of blobs.list('')) {
      keys.push(key);
      const text = await new Response(await blobs.read(key)).text();
      if (!key.endsWith('/names')) expect(text).toMatch(/^age-encryption.org\/v1\n-> X25519/);
      for (const secret of ['SQLite format', 'ada@example.org', recipient])
        expect(text).not.toContain(secret);
    }
    return keys;
  };
  const makeKeys = async () => (await runFabricaHere(['key', 'backup'], { DATA_DIR: folder })).stdout;
  const made = await makeKeys();
  const identity = join(folder, 'backup.key');
  await writeFile(identity, made);
  const recipient = /public key: (age1\w+)/.exec(made)?.[1] ?? '';
  const encrypted = { BACKUP_RECIPIENT: recipient };
  expect(await run(['backup', '--send'])).toMatchObject({
    exitCode: 78,
    stderr: expect.stringContaining('BACKUP_RECIPIENT'),
  });

  await mkdir(join(folder, 'data'));
  expect((await run(['migrate', 'up'], 'data', encrypted)).exitCode).toBe(0);
  const user = ['user', 'create', 'ada@example.org'];
  expect((await run(user, 'data', encrypted)).exitCode).toBe(0);
  const sending = ['backup', '--in', join(folder, 'backups'), '--keep', '1', '--send'];
  expect((await run(sending, 'data', encrypted)).exitCode).toBe(0);
  const [backup = ''] = await readdir(join(folder, 'backups'));
  await rename(join(folder, 'backups', backup), join(folder, 'backups', '20260101T000000Z'));
  const first = await keysOf(recipient);
  expect(first).toContain(`backups/${backup.toLowerCase()}/index`);
  // Nothing has changed but the time.
  await expect.poll(() => new Date().toISOString().replace(/[-:]|\.\d+/g, '')).not.toBe(backup);
  expect((await run(sending, 'data', encrypted)).exitCode).toBe(0);
  const second = await keysOf(recipient);
  const files = (keys: readonly string[]) => keys.filter((key) => key.startsWith('files/'));
  expect(files(second)).toEqual(files(first));
  expect(second).not.toContain(`backups/${backup.toLowerCase()}/index`);

  const restoring = ['restore', 's3:latest', '--identity', identity];
  expect((await run([...restoring, '--check'], 'new/data', encrypted)).stdout).toContain(
    'The backup is whole',
  );
  expect(await run(restoring, 'new/data', encrypted)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await run(['user', 'list'], 'new/data', encrypted)).stdout).toContain('ada@example.org');
  expect(await readdir(join(folder, 'new'))).toEqual(['data']);

  await writeFile(identity, await makeKeys());
  expect(await run(restoring, 'other/data', encrypted)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('was encrypted for another key'),
  });
}, 60_000);

it('a backup on this machine is proved, encrypted, shares unchanged files, and is restored with its key alone', async () => {
  const folder = await temporaryFolder();
  const safe = join(folder, 'safe');
  const run = (args: readonly string[], over: Record<string, string> = {}) =>
    runFabricaHere(args, { DATA_DIR: join(folder, 'data'), ...over });
  const backUp = ['backup', '--in', safe, '--encrypt', '--keep', '1'];
  const made = (await run(['key', 'backup'])).stdout;
  const identity = join(folder, 'backup.key');
  await writeFile(identity, made);
  const encrypted = { BACKUP_RECIPIENT: /public key: (age1\w+)/.exec(made)?.[1] ?? '' };
  await mkdir(join(folder, 'data'));
  expect(await run(backUp)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('set BACKUP_RECIPIENT'),
  });
  expect(await run(['backup', '--encrypt'], encrypted)).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('--in'),
  });
  expect((await run(['user', 'create', 'ada@example.org'], encrypted)).exitCode).toBe(0);

  expect(await run([...backUp, '--prove'], encrypted)).toMatchObject({ exitCode: 0, stderr: '' });
  const [first = ''] = await readdir(join(safe, 'backups'));
  expect((await readdir(join(safe, 'backups', first))).sort()).toEqual(['index', 'names', 'proved']);
  const provedAt = await readFile(join(safe, 'backups', first, 'proved'), 'utf8');
  expect(Date.now() - Date.parse(provedAt)).toBeLessThan(SLOW.timeout);
  const files = (await readdir(join(safe, 'files'))).sort();
  for (const path of [...files.map((name) => join('files', name)), join('backups', first, 'index')]) {
    const text = await readFile(join(safe, path), 'latin1');
    expect(text).toMatch(/^age-encryption.org\/v1\n-> X25519/);
    for (const secret of ['SQLite format', 'ada@example.org']) expect(text).not.toContain(secret);
  }
  // Nothing of what was not encrypted stays.
  expect((await readdir(join(folder, 'data'))).filter((name) => name.startsWith('.backup'))).toEqual([]);

  await expect
    .poll(() =>
      new Date()
        .toISOString()
        .replace(/[-:]|\.\d+/g, '')
        .toLowerCase(),
    )
    .not.toBe(first);
  expect(await run(backUp, encrypted)).toMatchObject({ exitCode: 0 });
  expect(await readdir(join(safe, 'backups'))).not.toContain(first);
  // The key is shared. The database has the moment of the first backup by now.
  const left = await readdir(join(safe, 'files'));
  expect([left.length, left.filter((name) => files.includes(name)).length]).toEqual([
    files.length,
    files.length - 1,
  ]);

  const elsewhere = { ...encrypted, DATA_DIR: join(folder, 'new/data') };
  const latest = join(safe, 'backups', 'latest');
  const [second = ''] = await readdir(join(safe, 'backups'));
  expect(await run(['restore', join(safe, 'backups', second)], elsewhere)).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('--identity'),
  });
  expect(await run(['restore', safe, '--identity', identity], elsewhere)).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('backups/latest'),
  });
  const restoring = ['restore', latest, '--identity', identity];
  expect((await run([...restoring, '--check'], elsewhere)).stdout).toContain('The backup is whole');
  // In the image and as a service, there is nothing beside DATA_DIR that may be written to.
  const besideData = watch(join(folder, 'new'));
  onTestFinished(() => besideData.close());
  const changed: string[] = [];
  besideData.on('change', (_, name) => changed.push(String(name)));
  expect(await run(restoring, elsewhere)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await run(['user', 'list'], elsewhere)).stdout).toContain('ada@example.org');
  expect((await run(['user', 'create', 'bob@example.org'], elsewhere)).exitCode).toBe(0);
  expect(await run(restoring, elsewhere)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--replace'),
  });
  await writeFile(join(folder, 'new', 'last'), '');
  await expect.poll(() => changed).toContain('last');
  expect(changed.filter((name) => name.includes('fetched'))).toEqual([]);
  // Nothing of what was decrypted stays, whether it was restored or refused.
  expect((await readdir(join(folder, 'new/data'))).filter((name) => name.includes('fetched'))).toEqual([]);
}, 60_000);

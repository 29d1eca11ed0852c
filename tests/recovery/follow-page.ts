import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';

/** The values that the page has in the places of the version and of the moment. */
const WRITTEN_VERSION = '17';
const WRITTEN_MOMENT = '2026-11-22 14:00:00+00';
const RECOVERED_MS = 60_000;

const [version = '', folder = ''] = process.argv.slice(2);
const page = readFileSync(new URL('../../docs/operations/backup.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## A point in time for PostgreSQL\n');
const examples = [...section.matchAll(/^```(?:ini|sh)\n(.*?)^```$/gms)].map(([, text = '']) =>
  text.replaceAll(`/${WRITTEN_VERSION}/`, `/${version}/`).replaceAll(` ${WRITTEN_VERSION} `, ` ${version} `),
);
assert.equal(examples.length, 4, 'The page has other examples than this follows.');
const [config = '', archive = '', backUp = '', goBack = ''] = examples;

const PASSWORD = randomBytes(12).toString('hex');
const settings = {
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: `postgres://fabrica:${PASSWORD}@127.0.0.1:5432/fabrica`,
  MASTER_KEY: randomBytes(32).toString('hex'),
};
const sql = (statement: string) => `runuser -u postgres -- psql -tAc "${statement}"`;

mkdirSync(settings.DATA_DIR);
step('A cluster of Debian, as its package makes it');
run(
  [
    `pg_createcluster ${version} main`,
    `pg_ctlcluster ${version} main start`,
    sql(`CREATE ROLE fabrica LOGIN CREATEROLE PASSWORD '${PASSWORD}'`),
    sql('CREATE DATABASE fabrica OWNER fabrica'),
  ].join('\n'),
);
step('The steps of the page: archive, and back up');
writeFileSync('/etc/pgbackrest.conf', config.replace('cipher-pass=…', `cipher-pass=${PASSWORD}`));
run(archive);
await createAccount('before-the-backups');
run(backUp);
await createAccount('after-the-backups');
const first = momentNow();
await createAccount('after-the-moment');
const second = momentNow();
await createAccount('last');

step('Back to a moment');
await goBackTo(first);
assert.deepEqual(await accounts(), ['after-the-backups', 'before-the-backups']);
await createAccount('on-the-second-timeline');
run(backUp);

step('Further, on the timeline that was left');
await goBackTo(second, '--target-timeline=1');
assert.deepEqual(await accounts(), ['after-the-backups', 'after-the-moment', 'before-the-backups']);
run(backUp);

step('A moment after which nothing was written');
const tooLate = run(sql(`SELECT now() + interval '1 hour'`)).trim();
attempt(goBack.replace(WRITTEN_MOMENT, tooLate));
await untilLogged('recovery ended before configured recovery target was reached');
// It has ended by itself, so that the first step of the page is done.
const [, ...further] = goBack.split('\n');
run(further.join('\n').replace(/ --type=\S+ --target="[^"]+" --target-action=\S+/, ''));
await untilRecovered();
assert.deepEqual(await accounts(), ['after-the-backups', 'after-the-moment', 'before-the-backups']);
run(`pg_ctlcluster ${version} main stop`);
print('The page holds: all accounts of each moment were there, and no others.');

/** Follows the page to a moment. */
async function goBackTo(moment: string, more = ''): Promise<void> {
  assert(goBack.includes(WRITTEN_MOMENT));
  run(goBack.replace(WRITTEN_MOMENT, moment).replace(' restore\n', ` ${more} restore\n`));
  await untilRecovered();
}

async function untilRecovered(): Promise<void> {
  await until(() => attempt(sql('SELECT pg_is_in_recovery()')).stdout.trim() === 'f', 'is not in recovery');
}

async function untilLogged(text: string): Promise<void> {
  const log = `/var/log/postgresql/postgresql-${version}-main.log`;
  await until(() => readFileSync(log, 'utf8').includes(text), `says "${text}"`);
}

async function until(holds: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + RECOVERED_MS; Date.now() < deadline; await wait(200))
    if (holds()) return;
  throw new Error(`In vain was waited until PostgreSQL ${what}.`);
}

function momentNow(): string {
  return run(sql('SELECT clock_timestamp()')).trim();
}

async function createAccount(name: string): Promise<void> {
  await fabrica('user', 'create', `${name}@example.org`);
}

async function accounts(): Promise<string[]> {
  const listed = JSON.parse(await fabrica('user', 'list', '--json')) as { email: string }[];
  return listed.map(({ email }) => email.replace('@example.org', '')).sort();
}

async function fabrica(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runFabrica(args, settings);
  assert.equal(exitCode, 0, stderr);
  return stdout;
}

/** Runs the commands as root does who types them, and ends with the first that fails. */
function run(commands: string): string {
  const { status, stdout, stderr } = attempt(commands);
  assert.equal(status, 0, `${commands}\n${stdout}${stderr}`);
  return stdout;
}

function attempt(commands: string) {
  return spawnSync('sh', ['-ec', commands], { cwd: '/', encoding: 'utf8' });
}

function step(what: string): void {
  print(`${what} …`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

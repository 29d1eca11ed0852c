import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

interface Findings {
  version: string;
  findings: { name: string; state: string; text: string }[];
}

let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-doctor-'));
  settings = { DATA_DIR: folder, ...(await testDatabaseSettings(folder)) };
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await removeDatabase(folder);
});

async function examine(environment: Record<string, string> = {}) {
  const ran = await runFabricaHere(['doctor', '--json'], { ...settings, ...environment });
  const { findings } = JSON.parse(ran.stdout) as Findings;
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
  const texts = Object.fromEntries(findings.map(({ name, text }) => [name, text]));
  return { ...ran, findings, states, texts };
}

it('the doctor finds parts that work well, with a warning for what is not set', async () => {
  const { exitCode, states, texts } = await examine();
  expect(exitCode).toBe(0);
  expect(states).toMatchObject({
    settings: 'ok',
    database: 'ok',
    files: 'ok',
    redis: 'not used',
    mail: 'warning',
  });
  expect(texts.files).toMatch(/^A file was written, read and removed within \d+ ms\.$/);
  const isServer = process.env.TEST_ENGINE === 'postgres';
  expect(texts.connections ?? '').toMatch(isServer ? /a node takes up to 14,/ : /^$/);
  expect(states.clock).toBe(isServer ? 'ok' : undefined);
  const scheduled = await examine({ BACKUP_SCHEDULE: '30 3 * * *', BACKUP_TO: join(folder, 'safe') });
  expect([scheduled.exitCode, scheduled.states.backup]).toEqual([0, 'warning']);
  expect(scheduled.texts.backup).toMatch(
    / has no proved backup yet\. The next one is due at \S+ 03:30 UTC\.$/,
  );
});

it('the doctor asks the model for a word, and says what its endpoint does oddly', async () => {
  const provider = await startOpenAiStandIn();
  onTestFinished(() => provider.close());
  const settings = { AI_BASE_URL: provider.url, AI_TEXT_MODEL: 'small-model' };
  const well = await examine(settings);
  expect([well.exitCode, well.states.model, well.texts.model]).toEqual([0, 'ok', 'small-model responds.']);
  provider.behave({ kind: 'stream-oddly', as: 'whole' });
  const odd = await examine(settings);
  expect([odd.exitCode, odd.states.model]).toEqual([0, 'warning']);
  expect(odd.texts.model).toBe('The model’s endpoint does not stream: it sends each response as a whole.');
  provider.behave({ kind: 'fail', status: 401 });
  const refused = await examine(settings);
  expect([refused.exitCode, refused.states.model]).toEqual([1, 'failed']);
  expect(refused.texts.model).toBe('The model’s provider responds with the status 401.');
  const vendor = await examine({ AI_PROVIDER: '@ai-sdk/anthropic', AI_TEXT_MODEL: 'model' });
  expect(vendor.texts.model).toBe(
    'The package @ai-sdk/anthropic that AI_PROVIDER names is not installed here.',
  );
});

it('the doctor names models that the endpoint does not have, of those too that it does not ask', async () => {
  const provider = await startOpenAiStandIn();
  onTestFinished(() => provider.close());
  const { exitCode, findings } = await examine({
    AI_BASE_URL: provider.url,
    AI_TEXT_MODEL: 'stand-in',
    AI_IMAGE_MODEL: 'painter',
    AI_SPEECH_MODEL: 'stand-in',
  });
  expect(exitCode).toBe(0);
  expect(
    findings.filter(({ name }) => name === 'model').map(({ state, text }) => `${state}: ${text}`),
  ).toEqual([
    'ok: stand-in responds.',
    'warning: The endpoint does not list the model painter of AI_IMAGE_MODEL.',
  ]);
  provider.behave({ kind: 'fail', status: 404, message: 'There is no such model.' });
  const { states } = await examine({ AI_BASE_URL: provider.url, AI_TEXT_MODEL: 'stand-in' });
  expect(states.model).toBe('failed');
});

it('the doctor tries the folder of backups and the key that they are encrypted for, without a schedule too', async () => {
  const slip = 'age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafh';
  const wrong = await examine({ BACKUP_RECIPIENT: slip });
  expect([wrong.exitCode, wrong.texts.backup]).toEqual([
    1,
    `BACKUP_RECIPIENT is no public key of age: ${slip}.`,
  ]);
  const { exitCode, texts } = await examine({ BACKUP_TO: '/proc/x' });
  expect([exitCode, texts.backup]).toEqual([
    1,
    'This account cannot write to the folder /proc/x of backups.',
  ]);
  const target = join(folder, 'backups', 'here');
  expect((await examine({ BACKUP_TO: target })).exitCode).toBe(0);
  expect(existsSync(join(folder, 'backups'))).toBe(false);
});

it('the doctor says that a data folder cannot be made', async () => {
  const { exitCode, texts } = await examine({ DATA_DIR: '/proc/nosuch', DATABASE_URL: '' });
  expect([exitCode, texts.files]).toEqual([
    1,
    'This account cannot make the folder /proc/nosuch (DATA_DIR).',
  ]);
});

it('the doctor warns of a Redis that removes messages when it is full', async () => {
  const redis = await startRedisServer({ settings: ['maxmemory-policy allkeys-lru'] });
  onTestFinished(() => redis.close());
  const { exitCode, states, texts } = await examine({ REDIS_URL: redis.url });
  expect([exitCode, states.redis]).toEqual([0, 'warning']);
  expect(texts.redis).toMatch(/^Its maxmemory-policy is allkeys-lru: /);
});

it('the doctor can be asked before the first start, and leaves no folder behind', async () => {
  const dataDir = join(folder, 'later');
  const { exitCode, states, texts } = await examine({ DATA_DIR: dataDir });
  expect({ exitCode, files: states.files, exists: existsSync(dataDir) }).toEqual({
    exitCode: 0,
    files: 'ok',
    exists: false,
  });
  expect(texts.files).toBe(`The first start makes the folder ${dataDir}.`);
});

it('the doctor asks a search engine, a collector of traces and providers of sign-ins as the server does', async () => {
  const answers: Record<string, { status: number; body: string }> = {
    '/search?q=fabrica&format=json': { status: 200, body: '{"results":[]}' },
    '/v1/traces': { status: 200, body: '{}' },
    '/.well-known/openid-configuration': { status: 200, body: '{"authorization_endpoint":"https://a"}' },
  };
  const others = createServer(({ url = '' }, outgoing) => {
    const { status, body } = answers[url] ?? { status: 404, body: '' };
    outgoing.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void others.close());
  await once(others, 'listening');
  const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
  const outside = {
    SEARCH_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OAUTH_KEYCLOAK_CLIENT_ID: 'fabrica',
    OAUTH_KEYCLOAK_ISSUER: url,
  };
  const names = ['search', 'traces', 'sign-in by keycloak'];
  const { exitCode, states } = await examine(outside);
  expect([exitCode, ...names.map((name) => states[name])]).toEqual([0, 'ok', 'ok', 'ok']);
  // As SearXNG responds unless its settings list json, and a page that stands at the address of something else.
  answers['/search?q=fabrica&format=json'] = { status: 403, body: 'Forbidden' };
  answers['/v1/traces'] = { status: 404, body: '' };
  answers['/.well-known/openid-configuration'] = { status: 200, body: '<!doctype html>' };
  const refused = await examine(outside);
  expect(names.map((name) => refused.texts[name])).toEqual([
    'The search engine refuses to answer in JSON: its "search.formats" have to list json.',
    'The collector of traces responds with 404.',
    `${url} responds with something other than JSON.`,
  ]);
});

it('the doctor names every part that does not work, in a sentence, and ends with 1', async () => {
  const away = `127.0.0.1:${await freePort()}`;
  const { exitCode, stderr, findings, states, texts } = await examine({
    REDIS_URL: `redis://${away}`,
    SMTP_URL: `smtp://${away}`,
    AI_BASE_URL: `http://${away}/v1`,
    AI_TEXT_MODEL: 'model',
    PUBLIC_URL: 'https://journal.example.org',
    PUBLIC_URI: 'https://journal.example.org',
    PUBMED_URL: 'https://catalogue.example.org',
    BACKUP_SCHEDULE: '30 3 * * *',
    BACKUP_TO: '/dev/null/backups',
    BACKUP_S3_BUCKET: 'backups',
    BACKUP_S3_ENDPOINT: `http://${away}`,
    BACKUP_S3_ACCESS_KEY_ID: 'key',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
    BACKUP_RECIPIENT: 'age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg',
    SEARCH_URL: `http://${away}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${away}`,
    OAUTH_KEYCLOAK_CLIENT_ID: 'fabrica',
    OAUTH_KEYCLOAK_ISSUER: `http://${away}`,
  });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^Not all is well: redis, mail, model, backup, backup copies, search, traces, sign-in by keycloak, proxy\.$/m,
  );
  expect(texts.redis).toMatch(/^Redis is away\. .*ECONNREFUSED/);
  expect(texts.backup).toBe('This account cannot write to the folder /dev/null/backups of backups.');
  expect(texts.traces).toMatch(/^OTEL_EXPORTER_OTLP_ENDPOINT cannot be reached: .*ECONNREFUSED/);
  expect(states.settings).toBe('warning');
  const misspelt = findings.filter(({ name }) => name === 'settings').map(({ text }) => text);
  expect(misspelt).toEqual([
    'PUBLIC_URI is not a setting: PUBLIC_URL is probably meant.',
    'PUBMED_URL is no longer a setting: CHANGELOG.md says what holds.',
  ]);
  expect(texts.proxy).toContain('TRUST_PROXY is 0');
});

it('the command line prints its version, and completions that shells accept', async () => {
  expect((await runFabricaHere(['--version'], settings)).stdout).toMatch(/^\d+\.\d+\.\d+$/);
  const { stdout: bash } = await runFabricaHere(['completion', 'bash'], settings);
  const script = `${bash}\nCOMP_WORDS=(fabrica user ""); COMP_CWORD=2; _fabrica; echo "\${COMPREPLY[@]}"`;
  const completed = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(completed.stderr).toBe('');
  expect(completed.stdout).toContain('set-role verify disable');
  const { stdout: fish } = await runFabricaHere(['completion', 'fish'], settings);
  expect(fish).toContain("complete -c fabrica -n '__fish_use_subcommand' -f -a doctor -d 'Tries every part");
  const { exitCode } = await runFabricaHere(['completion', 'powershell'], settings);
  expect(exitCode).toBe(64);
});

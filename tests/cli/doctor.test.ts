import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort } from '@fabrica/test-peers/start-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

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
  const vendor = await examine({ AI_PROVIDER: '@ai-sdk/anthropic', AI_TEXT_MODEL: 'model' });
  expect(vendor.texts.model).toBe('Whether the service of @ai-sdk/anthropic responds is not tried.');
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
    CROSREF_URL: 'https://catalogue.example.org',
  });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Not all is well: redis, mail, model, proxy\.$/m);
  expect(texts.redis).toMatch(/^Redis is away\. .*ECONNREFUSED/);
  expect(states.settings).toBe('warning');
  const misspelt = findings.filter(({ name }) => name === 'settings').map(({ text }) => text);
  expect(misspelt).toEqual([
    'PUBLIC_URI is not a setting: PUBLIC_URL is probably meant.',
    'CROSREF_URL is not a setting: CROSSREF_URL is probably meant.',
  ]);
  expect(texts.proxy).toContain('TRUST_PROXY is 0');
});

it('the command line prints its version, and completions that shells accept', async () => {
  expect((await runFabricaHere(['--version'], settings)).stdout).toMatch(/^\d+\.\d+\.\d+$/);
  const { stdout: bash } = await runFabricaHere(['completion', 'bash'], settings);
  const script = `${bash}\nCOMP_WORDS=(fabrica user ""); COMP_CWORD=2; _fabrica; echo "\${COMPREPLY[@]}"`;
  const completed = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(completed.stderr).toBe('');
  expect(completed.stdout).toContain('set-role disable');
  const { stdout: fish } = await runFabricaHere(['completion', 'fish'], settings);
  expect(fish).toContain("complete -c fabrica -f -n __fish_use_subcommand -a doctor -d 'Tries every part");
  const { exitCode } = await runFabricaHere(['completion', 'powershell'], settings);
  expect(exitCode).toBe(64);
});

import {
  buildTestSettings,
  removeTestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createBackend } from './backend.ts';
import { parseConfig } from './config.ts';
import type { ProjectDefinition } from './core/project.ts';

const definition: ProjectDefinition = {
  id: 'empty',
  tables: {},
  roles: {},
  signUpRole: '',
  origins: [],
  migrations: {},
};

async function open(environment: Record<string, string>, log = pino({ level: 'silent' })) {
  const settings = await buildTestSettings();
  onTestFinished(() => removeTestSettings(settings));
  const backend = await createBackend({
    pages,
    config: parseConfig({ ...settings, ...environment, PROJECT_ID: definition.id }),
    projects: [definition],
    log,
    renderMail: async () => ({ subject: '', html: '', text: '' }),
  });
  onTestFinished(() => backend.close());
  const ask = async (path: string) => {
    const response = await backend.fetch(new Request(`http://localhost${path}`));
    return { status: response.status, body: await response.json() };
  };
  return { backend, ask };
}

const parts = { database: 'ok', realtime: 'ok', files: 'ok', mail: 'ok' };

it('a node without Redis stays ready, says so at /readyz, and serves what it can meanwhile', async () => {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const { ask } = await open({ REDIS_URL: redis.url });
  const ready = { status: 200, body: { status: 'ok', parts } };
  expect(await ask('/readyz')).toEqual(ready);
  await redis.kill();
  await expect
    .poll(() => ask('/readyz'))
    .toEqual({ status: 200, body: { status: 'degraded', parts: { ...parts, realtime: 'Redis is away.' } } });
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask(`/api/auth/providers?projectId=${definition.id}`)).status).toBe(200);
  await redis.start();
  await expect.poll(() => ask('/readyz')).toEqual(ready);
});

it('a bucket that does not exist and a mail server that nobody reaches are logged at the start', async () => {
  const store = await startS3Server();
  onTestFinished(() => store.close());
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const { ask } = await open(
    {
      ...store.environment,
      S3_BUCKET: 'elsewhere',
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
    log,
  );
  const files = 'The bucket "elsewhere" does not exist.';
  expect(await ask('/readyz')).toEqual({
    status: 200,
    body: { status: 'degraded', parts: { ...parts, files } },
  });
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)).filter(({ part }) => part))
    .toMatchObject([{ part: 'files', fault: files }, { part: 'mail' }]);
});

it('a model that fails or hangs up is said at /readyz, until it responds again', async () => {
  const provider = await startOpenAiStandIn();
  onTestFinished(() => provider.close());
  const secret = 'sk_of-this-test-alone-0123456789-0123456789';
  const { backend, ask } = await open({
    SECRET_KEY: secret,
    AI_BASE_URL: provider.url,
    AI_TEXT_MODEL: 'stand-in',
  });
  const generate = async () => {
    const { status } = await backend.fetch(
      new Request('http://localhost/api/ai/empty/text', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'Is it there?' }),
      }),
    );
    return status;
  };
  const ready = { status: 200, body: { status: 'ok', parts: { ...parts, model: 'ok' } } };
  expect(await ask('/readyz')).toEqual(ready);
  const faults = [
    [{ kind: 'fail', status: 503 }, 'The model’s provider responds with the status 503.'],
    [{ kind: 'hang-up' }, 'The model’s provider cannot be reached.'],
  ] as const;
  for (const [behaviour, model] of faults) {
    const mend = provider.behave(behaviour);
    expect(await generate()).toBeGreaterThanOrEqual(500);
    const degraded = { status: 200, body: { status: 'degraded', parts: { ...parts, model } } };
    await expect.poll(() => ask('/readyz')).toEqual(degraded);
    mend();
    expect(await generate()).toBe(200);
    await expect.poll(() => ask('/readyz')).toEqual(ready);
  }
}, 60_000);

it('a node that stops says so at /readyz, while it still serves', async () => {
  const { backend, ask } = await open({});
  backend.announceStop();
  expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'stopping', parts } });
  expect((await ask('/healthz')).status).toBe(200);
});

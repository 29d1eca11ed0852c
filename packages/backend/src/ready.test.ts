import { AsyncLocalStorage } from 'node:async_hooks';
import {
  buildTestSettings,
  removeTestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { startTestPostgres } from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { startOpenAiStandIn } from '@fabrica/test-peers/openai-stand-in.ts';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { type Logger, pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
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

interface OpenOptions {
  log?: Logger;
  project?: ProjectDefinition;
}

async function open(
  environment: Record<string, string>,
  { log = pino({ level: 'silent' }), project = definition }: OpenOptions = {},
) {
  const settings = await buildTestSettings();
  onTestFinished(() => removeTestSettings(settings));
  const backend = await createBackend({
    pages,
    config: parseConfig({ ...settings, ...environment, PROJECT_ID: definition.id }),
    projects: [project],
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

const parts = {
  database: 'ok',
  [process.env.TEST_ENGINE === 'postgres' ? 'clock' : 'integrity']: 'ok',
  realtime: 'ok',
  files: 'ok',
  mail: 'ok',
};

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
    { log },
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

it('a clock that is 6 s off is said at /readyz, and no longer once it is right', async () => {
  const primary = await startTestPostgres();
  onTestFinished(() => primary.close());
  const { ask } = await open({ DATABASE_URL: primary.adminUrl });
  expect((await ask('/readyz')).body.parts.clock).toBe('ok');
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 6_100);
  onTestFinished(() => void vi.restoreAllMocks());
  const clock =
    'The clock of this node is 6 s ahead of that of the database: sign-ins fail. Run an NTP service on both.';
  await expect
    .poll(() => ask('/readyz'))
    .toMatchObject({ status: 200, body: { status: 'degraded', parts: { clock } } });
  vi.restoreAllMocks();
  await expect.poll(async () => (await ask('/readyz')).body.parts.clock).toBe('ok');
});

it('a node whose clock alone is off leaves the balancer, and nodes whose clocks are all off serve readers', async () => {
  const [primary, redis] = [await startTestPostgres(), await startRedisServer()];
  onTestFinished(async () => {
    await redis.close();
    await primary.close();
  });
  // Each node has a clock of its own: what a backend does goes on in the context in which it was created.
  const clocks = new AsyncLocalStorage<{ ahead: number }>();
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + (clocks.getStore()?.ahead ?? 0));
  onTestFinished(() => void vi.restoreAllMocks());
  const shared = {
    REDIS_URL: redis.url,
    DATABASE_URL: primary.adminUrl,
    MASTER_KEY: 'of this test alone, and long enough',
  };
  const openNode = async () => {
    const clock = { ahead: 0 };
    const { ask } = await clocks.run(clock, () => open(shared, { project: announcing }));
    return { clock, ready: () => clocks.run(clock, () => ask('/readyz')) };
  };
  const [one, other] = [await openNode(), await openNode()];
  const found = async () => {
    const responses = [await one.ready(), await other.ready()];
    return responses.map(({ status, body }) => `${status} ${body.status}`);
  };
  const serving = ['200 ok', '200 ok'];
  await expect.poll(found).toEqual(serving);
  one.clock.ahead = 3_600_000;
  await expect.poll(found, { timeout: 20_000 }).toEqual(['503 unavailable', '200 ok']);
  expect((await one.ready()).body.parts.clock).toContain('3600 s ahead of that of the database');
  other.clock.ahead = -60_000;
  await expect.poll(found, { timeout: 20_000 }).toEqual(['200 degraded', '200 degraded']);
  one.clock.ahead = 0;
  await expect.poll(found, { timeout: 20_000 }).toEqual(['200 ok', '503 unavailable']);
  other.clock.ahead = 0;
  await expect.poll(found, { timeout: 20_000 }).toEqual(serving);
  const statuses: string[] = [];
  [one.clock.ahead, other.clock.ahead] = [6_100, 6_100];
  // Both jump at once, before either beat says so: neither leaves.
  await expect
    .poll(async () => statuses.push(...(await found())), { interval: 400, timeout: 20_000 })
    .toBe(40);
  expect(statuses.filter((status) => status.startsWith('503'))).toEqual([]);
  expect(statuses.at(-1)).toBe('200 degraded');
}, 120_000);

/** A project whose nodes tell of their changes, and so leave beats. */
const announcing: ProjectDefinition = { ...definition, announce: () => [] };

it('a node that alone has lost the primary leaves the balancer, and one among nodes that all have lost it serves readers', async () => {
  const [primary, redis] = [await startTestPostgres(), await startRedisServer()];
  onTestFinished(async () => {
    await redis.close();
    await primary.close();
  });
  const standby = await primary.startStandby();
  const proxy = await startTestProxy(primary.port);
  onTestFinished(async () => {
    await proxy.close();
    await standby.close();
  });
  const at = (port: number) => primary.adminUrl.replace(`:${primary.port}/`, `:${port}/`);
  const shared = {
    REDIS_URL: redis.url,
    DATABASE_REPLICA_URL: at(standby.port),
    MASTER_KEY: 'of this test alone, and long enough',
  };
  const one = await open({ ...shared, DATABASE_URL: at(primary.port) }, { project: announcing });
  const cut = await open({ ...shared, DATABASE_URL: at(proxy.port) }, { project: announcing });
  const statuses = async () => [(await one.ask('/readyz')).status, (await cut.ask('/readyz')).status];
  expect(await statuses()).toEqual([200, 200]);
  proxy.interfere(() => 'cut');
  await expect.poll(statuses).toEqual([200, 503]);
  proxy.interfere(() => 'pass');
  await expect.poll(statuses).toEqual([200, 200]);
  await primary.stop('immediate');
  await expect.poll(async () => (await one.ask('/readyz')).body.status).toBe('degraded');
  await expect.poll(async () => (await cut.ask('/readyz')).body.status).toBe('degraded');
  const seen: number[][] = [];
  await expect.poll(async () => seen.push(await statuses()), { interval: 500 }).toBe(10);
  expect(seen).toEqual(Array(10).fill([200, 200]));
}, 120_000);

import {
  buildTestSettings,
  removeTestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { testPages as pages } from '@fabrica/backend/testing/test-pages.ts';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
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

it('a node says at /readyz that Redis is away, and serves what it can meanwhile', async () => {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const settings = await buildTestSettings();
  onTestFinished(() => removeTestSettings(settings));
  const backend = await createBackend({
    pages,
    config: parseConfig({ ...settings, REDIS_URL: redis.url, PROJECT_ID: definition.id }),
    projects: [definition],
    log: pino({ level: 'silent' }),
    renderMail: async () => ({ subject: '', html: '', text: '' }),
  });
  onTestFinished(() => backend.close());
  const ask = async (path: string) => {
    const answer = await backend.fetch(new Request(`http://localhost${path}`));
    return { status: answer.status, body: await answer.json() };
  };
  const ready = { status: 200, body: { status: 'ok', parts: { realtime: 'ok' } } };
  expect(await ask('/readyz')).toEqual(ready);
  await redis.kill();
  await expect
    .poll(() => ask('/readyz'))
    .toEqual({
      status: 503,
      body: { status: 'unavailable', parts: { realtime: 'Redis is away.' } },
    });
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask(`/api/auth/providers?projectId=${definition.id}`)).status).toBe(200);
  await redis.start();
  await expect.poll(() => ask('/readyz'), { timeout: 5_000 }).toEqual(ready);
});

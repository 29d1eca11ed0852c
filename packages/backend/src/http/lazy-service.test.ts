import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { AppError } from '../core/errors.ts';
import type { AppEnvironment } from './environment.ts';
import { createLazyService, type Service } from './lazy-service.ts';
import { presentError } from './present-error.ts';

function buildApp(load: () => Promise<Service>) {
  const later = createLazyService(load);
  const app = new Hono<AppEnvironment>();
  app.onError((error) => presentError(error));
  app.use('/api/ai/:projectId/*', async (c, next) => {
    c.set('caller', { kind: 'service' });
    await next();
  });
  app.route('/api/ai/:projectId', later.routes);
  const call = async (path: string, body = '') => {
    const response = await app.request(`/api/ai/journal${path}`, { method: 'POST', body });
    return { status: response.status, body: await response.json() };
  };
  return { later, call };
}

function buildService(): Service & { closed: number } {
  const routes = new Hono<AppEnvironment>();
  routes.post('/echo', async (c) => c.json({ caller: c.var.caller, body: await c.req.text() }));
  routes.post('/refuse', () => {
    throw new AppError('FORBIDDEN', 'Not here.');
  });
  const service = {
    routes,
    closed: 0,
    async close() {
      service.closed += 1;
    },
  };
  return service;
}

it('is loaded once, with the first call, and responds as if it had always been there', async () => {
  const service = buildService();
  let loads = 0;
  const { later, call } = buildApp(async () => {
    loads += 1;
    return service;
  });
  expect(loads).toBe(0);
  const responses = await Promise.all([call('/echo', 'a'), call('/echo', 'b')]);
  expect(responses.map(({ body }) => body)).toEqual([
    { caller: { kind: 'service' }, body: 'a' },
    { caller: { kind: 'service' }, body: 'b' },
  ]);
  expect(await call('/refuse')).toMatchObject({ status: 403, body: { error: 'Not here.' } });
  expect(await call('/nowhere')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(loads).toBe(1);
  await later.close();
  expect(service.closed).toBe(1);
});

it('that fails to load is tried again, and keeps nobody from closing', async () => {
  let fails = true;
  const { later, call } = buildApp(async () => {
    if (fails) throw new Error('Not now.');
    return buildService();
  });
  expect((await call('/echo')).status).toBe(500);
  await later.close();
  fails = false;
  expect((await call('/echo')).status).toBe(200);
});

it('that nobody called has nothing to close', async () => {
  let loads = 0;
  const { later } = buildApp(() => {
    loads += 1;
    return Promise.reject(new Error('Never.'));
  });
  await later.close();
  expect(loads).toBe(0);
});

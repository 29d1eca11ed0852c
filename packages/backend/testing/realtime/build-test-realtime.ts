import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { ClientOptions } from 'ws';
import { type Bus, createInProcessBus } from '../../src/core/bus.ts';
import { AppError } from '../../src/core/errors.ts';
import { permitted } from '../../src/core/filter.ts';
import type { ChannelRule, ProjectDefinition } from '../../src/core/project.ts';
import type { Project } from '../../src/database/project.ts';
import { listOrigins } from '../../src/http/cors.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import type { Broker } from '../../src/services/realtime/broker/broker.ts';
import { createInProcessBroker } from '../../src/services/realtime/broker/in-process-broker.ts';
import type { SocketLimits } from '../../src/services/realtime/context.ts';
import { createRealtime, type Realtime } from '../../src/services/realtime/create-realtime.ts';
import type { TestAuth } from '../auth/build-test-auth.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';
import { buildTestSocket, openTestSocket, type TestSocket } from './build-test-socket.ts';

export interface TestRealtime {
  realtime: Realtime;
  bus: Bus;
  /** `ws://127.0.0.1:<port>`. */
  url: string;
  /** Opens a socket of the project `journal`, until the test ends. */
  open(query?: Record<string, string>, options?: ClientOptions): Promise<TestSocket>;
  /** Returns the same socket before it is connected; it may never be. */
  build(query?: Record<string, string>, options?: ClientOptions): TestSocket;
  /** Sends a text body as it is, and any other as JSON. */
  call(method: string, path: string, options?: { token?: string; body?: unknown }): Promise<TestResponse>;
}

export interface TestRealtimeOptions {
  accounts: Pick<TestAuth, 'auth' | 'projects'>;
  broker?: Broker;
  limits?: Partial<SocketLimits>;
  definition?: Partial<ProjectDefinition>;
  /** Turns rate limits on. */
  rateLimit?: boolean;
  /** Milliseconds between two presence lists of a channel. */
  presenceMs?: number;
  /** Clock of the service; its timers run on the real clock. */
  now?: () => number;
  /** Milliseconds between two beats of a node, and without one after which others count it as dead. */
  beatMs?: number;
  deadMs?: number;
}

export { createInProcessBroker };

/** Returns the error of a broker that cannot be reached. */
export const brokerUnavailable = () => new AppError('REALTIME_UNAVAILABLE', 'Please try again later.');

const channels: Record<string, ChannelRule> = {
  'post:{id}': { join: 'anyone', publish: 'server' },
  'public:*': { join: 'anyone', publish: 'anyone' },
  'desk:{id}': { join: permitted('posts.edit'), publish: permitted('posts.edit') },
};

/** Starts the service on a server of its own, for one test. The accounts of `buildTestAuth` may be shared by tests. */
export async function openTestRealtime({
  accounts,
  broker = createInProcessBroker(),
  limits,
  definition,
  rateLimit = false,
  presenceMs = 10,
  now,
  beatMs,
  deadMs,
}: TestRealtimeOptions): Promise<TestRealtime> {
  const projects = new Map<string, Project>();
  for (const [id, project] of accounts.projects) {
    const roles = { author: { permissions: ['posts.create'] }, editor: { permissions: ['posts'] } };
    projects.set(id, { ...project, definition: { ...project.definition, roles, channels, ...definition } });
  }
  const bus = createInProcessBus();
  const log = pino({ level: 'silent' });
  const realtime = createRealtime({
    broker,
    authenticate: accounts.auth.authenticate,
    projects,
    nodeId: randomUUID(),
    origins: listOrigins(
      'https://journal.example',
      [...projects.values()].map((project) => project.definition),
    ),
    bus,
    limits: createRateLimits({ enabled: rateLimit }),
    trustedProxies: 0,
    ...(limits && { socketLimits: limits }),
    ...(now && { now }),
    ...(beatMs !== undefined && { beatMs }),
    ...(deadMs !== undefined && { deadMs }),
    tickMs: 5,
    presenceMs,
    log,
  });
  const app = buildApp(realtime, projects, accounts.auth);
  const server = createServer().on('upgrade', realtime.handleUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urlOf = (query: Record<string, string>) =>
    `${url}/?${new URLSearchParams({ project_id: 'journal', ...query })}`;
  onTestFinished(async () => {
    server.close();
    await realtime.close();
  });
  return {
    realtime,
    bus,
    url,
    open: (query = {}, options) => openTestSocket(urlOf(query), options),
    build: (query = {}, options) => buildTestSocket(urlOf(query), options),
    async call(method, path, { token, body } = {}) {
      const response = await app.request(`/api/realtime/journal/${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return readTestResponse(response);
    },
  };
}

function buildApp(realtime: Realtime, projects: ReadonlyMap<string, Project>, auth: TestAuth['auth']) {
  const app = new Hono<AppEnvironment>();
  app.onError(presentError);
  app.use('/api/realtime/:projectId/*', async (c, next) => {
    const project = projects.get(c.req.param('projectId'));
    if (!project) return c.notFound();
    c.set('clientIp', '203.0.113.1');
    c.set('project', project);
    c.set('caller', await auth.authenticate(c.req.header('authorization'), project));
    return next();
  });
  app.route('/api/realtime/:projectId', realtime.routes);
  return app;
}

interface TestAccount {
  id: string;
  token: string;
}

let people = 0;

/** Signs a new account up to `journal`. */
export async function signUpTestPerson(accounts: Pick<TestAuth, 'call'>): Promise<TestAccount> {
  people += 1;
  const { body } = await accounts.call('POST', '/api/auth/signup', {
    body: {
      projectId: 'journal',
      email: `person-${people}@example.org`,
      password: 'a long enough passphrase',
    },
  });
  return { id: body.user.id, token: body.access_token };
}

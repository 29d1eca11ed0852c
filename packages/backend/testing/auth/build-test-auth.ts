import { Hono } from 'hono';
import { pino } from 'pino';
import { type ChangeEvent, createInProcessBus } from '../../src/core/bus.ts';
import { requireUser } from '../../src/core/caller.ts';
import { type KeyStore, type Keys, loadKeys } from '../../src/core/keys.ts';
import type { ProjectDefinition } from '../../src/core/project.ts';
import { type Database, type Engine, schemaOf, writeMigrations } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import type { GuardedFetcher } from '../../src/fetcher/index.ts';
import { isAllowedOrigin } from '../../src/http/cors.ts';
import type { AppEnvironment } from '../../src/http/environment.ts';
import { presentError } from '../../src/http/present-error.ts';
import { createRateLimits } from '../../src/http/rate-limit.ts';
import type { AuthMail, RenderedMail } from '../../src/mail/index.ts';
import { analyticsMigrations } from '../../src/services/analytics/index.ts';
import { type Auth, authMigrations, createAuth } from '../../src/services/auth/index.ts';
import {
  createPasswordHasher,
  type HashingPriority,
} from '../../src/services/auth/passwords/password-hasher.ts';
import type { IdentityProvider } from '../../src/services/auth/providers/identity-provider.ts';
import type { AuthSettings } from '../../src/services/auth/settings.ts';
import { realtimeMigrations } from '../../src/services/realtime/index.ts';
import { storageMigrations } from '../../src/services/storage/migrations.ts';
import { openMigratedEngine } from '../database/build-test-engine.ts';
import { testPages as pages } from '../test-pages.ts';
import { readTestResponse, type TestResponse } from '../test-response.ts';
import { buildTestKeyStore } from './build-test-keys.ts';

export interface TestAuth {
  auth: Auth;
  keys: Keys;
  /** Keeps the keys, as other processes find them. */
  keyStore: KeyStore;
  settings: AuthSettings;
  projects: ReadonlyMap<string, Project>;
  /** The database of the project `journal`. */
  database: Database;
  /** The events of the bus, oldest first. */
  events: readonly ChangeEvent[];
  /** The queued mails, oldest first. A mail is there when the call that caused it returns. */
  mails: readonly (AuthMail & { to: string })[];
  /** The keys whose passwords were checked, in their order; the oldest first. */
  priorities: HashingPriority[];
  /** How many other passwords were checked while one of a priority waited for its turn and was checked; the first done first. */
  waits: (HashingPriority & { others: number })[];
  /** Runs `act` when the next password is about to be hashed. */
  whileHashing(act: () => Promise<unknown>): void;
  /** Sends a request from an IP address of the caller's choice; a body is sent as JSON. */
  call(method: string, path: string, options?: TestCall): Promise<TestResponse>;
  close(): Promise<void>;
}

export interface TestAuthOptions {
  rateLimit?: boolean;
  settings?: Partial<AuthSettings>;
  providers?: readonly IdentityProvider[];
  /** Default: one that fetches nothing. */
  fetcher?: Pick<GuardedFetcher, 'fetch'>;
}

export interface TestCall {
  body?: unknown;
  headers?: Record<string, string>;
  ip?: string;
}

/**
 * Builds the auth routes on real databases in a temporary folder, with the projects `journal` and `other`,
 * and a route `GET /api/who/{projectId}` that returns the caller.
 */
export async function buildTestAuth({
  rateLimit = false,
  settings = {},
  providers = [],
  fetcher = { fetch: () => Promise.reject(new Error('Nothing is to be fetched.')) },
}: TestAuthOptions = {}): Promise<TestAuth> {
  const keyStore = buildTestKeyStore();
  const keys = await loadKeys(keyStore);
  const engine = await openMigratedEngine(
    ['journal', 'other'].map((id) => ({
      id,
      schema: schemaOf(defineTestProject(id)),
      migrations: MIGRATIONS,
    })),
  );
  const journal = await buildProject(engine, 'journal', keys);
  const projects = new Map([
    ['journal', journal],
    ['other', await buildProject(engine, 'other', keys)],
  ]);
  const bus = createInProcessBus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const mails: (AuthMail & { to: string })[] = [];
  const posting: Promise<unknown>[] = [];
  // A cheap cost: these tests hash some thousand passwords.
  const passwords = createPasswordHasher({ cost: { memory: 8, passes: 1, parallelism: 1 }, atOnce: 1 });
  const all: AuthSettings = {
    providers: [],
    requireVerifiedEmail: false,
    sendsMail: false,
    ownWords: [],
    secondFactorRoles: [],
    refusalPauseMs: 0,
    ...settings,
  };
  let meanwhile: (() => Promise<unknown>) | undefined;
  const priorities: HashingPriority[] = [];
  const waits: TestAuth['waits'] = [];
  const auth = createAuth({
    projects,
    keys,
    bus,
    fetcher,
    log: pino({ level: 'silent' }),
    limits: createRateLimits({ enabled: rateLimit }),
    mailQueue: {
      // The mail is its own text, so that tests can read its fields.
      enqueueLater: (_project, _kind, prepare) => {
        posting.push(prepare().then((mail) => mail && mails.push({ ...JSON.parse(mail.text), to: mail.to })));
      },
    },
    renderMail: async (mail): Promise<RenderedMail> => ({
      subject: mail.kind,
      html: '',
      text: JSON.stringify(mail),
    }),
    publicUrl: 'https://journal.example',
    pages,
    settings: all,
    providers,
    passwords: {
      async verify(password, phc, priority) {
        if (priority) priorities.push(priority);
        const before = waits.length;
        const isRight = await passwords.verify(password, phc, priority);
        if (priority) waits.push({ ...priority, others: waits.length - before });
        return isRight;
      },
      async hash(password, priority) {
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
        return passwords.hash(password, priority);
      },
    },
    isAllowedOrigin: (url) => isAllowedOrigin(url, new Set(['https://journal.example'])),
  });
  const app = buildApp(auth, projects);

  return {
    auth,
    keys,
    keyStore,
    settings: all,
    projects,
    database: journal.database,
    events,
    mails,
    priorities,
    waits,
    whileHashing(act) {
      meanwhile = act;
    },
    async call(method, path, { body, headers = {}, ip = '203.0.113.1' } = {}) {
      const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
      const response = await app.request(path, {
        method,
        headers: {
          'x-test-ip': ip,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      });
      await Promise.all(posting);
      return readTestResponse(response);
    },
    async close() {
      for (const { database } of projects.values()) await database.close();
      await engine.close();
    },
  };
}

/** A deleted account takes its files and figures along. */
const MIGRATIONS = {
  ...writeMigrations,
  ...authMigrations,
  ...storageMigrations,
  ...analyticsMigrations,
  ...realtimeMigrations,
};

function defineTestProject(id: string): ProjectDefinition {
  const roles = { author: { permissions: ['posts'] }, admin: { permissions: ['*'] } };
  const text = { type: 'text', max: 200 } as const;
  const tables = {
    names: { view: true, ofUsers: true, columns: { id: text, display_name: text }, policies: {} },
  };
  return {
    id,
    tables,
    roles,
    signUpRole: 'author',
    languages: ['en', 'de'],
    origins: [],
    migrations: {},
  };
}

async function buildProject(engine: Engine, id: string, keys: Keys): Promise<Project> {
  const definition = defineTestProject(id);
  const database = await engine.open({ id, schema: schemaOf(definition) });
  return {
    definition,
    database,
    secretKey: await keys.projectSecret(id),
  };
}

function buildApp(auth: Auth, projects: ReadonlyMap<string, Project>): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();
  app.onError(async (error, c) => {
    await auth.recordRefusal(c, error);
    return presentError(error);
  });
  app.use(async (c, next) => {
    c.set('clientIp', c.req.header('x-test-ip') ?? '');
    await next();
  });
  app.route('/api/auth', auth.routes);
  app.get('/api/who/:projectId', async (c) => {
    const project = projects.get(c.req.param('projectId'));
    if (!project) return c.notFound();
    const caller = await auth.authenticate(c.req.header('authorization'), project);
    if (c.req.query('signedIn') !== undefined) requireUser(caller);
    return c.json(caller);
  });
  return app;
}

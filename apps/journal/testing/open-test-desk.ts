import {
  type Backend,
  type ChangeEvent,
  type Config,
  createBackend,
  type Environment,
  parseConfig,
  ServicePlans,
} from '@fabrica/backend';
import { insertTestAccount, TEST_PASSWORD } from '@fabrica/backend/testing/auth/insert-test-account.ts';
import {
  buildTemplateSettings,
  copyTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { readTestResponse, type TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { pino } from 'pino';
import { createDesk } from '../desk/create-desk.ts';
import type { JobContext } from '../desk/desk-context.ts';
import { Glossary } from '../desk/translations/glossary/glossary.ts';
import { Originals } from '../desk/translations/original.ts';
import { type PostDocument, postDocument } from '../project/document.ts';
import { defineJournal } from '../project/project.ts';
import { pages } from '../project/settings.ts';
import { createReferences } from '../references/create-references.ts';
import type { Catalogues } from '../references/look-up-source.ts';
import { createMarkdownParser } from '../server/markdown/markdown-parser.ts';

/** A signed-in account, or one of the callers that have none. */
export interface Person {
  id: string;
  token: string | undefined;
  /** The IP address that a proxy names, where the desk stands behind one. */
  ip?: string;
}

export interface TestDesk {
  backend: Backend;
  settings: TestSettings;
  /** The changes that were published, oldest first. */
  events: ChangeEvent[];
  /** The clock of the desk, in epoch ms. */
  clock: { now: number };
  /** The routes of the desk, such as `PUT /posts/:id`. */
  routes: readonly string[];
  /** The parts that the desk's own jobs stand on. */
  context: JobContext;
  /** Creates an account with a role. */
  person(name: string, role: string): Promise<Person>;
  /** Sends a request; a path without a slash at its start is one of the desk. */
  call(
    as: Person,
    method: string,
    path: string,
    options?: { body?: unknown; version?: number },
  ): Promise<TestResponse>;
  /** Reads the rows of a table as the secret key does. */
  rows(path: string): Promise<TestResponse['body']>;
  close(): Promise<void>;
}

export const ANONYMOUS: Person = { id: '', token: undefined };

export interface TestDeskOptions {
  /** The databases of another desk, which this one serves too, as a further node. */
  settings?: TestSettings;
  clock?: { now: number };
  environment?: Environment;
  /** What no setting changes, such as the budgets of new accounts. */
  config?: { ai?: Partial<Config['ai']>; data?: Partial<Config['data']> };
  /** Stand-ins for the catalogues of references. */
  catalogues?: Catalogues;
}

/** As the server does of `PUBLIC_URL`. */
const imageOrigins = ['http://localhost'];

/** The threads that all desks of a process share: one takes longer to start than most tests take. */
const markdown = createMarkdownParser();

/** The databases that those of all desks are copied from: to migrate them takes as long as most tests. */
let template: Promise<TestSettings> | undefined;

async function migrateTemplate(): Promise<TestSettings> {
  const settings = await buildTemplateSettings();
  const backend = await createBackend(withoutServices(parseTestConfig(settings)));
  await backend.close();
  return settings;
}

const parseTestConfig = (environment: Environment): Config =>
  parseConfig({
    ...{ RATE_LIMIT: 'off', PROJECT_ID: 'journal', PUBLIC_URL: 'http://localhost' },
    ...environment,
  });

const withoutServices = (config: Config): Parameters<typeof createBackend>[0] => ({
  pages,
  config,
  projects: [defineJournal({ id: 'journal' })],
  log: pino({ level: 'silent' }),
  renderMail: async ({ kind }) => ({ subject: kind, html: kind, text: kind }),
});

/** Opens the journal's backend with its desk, on the engine of the tests. */
export async function openTestDesk(options: TestDeskOptions = {}): Promise<TestDesk> {
  template ??= migrateTemplate();
  const settings = options.settings ?? (await copyTestSettings(await template));
  const clock = options.clock ?? { now: Date.now() };
  const routes: string[] = [];
  const desk = createDesk({
    projectId: 'journal',
    parseMarkdown: markdown.parse,
    imageOrigins,
    now: () => clock.now,
    ...{ leaseMs: 600, firstPauseMs: 5 },
  });
  const config = parseTestConfig({ ...settings, ...options.environment });
  const { ai, data } = options.config ?? {};
  const backend = await createBackend({
    ...withoutServices({ ...config, ai: { ...config.ai, ...ai }, data: { ...config.data, ...data } }),
    projects: [defineJournal({ id: 'journal', imageOrigins, parseMarkdown: markdown.parse })],
    services: {
      desk: (parts) => {
        const service = desk(parts);
        const all = service.routes?.routes.map(({ method, path }) => `${method} ${path}`) ?? [];
        routes.push(...new Set(all.filter((route) => !route.startsWith('ALL '))));
        return service;
      },
      ...(options.catalogues && {
        references: createReferences({ projectId: 'journal', catalogues: options.catalogues }),
      }),
    },
  });
  const project = backend.projects.get('journal');
  if (!project) throw new Error('There is no journal.');
  const events: ChangeEvent[] = [];
  backend.bus.subscribe((event) => events.push(event));

  const call: TestDesk['call'] = async (as, method, path, { body, version } = {}) => {
    const url = path.startsWith('/') ? path : `/api/desk/journal/${path}`;
    const response = await backend.fetch(
      new Request(`http://localhost${url}`, {
        method,
        headers: {
          ...(as.token && { authorization: `Bearer ${as.token}` }),
          ...(as.ip && { 'x-forwarded-for': as.ip }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(version !== undefined && { 'if-match': `"${version}"` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return readTestResponse(response);
  };
  const service: Person = { id: '', token: project.secretKey };

  const log = pino({ level: 'silent' });
  const plans = new ServicePlans(project, () => clock.now);
  const { bus } = backend;

  return {
    context: {
      ...{
        project,
        bus,
        plans,
        log,
        originals: new Originals(markdown.parse),
        glossary: new Glossary(project, bus),
      },
      ...{
        publicUrl: 'http://localhost',
        rowsQuota: 0,
        limits: { enabled: false },
        now: () => clock.now,
        wakeSchedule: () => undefined,
        wakeJobs: undefined,
        judge: undefined,
      },
    },
    backend,
    settings,
    routes,
    events,
    clock,
    call,
    rows: async (path) => (await call(service, 'GET', `/api/db/journal/rest/v1/${path}`)).body,
    async person(name, role) {
      const email = `${name.toLowerCase()}@example.org`;
      await insertTestAccount(project, { email, display_name: name, role });
      const credentials = { projectId: 'journal', email, password: TEST_PASSWORD };
      const { body } = await call(ANONYMOUS, 'POST', '/api/auth/signin/email', { body: credentials });
      return { id: body.user.id, token: body.access_token };
    },
    async close() {
      await backend.close();
      if (!options.settings) await removeTestSettings(settings);
    },
  };
}

/** Builds a document that can be published. */
export function buildDocument(changes: Partial<PostDocument> = {}): PostDocument {
  return postDocument.parse({
    title: 'The heart',
    content: 'The heart is a muscle that pumps the blood of the body.',
    language: 'en',
    cover: { url: '/storage/journal/posts/1.png', width: 800, height: 1000 },
    ...changes,
  });
}

import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ProjectDefinition } from '../../src/core/project.ts';
import { type Database, type Engine, schemaOf } from '../../src/database/index.ts';
import type { Project } from '../../src/database/project.ts';
import {
  createMailQueue,
  createSmtpTransport,
  listMails,
  type MailQueue,
  type MailQueueTimes,
  type MailTransport,
  type OutboxRow,
} from '../../src/mail/index.ts';
import { defineProject, migrationsOf } from '../../src/project-database.ts';
import { openMigratedEngine } from '../database/build-test-engine.ts';
import { FROM, MAIL_KEYS } from './build-test-mail.ts';

const QUICK: Partial<MailQueueTimes> = { start: 1, close: 2_000 };

export interface TestOutbox {
  project: Project;
  database: Database;
  /** The log of its queues, a line of JSON each. */
  logged: string[];
  /** Opens one of any number of queues, on the URL of a server or a transport. */
  openQueue(target: string | MailTransport, times?: Partial<MailQueueTimes>): MailQueue;
  /** Opens a queue on a connection of its own, as another process would. */
  openElsewhere(target: string | MailTransport): Promise<MailQueue>;
  mails(): Promise<OutboxRow[]>;
  /** The environment of another process that uses the same database. */
  settings: Readonly<Record<string, string>>;
  /** Moves the clock and wakes all queues. */
  advance(ms: number): Promise<void>;
  now(): number;
  moveClock(ms: number): void;
  /** Closes the queues and empties the outbox, for the next test. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const DEFINITION = defineProject({
  id: 'journal',
  tables: {},
  roles: { author: { permissions: ['*'] } },
  signUpRole: 'author',
  languages: ['en', 'de'],
  origins: [],
  migrations: {},
});

/**
 * Opens an outbox for all tests of a file and an SMTP server for each of them, and closes both. Both are handed to
 * `assign` before each test.
 */
export function setUpOutbox(assign: (opened: { outbox: TestOutbox; server: TestSmtpServer }) => void): void {
  let outbox: TestOutbox;
  let server: TestSmtpServer;
  beforeAll(async () => {
    outbox = await openTestOutbox();
  });
  afterAll(() => outbox.close());
  beforeEach(async () => {
    server = await startSmtpServer();
    assign({ outbox, server });
  });
  afterEach(async () => {
    await outbox.reset();
    await server.close();
  });
}

/** Opens the outbox of a new project, with a clock that moves only when a test moves it. */
export async function openTestOutbox(definition: ProjectDefinition = DEFINITION): Promise<TestOutbox> {
  const schema = schemaOf(definition);
  const engine = await openMigratedEngine([{ id: 'journal', schema, migrations: migrationsOf(definition) }]);
  const database = await engine.open({ id: 'journal', schema });
  const project: Project = { definition, database, secretKey: 'sk_test' };
  const queues: MailQueue[] = [];
  let other: { engine: Engine; database: Database } | undefined;
  const logged: string[] = [];
  let time = Date.now();
  const open = (on: Project, target: string | MailTransport, times: Partial<MailQueueTimes> = {}) => {
    const mailQueue = createMailQueue({
      projects: new Map([['journal', on]]),
      keys: MAIL_KEYS,
      transport: typeof target === 'string' ? createSmtpTransport({ url: target, from: FROM }) : target,
      from: FROM,
      log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
      times: { ...QUICK, ...times },
      now: () => time,
    });
    queues.push(mailQueue);
    return mailQueue;
  };
  const reset = async () => {
    for (const queue of queues.splice(0)) await queue.close();
    await database.writer.deleteFrom('outbox').execute();
    logged.length = 0;
    time = Date.now();
  };
  return {
    project,
    database,
    logged,
    settings: engine.settings,
    openQueue: (target, times) => open(project, target, times),
    async openElsewhere(target) {
      if (!other) {
        const another = engine.another();
        other = { engine: another, database: await another.open({ id: 'journal', schema }) };
      }
      return open({ ...project, database: other.database }, target);
    },
    mails: () => listMails(database, ['waiting', 'sent', 'failed']),
    async advance(ms) {
      time += ms;
      for (const mailQueue of queues) mailQueue.wake();
      for (const mailQueue of queues) await mailQueue.idle();
    },
    now: () => time,
    moveClock(ms) {
      time += ms;
    },
    reset,
    async close() {
      await reset();
      await other?.database.close();
      await other?.engine.close();
      await database.close();
      await engine.close();
    },
  };
}

import { startSmtpServer, type TestSmtpServer } from '@fabrica/test-peers/smtp-server.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { ProjectDefinition } from '../../src/core/project.ts';
import { type Database, type Engine, migrateToLatest, schemaOf } from '../../src/database/index.ts';
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
import { openTestEngine } from '../database/build-test-engine.ts';
import { FROM } from './build-test-mail.ts';

const QUICK: Partial<MailQueueTimes> = { start: 1, close: 2_000 };

export interface TestOutbox {
  project: Project;
  database: Database;
  /** What its offices logged, a line of JSON each. */
  logged: string[];
  /** One of any number, on a server's address or a transport. */
  openQueue(way: string | MailTransport, times?: Partial<MailQueueTimes>): MailQueue;
  /** One of another process, on the same database. */
  openElsewhere(way: string | MailTransport): Promise<MailQueue>;
  mails(): Promise<OutboxRow[]>;
  /** What another process needs to work on the same database. */
  settings: Readonly<Record<string, string>>;
  /** Moves the offices' clock on and has them look. */
  advance(ms: number): Promise<void>;
  now(): number;
  moveClock(ms: number): void;
  /** Closes the offices and empties the outbox, for the next test. */
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

/** The outbox of a project of its own, with a clock that stands still unless it is moved. */
export async function openTestOutbox(definition: ProjectDefinition = DEFINITION): Promise<TestOutbox> {
  const engine = await openTestEngine();
  const schema = schemaOf(definition);
  const database = await engine.open({ id: 'journal', schema });
  await migrateToLatest(database, migrationsOf(definition));
  const project: Project = { definition, database, secretKey: 'sk_test' };
  const offices: MailQueue[] = [];
  let other: { engine: Engine; database: Database } | undefined;
  const logged: string[] = [];
  let time = Date.now();
  const open = (on: Project, way: string | MailTransport, times: Partial<MailQueueTimes> = {}) => {
    const mailQueue = createMailQueue({
      projects: new Map([['journal', on]]),
      transport: typeof way === 'string' ? createSmtpTransport({ url: way, from: FROM }) : way,
      from: FROM,
      log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
      times: { ...QUICK, ...times },
      now: () => time,
    });
    offices.push(mailQueue);
    return mailQueue;
  };
  const reset = async () => {
    for (const one of offices.splice(0)) await one.close();
    await database.writer.deleteFrom('outbox').execute();
    logged.length = 0;
    time = Date.now();
  };
  return {
    project,
    database,
    logged,
    settings: engine.settings,
    openQueue: (way, times) => open(project, way, times),
    async openElsewhere(way) {
      if (!other) {
        const another = engine.another();
        other = { engine: another, database: await another.open({ id: 'journal', schema }) };
      }
      return open({ ...project, database: other.database }, way);
    },
    mails: () => listMails(database, ['waiting', 'sent', 'failed']),
    async advance(ms) {
      time += ms;
      for (const mailQueue of offices) mailQueue.sendSoon();
      for (const mailQueue of offices) await mailQueue.idle();
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

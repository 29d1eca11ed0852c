/**
 * Runs as a process that enqueues and sends sixty mails until it is killed, and prints each Message-ID that it gets. Its
 * settings are in the environment, with the mail server in SMTP_URL. It loads only what it needs, to start fast.
 */
import { pino } from 'pino';
import { createEngine } from '../../src/database/create-engine.ts';
import type { Project } from '../../src/database/project.ts';
import { createMailQueue } from '../../src/mail/mail-queue.ts';
import { createSmtpTransport } from '../../src/mail/smtp-transport.ts';
import { buildMail, FROM, MAIL_KEYS } from './build-test-mail.ts';

const { DATA_DIR: dataDir = '', DATABASE_URL: url, SMTP_URL = '' } = process.env;
const engine = createEngine({ dataDir, database: { url, replicaUrl: undefined, poolSize: 4 } });
const database = await engine.open({ id: 'journal', schema: new Map() });
const project = { database } as Project;
const mailQueue = createMailQueue({
  projects: new Map([['journal', project]]),
  keys: MAIL_KEYS,
  transport: createSmtpTransport({ url: SMTP_URL, from: FROM }),
  from: FROM,
  log: pino({ level: 'silent' }),
});
for (let n = 0; n < 60; n += 1) {
  const messageId = await mailQueue.enqueue(project, { kind: 'email', mail: buildMail() });
  process.stdout.write(`${messageId}\n`);
}

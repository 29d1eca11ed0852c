/**
 * A process of its own that accepts sixty mails and sends them, until it is killed: it prints each id once that is
 * answered. Its settings stand in the environment, the mail server's address in SMTP_URL. It loads no more than it
 * needs, for its start is most of the time that its test takes.
 */
import { pino } from 'pino';
import { createEngine } from '../../src/database/create-engine.ts';
import type { Project } from '../../src/database/project.ts';
import { createMailQueue } from '../../src/mail/mail-queue.ts';
import { createSmtpTransport } from '../../src/mail/smtp-transport.ts';
import { buildMail, FROM } from './build-test-mail.ts';

const { DATA_DIR: dataDir = '', DATABASE_URL: url, SMTP_URL = '' } = process.env;
const engine = createEngine({ dataDir, database: { url, replicaUrl: undefined, poolSize: 4 } });
const database = await engine.open({ id: 'journal', schema: new Map() });
const project = { database } as Project;
const mailQueue = createMailQueue({
  projects: new Map([['journal', project]]),
  transport: createSmtpTransport({ url: SMTP_URL, from: FROM }),
  from: FROM,
  log: pino({ level: 'silent' }),
});
for (let n = 0; n < 60; n += 1) {
  const messageId = await mailQueue.accept(project, { kind: 'email', mail: buildMail() });
  process.stdout.write(`${messageId}\n`);
}

/**
 * A process of its own that accepts mails and sends them, until it is killed: it prints each id once that is answered.
 * Its settings stand in the environment, the mail server's address in SMTP_URL.
 */
import { pino } from 'pino';
import { parseConfig } from '../config.ts';
import { createEngine } from '../database/index.ts';
import { defineProject } from '../project.ts';
import { buildMail, FROM } from './build-test-mail.ts';
import { createPostOffice, createSmtpMailer } from './index.ts';

const engine = createEngine(parseConfig(process.env));
const database = await engine.open({ id: 'journal', schema: new Map() });
const definition = defineProject({
  id: 'journal',
  tables: {},
  roles: { author: { permissions: [] } },
  signUpRole: 'author',
  origins: [],
  migrations: {},
});
const project = { definition, database, secretKey: 'sk_test' };
const office = createPostOffice({
  projects: new Map([['journal', project]]),
  mailer: createSmtpMailer({ url: process.env.SMTP_URL ?? '', from: FROM }),
  from: FROM,
  log: pino({ level: 'silent' }),
});
for (;;) {
  const messageId = await office.accept(project, { kind: 'email', mail: buildMail() });
  process.stdout.write(`${messageId}\n`);
}

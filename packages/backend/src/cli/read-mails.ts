import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type KeptMail, readOutbox } from '../mail/index.ts';
import type { Terminal } from './terminal.ts';

/** The outbox's mails, newest first; those that cannot be understood are named and left out. */
export function readMails({ dataDir }: Config, terminal: Terminal): Promise<KeptMail[]> {
  return readOutbox(join(dataDir, 'outbox'), (path) => terminal.note(`The mail ${path} is damaged.`));
}

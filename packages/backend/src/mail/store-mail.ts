import type { Keys } from '../core/keys.ts';
import type { Project } from '../database/project.ts';
import { createMailSeal } from './mail-seal.ts';
import type { OutgoingMail } from './mail-transport.ts';
import { insertMail, MAX_DELIVERY_MS, type MailConnection, mailWriter } from './outbox-queries.ts';
import { parseSender, type Sender } from './parse-sender.ts';

export interface QueuedMail {
  kind: string;
  mail: OutgoingMail;
  userId?: string | null;
  usefulMs?: number;
}

/**
 * Puts a mail into the outbox of its project and returns its Message-ID. With a transaction, the mail is there once that is
 * committed. The servers look for new mails twice a minute.
 */
export type StoreMail = (project: Project, mail: QueuedMail, transaction?: MailConnection) => Promise<string>;

interface StoreMailOptions {
  keys: Pick<Keys, 'refreshKeys'>;
  /** The sender of mails that name none. */
  from: string;
  now?: (() => number) | undefined;
}

export function createMailStore({ keys, from, now = Date.now }: StoreMailOptions): StoreMail {
  const sender = parseSender(from);
  const domain = sender.address.split('@')[1] ?? '';
  const seal = createMailSeal(keys);
  return ({ database }, { usefulMs = MAX_DELIVERY_MS, mail: given, ...queued }, transaction) => {
    const mail = withSender(given, sender);
    const insert = (connection: MailConnection) => {
      const time = now();
      const giveUpAt = time + Math.min(usefulMs, MAX_DELIVERY_MS);
      return insertMail(connection, { ...queued, mail, domain, giveUpAt, now: time, seal });
    };
    return transaction ? insert(transaction) : mailWriter(database).transaction().execute(insert);
  };
}

/** Returns the mail with its `senderName` in `from`, unless the mail or the sender of all mails has a name. */
function withSender({ senderName, ...mail }: OutgoingMail, sender: Sender): OutgoingMail {
  if (!senderName || mail.from || sender.name !== '') return mail;
  return { ...mail, from: { name: senderName, address: sender.address } };
}

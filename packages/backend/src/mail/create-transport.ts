import { join } from 'node:path';
import type { Keys } from '../core/keys.ts';
import { createFileTransport } from './file-transport.ts';
import { createMailSeal } from './mail-seal.ts';
import type { MailTransport } from './mail-transport.ts';
import type { MailSettings } from './settings.ts';
import { createSmtpTransport } from './smtp-transport.ts';

interface TransportSettings {
  /** An absolute path. */
  dataDir: string;
  mail: MailSettings;
}

/** Returns a transport to the mail server in the settings, or else to the folder `outbox` in the data folder. */
export function createMailTransport(
  { dataDir, mail: { smtpUrl, from } }: TransportSettings,
  keys: Pick<Keys, 'refreshKeys'>,
): MailTransport {
  return smtpUrl
    ? createSmtpTransport({ url: smtpUrl, from })
    : createFileTransport({ folder: outboxFolder(dataDir), from, seal: createMailSeal(keys) });
}

/** Returns the folder of mails that have no mail server to go to. */
export function outboxFolder(dataDir: string): string {
  return join(dataDir, 'outbox');
}

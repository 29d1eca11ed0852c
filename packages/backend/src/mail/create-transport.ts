import { join } from 'node:path';
import { createFileTransport } from './file-transport.ts';
import type { MailTransport } from './mail-transport.ts';
import type { MailSettings } from './settings.ts';
import { createSmtpTransport } from './smtp-transport.ts';

export interface TransportSettings {
  /** An absolute path. */
  dataDir: string;
  mail: MailSettings;
}

/** Returns a transport to the mail server in the settings, or else to the folder `outbox` in the data folder. */
export function createMailTransport({ dataDir, mail: { smtpUrl, from } }: TransportSettings): MailTransport {
  return smtpUrl
    ? createSmtpTransport({ url: smtpUrl, from })
    : createFileTransport({ folder: join(dataDir, 'outbox'), from });
}

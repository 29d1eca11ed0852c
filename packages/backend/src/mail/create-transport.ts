import { join } from 'node:path';
import { createFileTransport } from './file-transport.ts';
import type { MailTransport } from './mail-transport.ts';
import type { MailSettings } from './settings.ts';
import { createSmtpTransport } from './smtp-transport.ts';

export interface TransportSettings {
  /** Absolute. */
  dataDir: string;
  mail: MailSettings;
}

/** Returns the transport that the settings name: a mail server, or the folder `outbox` of the data folder. */
export function createMailTransport({ dataDir, mail: { smtpUrl, from } }: TransportSettings): MailTransport {
  return smtpUrl
    ? createSmtpTransport({ url: smtpUrl, from })
    : createFileTransport({ folder: join(dataDir, 'outbox'), from });
}

import { z } from 'zod';
import type { SettingsValues } from '../core/settings.ts';
import { parseSender } from './parse-sender.ts';

export const mailSettings = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' })
    .optional()
    .describe(
      'The mail server, such as `smtps://user:password@mail.example.org`. Without one, mails are kept for `npx fabrica outbox`.',
    ),
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an address, or a name and an address as in Fabrica <mail@example.org>')
    .optional()
    .describe('The sender of mails. Default: `no-reply@` and the host of PUBLIC_URL.'),
};

export interface MailSettings {
  smtpUrl: string | undefined;
  from: string;
}

export function readMailSettings(
  values: SettingsValues<typeof mailSettings>,
  publicUrl: string,
): MailSettings {
  return { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}` };
}

function isSender(text: string): boolean {
  try {
    return parseSender(text) !== undefined;
  } catch {
    return false;
  }
}

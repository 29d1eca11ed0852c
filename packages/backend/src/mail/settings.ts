import { z } from 'zod';
import { emailSetting, type SettingsValues } from '../core/settings.ts';
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
  OPERATOR_EMAIL: emailSetting
    .optional()
    .describe(
      'Where Fabrica mails to you that a budget of a day comes to its end. Default: `CONTACT_TO`, where it is set.',
    ),
};

export type MailSettings = ReturnType<typeof readMailSettings>;

export function readMailSettings(values: SettingsValues<typeof mailSettings>, publicUrl: string) {
  return {
    smtpUrl: values.SMTP_URL,
    from: values.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    operator: values.OPERATOR_EMAIL,
  };
}

function isSender(text: string): boolean {
  try {
    return parseSender(text) !== undefined;
  } catch {
    return false;
  }
}

import { type Backend, clientIp, createRateLimits, type RateLimit } from '@fabrica/backend';
import { createClient } from '@fabrica/client';
import type { Logger } from 'pino';
import type { ContactDraft } from '../app/contact/contact-draft.ts';
import type { JournalConfig } from '../project/settings.ts';
import type { PageRequest } from './reader-fetch.ts';
import type { ReadSite } from './site-reader.ts';

/** Says what became of a message: `limited` when its sender has written too many. */
type ContactOutcome = 'sent' | 'limited' | 'failed';

/** Sends a message of the contact form to the operator. Never rejects. */
export type SendContact = (
  draft: ContactDraft,
  request: Pick<PageRequest, 'header' | 'incoming'>,
) => Promise<ContactOutcome>;

const HOUR = 60 * 60;
const PER_IP: RateLimit = { name: 'contact-ip', points: 10, duration: HOUR };
const PER_EMAIL: RateLimit = { name: 'contact-email', points: 5, duration: HOUR };

interface SendContactOptions {
  backend: Pick<Backend, 'fetch' | 'projects' | 'keepForOperator'>;
  config: Pick<JournalConfig, 'contactTo' | 'projectId' | 'publicUrl' | 'rateLimit' | 'trustedProxies'>;
  log: Logger;
  readSite: ReadSite;
}

/** Returns the function that mails messages to the operator, or keeps them while `CONTACT_TO` is not set. */
export function createSendContact({ backend, config, log, readSite }: SendContactOptions): SendContact {
  const { contactTo: to, projectId, publicUrl, trustedProxies } = config;
  const project = backend.projects.get(projectId);
  const limits = createRateLimits({ enabled: config.rateLimit });
  const { notifications } = createClient({
    projectId,
    origin: publicUrl,
    secretKey: project?.secretKey,
    fetch: (input, init) => backend.fetch(new Request(input, init)),
  });

  return async ({ name, email, message }, { header, incoming }) => {
    try {
      const remoteAddress = incoming?.socket.remoteAddress;
      await limits.consumeByIp(PER_IP, clientIp(remoteAddress, header('x-forwarded-for'), trustedProxies));
      await limits.consume(PER_EMAIL, email.toLowerCase());
    } catch {
      return 'limited';
    }
    const sender = oneLine(name);
    const site = await readSite();
    const subject = `${site.name}: ${sender}`;
    try {
      if (to === undefined)
        await backend.keepForOperator({ from: `${sender} <${email}>`, subject, text: message });
      else
        await notifications.email({
          to,
          replyTo: `"${sender.replaceAll(/["\\<>]/g, ' ').slice(0, 150)}" <${email}>`,
          subject,
          text: `${message}\n\n-- \n${sender} <${email}>\n${publicUrl}/contact`,
        });
      return 'sent';
    } catch (error) {
      log.error({ err: error }, 'A message of the contact form could not be queued');
      return 'failed';
    }
  };
}

/** Returns a name without line breaks and other characters that a header of a mail must not have. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
}

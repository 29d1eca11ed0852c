import { emailRequest } from '@fabrica/contract/schemas';
import type { Context, Hono } from 'hono';
import { requireSignedIn } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import { parseJsonBody } from '../../http/body.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { type MailQueue, type Sender, weighWaiting } from '../../mail/index.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { addressToSelf, senderOf, type Writer } from './address-email.ts';
import {
  EMAILS_AT_ONCE,
  EMAILS_OF_PROJECT,
  EMAILS_OF_USER,
  FETCH_ALL_MS,
  MAX_EMAIL_BYTES,
  MAX_WAITING,
  ROOM_SECONDS,
} from './limits.ts';
import { loadAttachments } from './load-attachments.ts';

export interface EmailRouteOptions {
  mailQueue: Pick<MailQueue, 'accept'>;
  limits: RateLimits;
  /** The operator's. */
  sender: Sender;
  /** Of attachments that come as an address. */
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  /** Milliseconds for all attachments of a mail. */
  fetchTimeout?: number;
}

export function addEmailRoute(
  routes: Hono<AppEnvironment>,
  { mailQueue, limits, sender, fetcher, fetchTimeout: timeout = FETCH_ALL_MS }: EmailRouteOptions,
): void {
  const limit = new Semaphore(EMAILS_AT_ONCE);

  routes.post('/email', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const user = caller.kind === 'user' ? `${c.var.project.definition.id}:${caller.id}` : undefined;
    if (user) await limits.consume(EMAILS_OF_USER, user);
    return limit.run(async () => c.json({ success: true, messageId: await accept(c, caller) }), {
      key: user,
      signal: c.req.raw.signal,
    });
  });

  async function accept(c: Context<AppEnvironment>, caller: Writer): Promise<string> {
    const { project } = c.var;
    const asked = await parseJsonBody(c, emailRequest, MAX_EMAIL_BYTES);
    const { to, cc, bcc } = caller.kind === 'user' ? await addressToSelf(project, caller, asked) : asked;
    const from = senderOf(asked.from, caller, sender);
    // Counted once it is certain that it may be sent: nobody else's mails are held up by what is refused.
    await limits.consume(EMAILS_OF_PROJECT, project.definition.id);
    await requireRoom(project);
    const { signal } = c.req.raw;
    const attachments = await loadAttachments(asked.attachments ?? [], { fetcher, signal, timeout });
    const { replyTo, subject, html, text } = asked;
    return mailQueue.accept(project, {
      kind: 'email',
      userId: caller.kind === 'user' ? caller.id : null,
      mail: {
        to,
        ...(cc && { cc }),
        ...(bcc && { bcc }),
        ...(replyTo && { replyTo }),
        ...(from && { from }),
        subject,
        html: html ?? '',
        text: text ?? '',
        attachments,
      },
    });
  }
}

/** Throws RATE_LIMITED when mails cannot be sent for so long that nothing more fits. */
async function requireRoom({ database }: Project): Promise<void> {
  const { mails, bytes } = await weighWaiting(database);
  if (mails < MAX_WAITING.mails && bytes < MAX_WAITING.bytes) return;
  throw new AppError('RATE_LIMITED', 'Too many emails wait to be sent. Please try again later.', {
    retryAfter: ROOM_SECONDS,
  });
}

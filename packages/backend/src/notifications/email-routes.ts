import { emailRequest } from '@fabrica/contract/schemas';
import type { Hono } from 'hono';
import { parseJsonBody } from '../http/body.ts';
import { requireSignedIn } from '../http/caller.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { type PostOffice, type Sender, weighWaiting } from '../mail/index.ts';
import { requireOwnAddress, senderOf } from './address-email.ts';
import { EMAILS_OF_PROJECT, EMAILS_OF_USER, MAX_EMAIL_BYTES, MAX_WAITING, ROOM_SECONDS } from './limits.ts';
import { type FetchAttachment, loadAttachments } from './load-attachments.ts';

export interface EmailRouteOptions {
  office: Pick<PostOffice, 'accept'>;
  limits: RateLimits;
  /** The operator's. */
  sender: Sender;
  fetchAttachment?: FetchAttachment | undefined;
}

export function addEmailRoute(
  routes: Hono<AppEnvironment>,
  { office, limits, sender, fetchAttachment }: EmailRouteOptions,
): void {
  routes.post('/email', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const { project } = c.var;
    const { id } = project.definition;
    if (caller.kind === 'user') await limits.consume(EMAILS_OF_USER, `${id}:${caller.id}`);
    await limits.consume(EMAILS_OF_PROJECT, id);
    const asked = await parseJsonBody(c, emailRequest, MAX_EMAIL_BYTES);
    await requireOwnAddress(project, caller, asked);
    const from = senderOf(asked.from, caller, sender);
    await requireRoom(project);
    const { signal } = c.req.raw;
    const attachments = await loadAttachments(asked.attachments ?? [], { fetchAttachment, signal });
    const { to, cc, bcc, replyTo, subject, html, text } = asked;
    const messageId = await office.accept(project, {
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
    return c.json({ success: true, messageId });
  });
}

/** Throws RATE_LIMITED when mails cannot be sent for so long that nothing more fits. */
async function requireRoom({ database }: Project): Promise<void> {
  const { mails, bytes } = await weighWaiting(database);
  if (mails < MAX_WAITING.mails && bytes < MAX_WAITING.bytes) return;
  throw new ServiceError('RATE_LIMITED', 'Too many emails wait to be sent. Please try again later.', {
    retryAfter: ROOM_SECONDS,
  });
}

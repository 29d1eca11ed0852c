import { emailRequest } from '@fabrica/contract/schemas';
import type { Context, Hono } from 'hono';
import { requireSignedIn } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import type { GuardedFetcher } from '../../fetcher/index.ts';
import { parseJsonBody } from '../../http/body.ts';
import { type AppEnvironment, accountKey } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { countWaiting, type MailQueue, type Sender } from '../../mail/index.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { authorizeSender, type EmailCaller, requireOwnAddress } from './authorize-email.ts';
import {
  EMAIL_CONCURRENCY,
  EMAILS_OF_USERS,
  EMAILS_PER_PROJECT,
  EMAILS_PER_USER,
  FETCH_ALL_TIMEOUT_MS,
  MAX_EMAIL_BYTES,
  MAX_WAITING,
  RETRY_SECONDS,
} from './limits.ts';
import { loadAttachments } from './load-attachments.ts';

export interface EmailRouteOptions {
  mailQueue: Pick<MailQueue, 'enqueue'>;
  limits: RateLimits;
  /** The operator's sender. */
  sender: Sender;
  /** Fetches attachments that are given as a URL. */
  fetcher: Pick<GuardedFetcher, 'fetch'>;
  /** Milliseconds for fetching all attachments of an email. */
  fetchTimeout?: number;
}

export function addEmailRoute(
  routes: Hono<AppEnvironment>,
  { mailQueue, limits, sender, fetcher, fetchTimeout: timeout = FETCH_ALL_TIMEOUT_MS }: EmailRouteOptions,
): void {
  const limit = new Semaphore(EMAIL_CONCURRENCY);

  routes.post('/email', async (c) => {
    const caller = requireSignedIn(c.var.caller);
    const user = accountKey(c.var);
    if (user) await limits.consume(EMAILS_PER_USER, user);
    return limit.run(async () => c.json({ success: true, messageId: await enqueue(c, caller) }), {
      key: user,
      signal: c.req.raw.signal,
    });
  });

  async function enqueue(c: Context<AppEnvironment>, caller: EmailCaller): Promise<string> {
    const { project } = c.var;
    const request = await parseJsonBody(c, emailRequest, MAX_EMAIL_BYTES);
    const { to, cc, bcc } =
      caller.kind === 'user' ? await requireOwnAddress(project, caller, request) : request;
    const from = authorizeSender(request.from, caller, sender);
    // Only emails that may be sent are counted: a user's refused emails must not use up the limit of the project.
    if (caller.kind === 'user')
      await limits.consumeShare(EMAILS_OF_USERS, c.var.clientIp, project.definition.id);
    await limits.consume(EMAILS_PER_PROJECT, project.definition.id);
    await requireOutboxRoom(project);
    const { signal } = c.req.raw;
    const attachments = await loadAttachments(request.attachments ?? [], {
      fetcher,
      signal,
      account: accountKey(c.var),
      timeout,
    });
    const { replyTo, subject, html, text } = request;
    return mailQueue.enqueue(project, {
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

/** Throws RATE_LIMITED when the outbox is full, because mails could not be sent for long. */
async function requireOutboxRoom({ database }: Project): Promise<void> {
  const { mails, bytes } = await countWaiting(database);
  if (mails < MAX_WAITING.mails && bytes < MAX_WAITING.bytes) return;
  throw new AppError('RATE_LIMITED', 'Too many emails wait to be sent. Please try again later.', {
    retryAfter: RETRY_SECONDS,
  });
}

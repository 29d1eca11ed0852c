import { CODE_MINUTES } from '@fabrica/contract';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { RateLimits } from '../../../http/rate-limit.ts';
import type { MailQueue, RenderMail } from '../../../mail/index.ts';
import { issueToken } from '../mail-links/one-time-token.ts';
import { authWriter, type UserRow } from '../queries.ts';
import { codeDigits } from '../routes/limits.ts';

const LIFETIME_MS = CODE_MINUTES * 60_000;

/** Queues the mail with a code that confirms a change of the account. */
export type QueueProofMail = (project: Project, user: UserRow, language: string) => void;

interface ProofMailsOptions {
  keys: Keys;
  limits: RateLimits;
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  render: RenderMail;
  publicUrl: string;
}

/** Returns a function that issues a code, renders its mail and queues it, all in the background. */
export function createProofMails({
  keys,
  limits,
  mailQueue,
  render,
  publicUrl,
}: ProofMailsOptions): QueueProofMail {
  return (project, { id, email }, language) =>
    mailQueue.enqueueLater(project, 'confirm-change', async () => {
      const options = {
        kind: 'fresh-proof',
        projectId: project.definition.id,
        userId: id,
        email,
        lifetimeMs: LIFETIME_MS,
        codeDigits: await codeDigits(limits, { projectId: project.definition.id, account: email }),
      } as const;
      const { code } = await authWriter(project.database)
        .transaction()
        .execute((transaction) => issueToken(keys, transaction, options));
      const mail = await render({
        kind: 'confirm-change',
        language,
        siteUrl: publicUrl,
        code: code ?? '',
        codeMinutes: CODE_MINUTES,
      });
      return { to: email, ...mail, userId: id, usefulMs: LIFETIME_MS };
    });
}

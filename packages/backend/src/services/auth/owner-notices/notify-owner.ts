import type { Project } from '../../../database/project.ts';
import type { RateLimit, RateLimits } from '../../../http/rate-limit.ts';
import type { MailQueue, OwnerNoticeKind, PreparedMail, RenderMail } from '../../../mail/index.ts';
import type { UserRow } from '../queries.ts';
import { defaultLanguage } from '../routes/request-info.ts';

interface OwnerEvent {
  kind: OwnerNoticeKind;
  /** Browser and system in words; `null` when they are not known. */
  device: string | null;
  /** The name of what it is about, such as an identity provider. */
  subject?: string | undefined;
}

/** Mails the owner of an account what has happened there. Called once it is committed; nothing waits for the mail. */
export type NotifyOwner = (project: Project, user: UserRow, event: OwnerEvent) => void;

/** Mails about one kind of event that an account gets in an hour: its address may be a stranger's. */
const NOTICES: RateLimit = { name: 'owner-notices', points: 6, duration: 3_600 };

interface OwnerNoticesOptions {
  limits: RateLimits;
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  render: RenderMail;
  publicUrl: string;
}

/** Returns a function that renders the mail and queues it, in the background. */
export function createOwnerNotices({
  limits,
  mailQueue,
  render,
  publicUrl,
}: OwnerNoticesOptions): NotifyOwner {
  return (project, user, event) => {
    const at = new Date().toISOString();
    mailQueue.enqueueLater(project, event.kind, async () => {
      if ((await limits.count(NOTICES, `${user.id}:${event.kind}`)) > NOTICES.points) return undefined;
      return writeOwnerNotice({ render, publicUrl }, project, { user, event, at });
    });
  };
}

/** Writes the mail that tells the owner of an account what has happened there. */
export async function writeOwnerNotice(
  { render, publicUrl }: Pick<OwnerNoticesOptions, 'render' | 'publicUrl'>,
  project: Project,
  { user, event, at }: { user: UserRow; event: OwnerEvent; at: string },
): Promise<PreparedMail> {
  const { id, email, language } = user;
  const mail = await render({
    ...event,
    at,
    language: language ?? defaultLanguage(project),
    siteUrl: publicUrl,
  });
  // The mails of an account are deleted with it, but for the one that says so.
  return { to: email, ...mail, userId: event.kind === 'account-deleted' ? null : id };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../core/keys.ts';

/** The notices that a user wants to stop. */
interface NoticeSubject {
  projectId: string;
  userId: string;
  kind: string;
  /** The id of the row that the notices are about. */
  aboutId: string;
}

/**
 * Creates a token for links in mails. It is valid as long as the account, because mails are read at any time, and it can
 * only stop notices. It begins with the project's id.
 */
export function createStopToken(keys: Pick<Keys, 'refreshKey'>, subject: NoticeSubject): string {
  const { projectId, userId, kind, aboutId } = subject;
  const content = Buffer.from(JSON.stringify([userId, kind, aboutId])).toString('base64url');
  return `${projectId}.${content}.${sign(keys, `${projectId}.${content}`)}`;
}

/** Returns undefined for a token that was not created with these keys. */
export function parseStopToken(keys: Pick<Keys, 'refreshKey'>, token: string): NoticeSubject | undefined {
  const [projectId = '', content = '', signature = '', ...more] = token.split('.');
  const expected = Buffer.from(sign(keys, `${projectId}.${content}`));
  const given = Buffer.from(signature);
  if (more.length > 0 || given.length !== expected.length) return undefined;
  if (!timingSafeEqual(given, expected)) return undefined;
  const [userId, kind, aboutId] = JSON.parse(Buffer.from(content, 'base64url').toString()) as string[];
  return { projectId, userId: userId ?? '', kind: kind ?? '', aboutId: aboutId ?? '' };
}

function sign({ refreshKey }: Pick<Keys, 'refreshKey'>, text: string): string {
  return createHmac('sha256', refreshKey).update(`notice-stop\0${text}`).digest('base64url');
}

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
export function createStopToken(keys: Pick<Keys, 'refreshKeys'>, subject: NoticeSubject): string {
  const { projectId, userId, kind, aboutId } = subject;
  const content = Buffer.from(JSON.stringify([userId, kind, aboutId])).toString('base64url');
  return `${projectId}.${content}.${sign(keys.refreshKeys.current, `${projectId}.${content}`)}`;
}

/** Returns undefined for a token that was not created with these keys. */
export function parseStopToken(keys: Pick<Keys, 'refreshKeys'>, token: string): NoticeSubject | undefined {
  const [projectId = '', content = '', signature = '', ...more] = token.split('.');
  const given = Buffer.from(signature);
  const isOf = (key: Buffer) => {
    const expected = Buffer.from(sign(key, `${projectId}.${content}`));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (more.length > 0 || !keys.refreshKeys.all.some(isOf)) return undefined;
  const [userId, kind, aboutId] = JSON.parse(Buffer.from(content, 'base64url').toString()) as string[];
  return { projectId, userId: userId ?? '', kind: kind ?? '', aboutId: aboutId ?? '' };
}

function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(`notice-stop\0${text}`).digest('base64url');
}

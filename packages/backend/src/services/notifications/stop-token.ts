import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../core/keys.ts';

/** What somebody wants to hear no more of. */
export interface NoticeSubject {
  projectId: string;
  userId: string;
  kind: string;
  /** The id of the row that it is about. */
  aboutId: string;
}

/**
 * For links in mails: good for as long as the account is, since a mail is read whenever its reader likes, and good for
 * nothing but to stop such mails. Begins with the project's id.
 */
export function makeStopToken(keys: Pick<Keys, 'refreshKey'>, subject: NoticeSubject): string {
  const { projectId, userId, kind, aboutId } = subject;
  const content = Buffer.from(JSON.stringify([userId, kind, aboutId])).toString('base64url');
  return `${projectId}.${content}.${sign(keys, `${projectId}.${content}`)}`;
}

/** Undefined for what was not made here. */
export function readStopToken(keys: Pick<Keys, 'refreshKey'>, token: string): NoticeSubject | undefined {
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

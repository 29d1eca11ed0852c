import type { RealtimeMessage } from '@fabrica/contract';

/** What changed about a post, as `project/channels.ts` announces it. */
export type PostAnnouncement =
  | { subject: 'post' | 'like' | 'comment'; change: string; id: string }
  | { subject: 'comment-like'; change: string; commentId: string };

/** A message of a post's channel; null for one that this page does not know yet. */
export function parsePostAnnouncement({ type, data }: RealtimeMessage): PostAnnouncement | null {
  const [subject, change = ''] = type.split('.');
  const { id, commentId } = Object(data) as Record<string, unknown>;
  if (subject === 'comment-like') {
    return typeof commentId === 'string' ? { subject, change, commentId } : null;
  }
  if (subject !== 'post' && subject !== 'like' && subject !== 'comment') return null;
  return typeof id === 'string' ? { subject, change, id } : null;
}

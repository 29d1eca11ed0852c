import { CircleAlert } from 'lucide-react';
import type { DeskPost } from '../desk-client.ts';
import { fieldName } from '../field-name.ts';
import { useDeskMessages, useTimes } from '../use-desk.ts';

/**
 * Says why a post does not appear at its time, until it is published or scheduled again; and to those who may not publish it, what
 * becomes of its schedule when they change it.
 */
export function ScheduleNote({ post }: { post: DeskPost }) {
  const { schedule } = useDeskMessages();
  const reason = useMissedReason(post);
  if (reason !== undefined) {
    return (
      <p role="alert" className="mt-4 flex items-start gap-2.5 border-y border-accent py-3 leading-relaxed">
        <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" />
        <span>{reason}</span>
      </p>
    );
  }
  if (post.state !== 'scheduled' || post.can.publish || !post.can.edit) return null;
  return <p className="mt-4 border-y border-hairline py-3 text-muted leading-relaxed">{schedule.guarded}</p>;
}

function useMissedReason({ scheduleFault: faults, scheduledAt, timeZone, updatedAt }: DeskPost) {
  const messages = useDeskMessages();
  const times = useTimes();
  if (!faults) return undefined;
  const time = times.zoned(scheduledAt ?? updatedAt, timeZone);
  const { at, missing, addressTaken, elsewhere, unapproved } = messages.schedule.missed;
  if (faults.includes('unapproved')) return unapproved(time);
  const reason = faults.includes('elsewhere')
    ? elsewhere
    : faults.includes('slugs')
      ? addressTaken
      : missing(faults.map((field) => fieldName({ path: PATHS[field] ?? field }, messages)).join(', '));
  return `${at(time)} ${reason}`;
}

/** The paths of fields whose fault names another one: a cover that is missing lacks the picture itself. */
const PATHS: Record<string, string> = { cover: 'cover.url' };

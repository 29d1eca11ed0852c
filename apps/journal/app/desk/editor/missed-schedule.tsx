import { CircleAlert } from 'lucide-react';
import type { DeskPost } from '../desk-client.ts';
import { fieldName } from '../field-name.ts';
import { useDeskMessages, useTimes } from '../use-desk.ts';

/** Says why a post did not appear when it was due, until it is published or scheduled again. */
export function MissedSchedule({ post }: { post: DeskPost }) {
  const messages = useDeskMessages();
  const times = useTimes();
  const { scheduleFault: faults, scheduledAt, timeZone, updatedAt } = post;
  if (!faults) return null;
  const { at, missing, addressTaken, elsewhere } = messages.schedule.missed;
  const reason = faults.includes('elsewhere')
    ? elsewhere
    : faults.includes('slugs')
      ? addressTaken
      : missing(faults.map((field) => fieldName({ path: PATHS[field] ?? field }, messages)).join(', '));
  return (
    <p role="alert" className="mt-4 flex items-start gap-2.5 border-y border-accent py-3 leading-relaxed">
      <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" />
      <span>
        {at(times.zoned(scheduledAt ?? updatedAt, timeZone))} {reason}
      </span>
    </p>
  );
}

/** The paths of fields whose fault names another one: a cover that is missing lacks the picture itself. */
const PATHS: Record<string, string> = { cover: 'cover.url' };

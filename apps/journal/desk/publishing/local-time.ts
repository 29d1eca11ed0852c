import { AppError } from '@fabrica/backend';

/** Matches `2026-03-29T02:30`, as a form's field for a date and time sends it. */
const LOCAL_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/;
const DAY_MS = 86_400_000;

/**
 * Returns the epoch milliseconds of a time on the clocks of a time zone (`Europe/Berlin`). A time that daylight saving
 * skips is as much later as the clocks are put forward; of a time that comes twice it is the first. That is what calendars
 * do, and Temporal by default. Throws VALIDATION_FAILED.
 */
export function parseLocalTime(local: string, timeZone: string): number {
  const [, year, month, day, hour, minute] = (LOCAL_TIME.exec(local) ?? []).map(Number);
  const asUtc = Date.UTC(year ?? Number.NaN, (month ?? 1) - 1, day, hour, minute);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 16) !== local) {
    throw invalid('at', 'must be a date and time such as 2026-03-29T14:30');
  }
  const clock = clockOf(timeZone);
  // A change of the clocks is between these two, if there is one near.
  const [before, after] = [offsetAt(clock, asUtc - DAY_MS), offsetAt(clock, asUtc + DAY_MS)];
  for (const offset of [before, after]) {
    if (offsetAt(clock, asUtc - offset) === offset) return asUtc - offset;
  }
  return asUtc - before;
}

/** Returns whether a name is that of a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    throw invalid('timeZone', 'must be a time zone such as Europe/Berlin');
  }
}

/** Returns how many milliseconds a zone's clocks are ahead of UTC at a time. */
function offsetAt(clock: Intl.DateTimeFormat, time: number): number {
  const parts = Object.fromEntries(
    clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000;
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', `The request is not valid: ${field} ${message}.`, {
    details: [{ field, message }],
  });
}

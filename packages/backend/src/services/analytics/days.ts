export const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns the day of a time (epoch ms) in UTC, `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the first millisecond of a day, in epoch ms. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** Returns every day from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = startOfDay(from); time <= startOfDay(to); time += DAY_MS) days.push(dayOf(time));
  return days;
}

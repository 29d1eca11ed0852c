export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day (UTC) of a time, `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Its first millisecond. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** Every day from one to another, both being among them. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = startOf(from); time <= startOf(to); time += DAY_MS) days.push(dayOf(time));
  return days;
}

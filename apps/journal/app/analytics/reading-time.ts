/** Seconds that a text must have been open for, to be taken as read: a quarter of what 200 words a minute need. */
export function leastReadingSeconds(text: string): number {
  const words = text.split(/\s+/).filter(Boolean).length;
  return Math.max(5, Math.ceil((words / 200) * 60 * 0.25));
}

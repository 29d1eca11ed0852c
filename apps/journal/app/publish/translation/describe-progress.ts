import type { Messages } from '../../language/load-messages.ts';
import type { PartProgress } from './translate-parts.ts';

/** "Translating... 3 of 8"; nothing is counted before it is known what is asked for. */
export function describeProgress(parts: readonly PartProgress[], m: Messages): string {
  const { title, progress } = m.publish.translating;
  return parts.length > 0 ? `${title} ${progress(countEnded(parts), parts.length)}` : title;
}

/** Those that came, and those that did not. */
export function countEnded(parts: readonly PartProgress[]): number {
  return parts.filter(({ status }) => status !== 'waiting').length;
}

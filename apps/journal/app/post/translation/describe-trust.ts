import { validTime } from '../../../project/time.ts';
import type { Messages } from '../../language/load-messages.ts';
import type { ShownTranslation } from './shown-translation.ts';

/** Returns the sentences that say who translated a text, who reviewed it, and what has happened since. */
export function describeTrust(
  { by, checked, reviewedBy, reviewedAt, isStale }: Omit<ShownTranslation, 'source' | 'changed'>,
  { post: { translation: texts } }: Pick<Messages, 'post'>,
  language: string,
): string[] {
  const origin = texts.by[by];
  const sentences: string[] = [];
  if (reviewedAt !== null) {
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
    const day = format.format(validTime(reviewedAt));
    sentences.push(`${origin}.`);
    sentences.push(reviewedBy === null ? texts.reviewedOn(day) : texts.reviewed(reviewedBy, day));
  } else sentences.push(texts.notReviewed(origin));
  if (checked) sentences.push(texts.checked);
  if (isStale) sentences.push(texts.changed);
  return sentences;
}

import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import type { Language } from '../../../project/languages.ts';
import { joinText } from '../../../segments/join-text.ts';
import { isReleased } from '../../../segments/split-post.ts';
import type { Original, PartTexts } from '../original.ts';
import type { IdentifiedSegment, PostRecords } from '../records/post-records.ts';

/** Says why a language cannot be released. */
export type ReleaseFault = 'missing' | 'outdated' | 'blocked' | 'not-reviewed' | 'too-long' | 'empty';

/**
 * Returns the texts of a post in a language. What is missing of a part stands in the original's words. Of the current ones,
 * those about pictures that the guard blocks are left out: their language is released without them.
 */
export function textsIn(
  records: PostRecords,
  original: Original,
  { language, currentOnly }: { language: Language; currentOnly: boolean },
): PartTexts {
  const segments = Map.groupBy(records.identify(original), ({ part }) => part);
  const textOf = (segment: IdentifiedSegment) => {
    if (!currentOnly) return records.find(segment.id, language)?.text ?? null;
    const isLeftOut = !isReleased(segment) && records.isBlocked(segment, language);
    return isLeftOut ? null : (records.current(segment, language)?.text ?? null);
  };
  const texts = [...original.split].map(([part, split]) => {
    const words = (segments.get(part) ?? []).map(textOf);
    const isEmpty = words.every((word) => word === null);
    return [part, isEmpty ? null : joinText(split, words).text] as const;
  });
  return new Map(texts);
}

/** Returns the texts of the parts that are translated as a whole, and that nothing blocks. */
export function readyTexts(records: PostRecords, original: Original, language: Language): PartTexts {
  const segments = records.identify(original);
  const texts = [...textsIn(records, original, { language, currentOnly: true })].map(([part, text]) => {
    const own = segments.filter((segment) => segment.part === part);
    const isReady = own.every(
      (segment) => records.current(segment, language) && !records.isBlocked(segment, language),
    );
    return [part, isReady ? text : null] as const;
  });
  return new Map(texts);
}

/** Returns why a language of this original cannot be released; undefined when it can. */
export function releaseFault(
  records: PostRecords,
  original: Original,
  language: Language,
): ReleaseFault | undefined {
  const segments = records.identify(original).filter(isReleased);
  if (segments.length === 0) return 'empty';
  const states = new Set(segments.map((segment) => records.state(segment, language)));
  if (states.has('missing')) return 'missing';
  if (states.has('outdated')) return 'outdated';
  if (segments.some((segment) => records.isBlocked(segment, language))) return 'blocked';
  const isReviewed = states.size === 1 && states.has('reviewed');
  if (records.language(language).rule === 'reviewed' && !isReviewed) return 'not-reviewed';
  const texts = textsIn(records, original, { language, currentOnly: true });
  const isLong = (['title', 'content'] as const).some(
    (part) => [...(texts.get(part) ?? '')].length > DOCUMENT_LIMITS[part],
  );
  return isLong ? 'too-long' : undefined;
}

import type { Language } from '../../../app/language/languages.ts';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { SEGMENT_PARTS, type SegmentPart } from '../../../project/translations.ts';
import { joinText } from '../../../segments/join-text.ts';
import { isReleased } from '../../../segments/split-post.ts';
import type { Original } from '../original.ts';
import type { PostRecords } from '../records/post-records.ts';

/** Why a language cannot be released. */
export type ReleaseFault = 'missing' | 'outdated' | 'blocked' | 'not-reviewed' | 'too-long' | 'empty';

/** The texts of a post in a language; null for a part that has none. */
export type LanguageTexts = Record<SegmentPart, string | null>;

/** Returns the texts of a post in a language. What is missing of a part stands in the original's words. */
export function textsIn(
  records: PostRecords,
  original: Original,
  { language, currentOnly }: { language: Language; currentOnly: boolean },
): LanguageTexts {
  const segments = records.identify(original);
  const texts = SEGMENT_PARTS.map((part) => {
    const words = segments
      .filter((segment) => segment.part === part)
      .map((segment) => {
        const row = currentOnly ? records.current(segment, language) : records.find(segment.id, language);
        return row?.text ?? null;
      });
    const isEmpty = words.every((word) => word === null);
    return [part, isEmpty ? null : joinText(original.split[part], words).text] as const;
  });
  return Object.fromEntries(texts) as LanguageTexts;
}

/** Returns the texts of the parts that are translated as a whole, and that nothing blocks. */
export function readyTexts(records: PostRecords, original: Original, language: Language): LanguageTexts {
  const segments = records.identify(original);
  const texts = Object.entries(textsIn(records, original, { language, currentOnly: true })).map(
    ([part, text]) => {
      const own = segments.filter((segment) => segment.part === part);
      const isReady = own.every(
        (segment) => records.current(segment, language) && !records.isBlocked(segment, language),
      );
      return [part, isReady ? text : null];
    },
  );
  return Object.fromEntries(texts) as LanguageTexts;
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
  const { title, content } = textsIn(records, original, { language, currentOnly: true });
  const isLong =
    [...(title ?? '')].length > DOCUMENT_LIMITS.title ||
    [...(content ?? '')].length > DOCUMENT_LIMITS.content;
  return isLong ? 'too-long' : undefined;
}

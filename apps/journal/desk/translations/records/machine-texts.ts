import type { Language } from '../../../project/languages.ts';
import type { JobContext } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { changeRecords, openTranslations } from '../change-records.ts';
import { type Original, targetLanguages } from '../original.ts';
import type { IdentifiedSegment, PostRecords } from './post-records.ts';

/** Segments that a machine is asked for, by language, and the original that they are of. */
export interface WantedTexts {
  /** Null when it is not known. */
  source: Language | null;
  format: Original['format'];
  /** All segments of the original, in order. */
  segments: readonly IdentifiedSegment[];
  wanted: ReadonlyMap<Language, readonly IdentifiedSegment[]>;
}

/**
 * Returns the segments whose words no text translates: those that are missing, and outdated ones that have no proposal yet. Of
 * segments that are named, all are returned: somebody wants another translation.
 */
export async function findWanted(
  desk: JobContext,
  postId: string,
  wanted: {
    /** The account that asks for them. */
    userId: string;
    languages?: readonly Language[] | undefined;
    segments?: readonly string[] | undefined;
  },
): Promise<WantedTexts> {
  const { userId, languages, segments: named } = wanted;
  // The segments have ids that last before a machine is asked for them.
  const { original, records } = await openTranslations(desk, postId);
  if (records.isChanged) {
    await changeRecords(desk, postId, () => ({ quota: quotaOf(desk, userId), result: () => undefined }));
    return findWanted(desk, postId, wanted);
  }
  const segments = records.identify(original);
  const targets = targetLanguages(original.language).filter((one) => languages?.includes(one) ?? true);
  const byLanguage = targets.map((language) => {
    const isWanted = (segment: IdentifiedSegment) =>
      named ? named.includes(segment.id) : isUntranslated(records, segment, language);
    return [language, segments.filter(isWanted)] as const;
  });
  const { language: source, format } = original;
  return { source, format, segments, wanted: new Map(byLanguage) };
}

/** Tells whether no text translates the present words of a segment, and no proposal waits for somebody. */
export function isUntranslated(
  records: PostRecords,
  segment: IdentifiedSegment,
  language: Language,
): boolean {
  const state = records.state(segment, language);
  if (state !== 'missing' && state !== 'outdated') return false;
  const row = records.find(segment.id, language);
  return !row || row.proposal === null || row.proposal_hash !== segment.hash;
}

export interface MachineText {
  segmentId: string;
  language: Language;
  /** The hash of the words that it translates. */
  hash: string;
  /** Null takes what was written back. */
  text: string | null;
  writer: { kind: 'model' | 'memory'; name: string | null };
}

/**
 * Records what a machine has written. A text that a person is responsible for stays, with the machine's words beside it. What
 * translates words that the original no longer has is left out: the segment is wanted again. Throws RATE_LIMITED where the account
 * that asked for it has written all that it may in a day.
 */
export function recordMachineTexts(
  desk: JobContext,
  { postId, userId }: { postId: string; userId: string },
  texts: readonly MachineText[],
): Promise<void> {
  return changeRecords(desk, postId, ({ records, original }) => {
    const segments = new Map(records.identify(original).map((one) => [one.id, one]));
    for (const { segmentId, language, hash, text, writer } of texts) {
      const segment = segments.get(segmentId);
      if (segment?.hash !== hash || original.language === language) continue;
      records.writeAsMachine(segment, language, { text, writer }, original.language);
    }
    return { quota: quotaOf(desk, userId), result: () => undefined };
  });
}

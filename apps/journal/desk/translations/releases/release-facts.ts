import { publicName } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import { parseStored } from '../../../project/stored-json.ts';
import { type ReleasedTranslations, releasedTranslations } from '../../../project/translations.ts';
import { isReleased } from '../../../segments/split-post.ts';
import { isFaultless } from '../judge/readings.ts';
import type { IdentifiedSegment, PostRecords } from '../records/post-records.ts';
import type { TranslationRow } from '../records/record-rows.ts';
import { labelOf } from '../records/writer.ts';

type ReleaseFacts = NonNullable<ReleasedTranslations[Language]>;

interface FactsOptions {
  segments: readonly IdentifiedSegment[];
  /** The language of the original. */
  source: Language | null;
  language: Language;
  /** The public names of accounts. */
  names: ReadonlyMap<string, string | null>;
  releasedAt: number;
}

/** Returns what readers may know of a language that is released with these texts. */
export function releaseFacts(
  records: PostRecords,
  { segments, source, language, names, releasedAt }: FactsOptions,
): ReleaseFacts {
  const released = segments.filter(isReleased);
  const rows = released.flatMap((segment) => records.current(segment, language) ?? []);
  const isReviewed =
    rows.length === released.length && rows.length > 0 && rows.every(({ state }) => state === 'reviewed');
  const last = isReviewed
    ? rows.reduce((one, other) => ((other.reviewed_at ?? 0) > (one.reviewed_at ?? 0) ? other : one))
    : undefined;
  return {
    by: labelOfAll(rows.map(labelOf)),
    checked: source !== null && rows.length === released.length && rows.every(isFaultless),
    reviewedBy: last?.reviewed_by ? publicName(names.get(last.reviewed_by) ?? null) : null,
    reviewedAt: last?.reviewed_at ?? null,
    releasedAt,
    hashes: released.map(({ hash }) => hash),
  };
}

/** Returns whose text readers are told that a language is, by its segments. */
export function labelOfAll(labels: readonly ('machine' | 'person')[]): 'machine' | 'person' | 'mixed' {
  const [only = 'machine', other] = new Set(labels);
  return other ? 'mixed' : only;
}

/** Returns what readers may know now that machines have looked at texts again: where they have found something, nobody says any longer that there was nothing. */
export function doubtFacts(
  facts: ReleasedTranslations,
  rows: readonly TranslationRow[],
): ReleasedTranslations {
  const doubtful = rows.filter((row) => !isFaultless(row));
  const known = Object.entries(facts).map(([code, fact]) => {
    const isOf = ({ language, source_hash }: TranslationRow) =>
      language === code && fact.hashes.includes(source_hash);
    return [code, doubtful.some(isOf) ? { ...fact, checked: false } : fact];
  });
  return Object.fromEntries(known) as ReleasedTranslations;
}

/** Returns what readers may know once an account is gone: the name of a reviewer is no longer shown. */
export function forgetReviewer(
  records: PostRecords,
  facts: ReleasedTranslations,
  userId: string,
): ReleasedTranslations {
  const known = Object.entries(facts).map(([language, fact]) => {
    const isOfAccount = records
      .all()
      .some(
        (row) =>
          row.language === language && row.reviewed_by === userId && row.reviewed_at === fact.reviewedAt,
      );
    return [
      language,
      fact.reviewedBy !== null && isOfAccount ? { ...fact, reviewedBy: publicName(null) } : fact,
    ];
  });
  return Object.fromEntries(known) as ReleasedTranslations;
}

/** Returns the accounts that have reviewed texts of a post. */
export function reviewersOf(records: PostRecords): string[] {
  return [...new Set(records.all().flatMap(({ reviewed_by }) => reviewed_by ?? []))];
}

/** Parses what a post says of its translations; nothing where it says nothing. */
export function parseFacts(json: unknown): ReleasedTranslations {
  return typeof json === 'string' ? parseStored(releasedTranslations, JSON.parse(json)) : {};
}

export function writeFacts(facts: ReleasedTranslations): string | null {
  return Object.keys(facts).length > 0 ? JSON.stringify(facts) : null;
}

import { AppError, publicName, type UserCaller } from '@fabrica/backend';
import type { Language } from '../../../project/languages.ts';
import type { SegmentState } from '../../../project/translations.ts';
import type { DeskContext } from '../../desk-context.ts';
import { quotaOf } from '../../rows-quota.ts';
import { changeRecords, type OpenedTranslations, openTranslations } from '../change-records.ts';
import type { IdentifiedSegment } from '../records/post-records.ts';
import { isProtected } from '../records/writer.ts';
import { exchangeError } from './read-xml.ts';
import { writeXliff, type XliffFile, type XliffState, type XliffUnit } from './xliff.ts';

const STATES: Record<SegmentState, XliffState> = {
  missing: 'initial',
  outdated: 'initial',
  machine: 'translated',
  edited: 'translated',
  reviewed: 'reviewed',
};

/** Says why a unit of a file was not taken over. */
type SkipReason =
  /** It has no translation. */
  | 'missing'
  /** The post has no such segment any more. */
  | 'unknown'
  /** The original has other words than the file. */
  | 'changed'
  /** Somebody has edited the translation since the file was made. */
  | 'edited';

interface XliffImport {
  /** Tells how many translations were taken over, and how many were the same already. */
  imported: number;
  unchanged: number;
  skipped: { segment: string; reason: SkipReason }[];
}

const cannotTranslate = () =>
  new AppError('VALIDATION_FAILED', 'Please say first in which language the original is.');

/** Returns a post's segments in a language as XLIFF 2. Code is not in it: it stays as it is. */
export async function exportXliff(desk: DeskContext, postId: string, language: Language): Promise<string> {
  const { records, original } = await openTranslations(desk, postId);
  if (!original.language) throw cannotTranslate();
  const units = records
    .identify(original)
    .filter(({ kind }) => kind !== 'code')
    .map((segment): XliffUnit => {
      const row = records.find(segment.id, language);
      return {
        ...{ id: segment.id, kind: segment.kind, source: segment.text },
        target: row?.text ?? null,
        state: STATES[records.state(segment, language)],
        version: row?.version ?? 0,
      };
    });
  return writeXliff({ postId, source: original.language, target: language, units });
}

/**
 * Takes over the translations of a file, all in one transaction, as texts of the account that brings it. What it cannot take
 * over without losing words of others is left as it is, and named. Throws VALIDATION_FAILED for a file of another post or language.
 */
export async function importXliff(
  desk: DeskContext,
  { postId, language, caller }: { postId: string; language: Language; caller: UserCaller },
  file: XliffFile,
): Promise<XliffImport> {
  if (file.postId !== postId) throw exchangeError('other-post', 'It is of another post.');
  return changeRecords(desk, postId, async (opened) => {
    if (file.target !== language || file.source !== opened.original.language) {
      throw exchangeError('other-languages', 'It is of other languages.');
    }
    const segments = new Map(opened.records.identify(opened.original).map((one) => [one.id, one]));
    const taken: XliffImport = { imported: 0, unchanged: 0, skipped: [] };
    for (const unit of file.units) {
      const outcome = takeUnit(opened, segments.get(unit.id), { unit, language, caller });
      if (outcome === 'imported' || outcome === 'unchanged') taken[outcome] += 1;
      else taken.skipped.push({ segment: unit.id, reason: outcome });
    }
    return { quota: quotaOf(desk, caller.id), result: () => taken };
  });
}

function takeUnit(
  { records, original }: OpenedTranslations,
  segment: IdentifiedSegment | undefined,
  { unit, language, caller }: { unit: XliffUnit; language: Language; caller: UserCaller },
): 'imported' | 'unchanged' | SkipReason {
  const text = unit.target?.trim();
  if (!text) return 'missing';
  if (!segment) return 'unknown';
  if (inOneSpace(unit.source) !== inOneSpace(segment.text)) return 'changed';
  const row = records.find(segment.id, language);
  if (row?.text === text && row.source_hash === segment.hash) return 'unchanged';
  // The text of former words was in the file, and nobody has touched it.
  if (row?.text === text && unit.state === 'initial') return 'missing';
  const isNewer = row !== undefined && unit.version !== null && row.version > unit.version;
  if (isNewer && row.text !== null && isProtected(row)) return 'edited';
  const writer = { kind: 'import', userId: caller.id, name: publicName(caller.displayName) } as const;
  records.write(segment, language, { text, writer }, original.language);
  return 'imported';
}

/** Tools write line breaks and spaces as they like. */
const inOneSpace = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

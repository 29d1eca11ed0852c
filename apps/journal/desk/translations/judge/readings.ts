import type { Finding, SecondReading } from '../../../project/translations.ts';
import { hashWords } from '../../../segments/hash-words.ts';
import { isHeldBy } from '../records/examine.ts';
import type { TranslationRow } from '../records/record-rows.ts';

/** A reading as it is stored: `of` names what was read, so that any other text or finding makes it void. */
type StoredReading = SecondReading & { of: string };

type ReadRow = Pick<TranslationRow, 'source_hash' | 'text' | 'findings' | 'reading'>;

/**
 * The doubts that a second reader may clear, as they are about what is said. All others are of structure, such as a lost link or another
 * language, and for a person alone.
 */
const CLEARABLE: ReadonlySet<Finding['kind']> = new Set<Finding['kind']>(['negation', 'opposite', 'route']);

/** Tells whether a second reader may say that a finding of the guard is none. It never clears a block. */
export function isClearable({ severity, kind }: Finding): boolean {
  return severity === 'doubt' && CLEARABLE.has(kind);
}

export function findingsOf({ findings }: Pick<TranslationRow, 'findings'>): Finding[] {
  return findings === null ? [] : JSON.parse(findings);
}

/** Names the texts and findings of a row. */
function nameOf({ source_hash, text, findings }: ReadRow): string {
  return hashWords(JSON.stringify([source_hash, text, findings]));
}

/** Returns what is stored of a reading of this row, as it is now. */
export function writeReading(row: ReadRow, reading: SecondReading): string {
  return JSON.stringify({ of: nameOf(row), ...reading } satisfies StoredReading);
}

/** Returns what the second reader says of the present texts of a row; null where it has not read them. */
export function readingOf(row: ReadRow): SecondReading | null {
  if (!row.reading) return null;
  const { of, ...reading }: StoredReading = JSON.parse(row.reading);
  return of === nameOf(row) ? reading : null;
}

/**
 * Counts what keeps a text from being released by itself: findings of the guard that the second reader has not cleared, and what it has
 * found itself. Of what a person wrote or reviewed, blocks alone do.
 */
export function countHolds(row: ReadRow & Pick<TranslationRow, 'state'>): number {
  const isOfPerson = row.state === 'edited' || row.state === 'reviewed';
  const reading = readingOf(row);
  const clears = reading?.differences.length === 0;
  const held = findingsOf(row).filter(
    (finding) => isHeldBy(finding, { isOfPerson }) && !(clears && isClearable(finding)),
  );
  return held.length + (isOfPerson ? 0 : (reading?.differences.length ?? 0));
}

/** Tells whether nobody has found anything in a text: neither the guard nor the second reader. */
export function isFaultless(row: ReadRow): boolean {
  return row.findings === null && (readingOf(row)?.differences.length ?? 0) === 0;
}

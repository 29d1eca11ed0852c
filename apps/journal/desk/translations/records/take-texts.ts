import type { Database } from '@fabrica/backend';
import type { PostDocument } from '../../../project/document.ts';
import type { Language } from '../../../project/languages.ts';
import type { SegmentPart } from '../../../project/translations.ts';
import { alignTranslation } from '../../../segments/align-translation.ts';
import { type Original, type Originals, partAmong, partIn, targetLanguages, writtenIn } from '../original.ts';
import type { IdentifiedSegment, PostRecords } from './post-records.ts';
import { findVersions } from './record-rows.ts';
import type { Writer } from './writer.ts';

/** The whole text of a part in a language, as somebody wrote it. */
interface WrittenPart {
  part: SegmentPart;
  language: Language;
  /** Blank when it was emptied. */
  text: string;
}

interface TextOfSegment {
  segment: IdentifiedSegment;
  language: Language;
  text: string | null;
}

interface TakenDocument {
  /** The document as it was read. */
  before: PostDocument | undefined;
  after: PostDocument;
  writer: Writer;
  /** Whether former texts are meant to come back. */
  restores: boolean;
}

/**
 * Records the translations of a whole document that differ from what they were when it was read: the sender has
 * written them. Those that are the same, or are not named, stay as the records have them.
 */
export async function takeDocument(
  { originals, database }: { originals: Originals; database: Database },
  records: PostRecords,
  { before, after, writer, restores }: TakenDocument,
): Promise<void> {
  const original = await originals.of(after);
  const known = before && (await originals.of(before));
  const parts = targetLanguages(original.language).flatMap((language) =>
    [...original.split].flatMap(([part, { slots }]): WrittenPart[] => {
      const text = writtenIn(after, part, language)?.trim();
      if (text === undefined || slots.length === 0 || isMissing(after, original, { part, language }))
        return [];
      const former = before && partAmong(part, after, before);
      const then = before && former ? (partIn(before, former, language) ?? '') : undefined;
      const hadSegments = former && known?.split.get(former)?.slots.length;
      const isNew = text !== then || (text !== '' && !hadSegments);
      return isNew ? [{ part, language, text }] : [];
    }),
  );
  const texts: TextOfSegment[] = [];
  for (const one of parts) texts.push(...(await segmentTexts({ originals, records }, original, one)));
  const stale = restores ? new Set() : await findStale(database, records, texts, writer);
  for (const one of texts) {
    if (stale.has(one)) continue;
    const change = { text: one.text, writer };
    if (writer.kind === 'model') records.writeAsMachine(one.segment, one.language, change, original.language);
    else records.write(one.segment, one.language, change, original.language);
  }
}

/**
 * Records what another program has made of the translation of a part. Beside what a person has written here it is a
 * proposal. Returns the texts of the segments.
 */
export async function takeForeign(
  into: { originals: Originals; records: PostRecords },
  original: Original,
  { writer, ...written }: WrittenPart & { writer: Writer },
): Promise<{ segment: IdentifiedSegment; text: string | null }[]> {
  const { records } = into;
  const { part, language } = written;
  const changed = await segmentTexts(into, original, written);
  for (const { segment, text } of changed) {
    const row = records.find(segment.id, language);
    // What is missing takes away neither a text nor a proposal.
    if (text === null) continue;
    if (row?.state === 'edited' || row?.state === 'reviewed') records.propose(segment, row, text);
    else records.write(segment, language, { text, writer }, original.language);
  }
  const texts = new Map(changed.map(({ segment, text }) => [segment.id, text]));
  return records
    .identify(original)
    .filter((segment) => segment.part === part)
    .map((segment) => {
      const known = records.find(segment.id, language)?.text ?? null;
      return { segment, text: texts.has(segment.id) ? (texts.get(segment.id) ?? null) : known };
    });
}

/**
 * Tells whether what stands in the place of a translation is none: its field failed, or the content repeats the original. Equal words
 * of another part, as of a name, are meant where something else of the language is translated.
 */
export function isMissing(
  document: PostDocument,
  original: Original,
  { part, language }: Pick<WrittenPart, 'part' | 'language'>,
): boolean {
  const failed = document.untranslated?.split(',') ?? [];
  if (failed.includes(`${part}:${language}`)) return true;
  const text = partIn(document, part, language);
  if (part === 'content') return text === document.content.trim();
  const [slot] = original.split.get(part)?.slots ?? [];
  if (text === null || text !== slot?.text) return false;
  return (['title', 'content'] as const).every((one) => {
    const own = partIn(document, one, language);
    return own === null || own === document[one].trim() || failed.includes(`${one}:${language}`);
  });
}

/** Returns the segments whose texts differ from those of the records. */
async function segmentTexts(
  { originals: { parse }, records }: { originals: Originals; records: PostRecords },
  original: Original,
  { part, language, text }: WrittenPart,
): Promise<TextOfSegment[]> {
  const segments = records.identify(original).filter((segment) => segment.part === part);
  const present = segments.map(({ id }) => records.find(id, language)?.text ?? null);
  const source = original.split.get(part);
  if (!source) return [];
  const format = part === 'content' ? original.format : 'plain';
  const texts =
    text === ''
      ? present.map(() => null)
      : (takenWhole(source.slots, text) ??
        (await alignTranslation({ source, format, present, text, parse })));
  return segments.flatMap((segment, at) => {
    const words = texts[at] ?? null;
    return words === (present[at] ?? null) ? [] : [{ segment, language, text: words }];
  });
}

/** A part of one line is one segment, whatever is written there, and so is a description. */
function takenWhole(slots: readonly { form: string }[], text: string): string[] | undefined {
  const [slot, ...others] = slots;
  const isWhole = slot?.form === 'line' || slot?.form === 'verbatim';
  return isWhole && others.length === 0 ? [text] : undefined;
}

/**
 * Returns the texts that their writer has not written, but had before somebody else wrote others: the original's words where a
 * translation is now, and former texts of a segment.
 */
async function findStale(
  database: Database,
  records: PostRecords,
  texts: readonly TextOfSegment[],
  writer: Writer,
): Promise<ReadonlySet<TextOfSegment>> {
  const foreign = texts.flatMap((one) => {
    const row = records.find(one.segment.id, one.language);
    const isOwn = 'userId' in writer && row?.user_id === writer.userId;
    return row && row.text !== null && !isOwn ? [{ one, row }] : [];
  });
  if (foreign.length === 0) return new Set();
  const versions = await findVersions(
    database,
    foreign.map(({ row }) => row.id),
  );
  return new Set(
    foreign
      .filter(
        ({ one: { text, segment }, row }) =>
          text === segment.text ||
          text === row.source_text ||
          versions.some((former) => former.translation_id === row.id && former.text === text),
      )
      .map(({ one }) => one),
  );
}

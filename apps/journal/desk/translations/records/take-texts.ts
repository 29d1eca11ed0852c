import type { Database } from '@fabrica/backend';
import type { Language } from '../../../app/language/languages.ts';
import type { PostDocument } from '../../../project/document.ts';
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
  /** Whether the original's own words are meant, as of a name, and do not stand for what is missing. */
  isMeant: boolean;
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
      if (text === undefined || slots.length === 0) return [];
      const former = before && partAmong(part, after, before);
      const then = before && former ? (partIn(before, former, language) ?? '') : undefined;
      const hadSegments = former && known?.split.get(former)?.slots.length;
      const isNew = text !== then || (text !== '' && !hadSegments);
      return isNew ? [{ part, language, text, isMeant: isMeant(after, part, language) }] : [];
    }),
  );
  const texts: TextOfSegment[] = [];
  for (const one of parts) texts.push(...(await segmentTexts({ originals, records }, original, one)));
  const stale = restores ? new Set() : await findStale(database, records, texts, writer);
  for (const one of texts) {
    if (!stale.has(one))
      records.write(one.segment, one.language, { text: one.text, writer }, original.language);
  }
}

/**
 * Records what another program has made of the translation of a part. Beside what a person has written here it is a
 * proposal. Returns the texts of the segments.
 */
export async function takeForeign(
  into: { originals: Originals; records: PostRecords },
  original: Original,
  written: WrittenPart,
): Promise<{ segment: IdentifiedSegment; text: string | null }[]> {
  const { records } = into;
  const { part, language } = written;
  const changed = await segmentTexts(into, original, written);
  for (const { segment, text } of changed) {
    const row = records.find(segment.id, language);
    const isWritten = row && (row.state === 'edited' || row.state === 'reviewed');
    if (isWritten) records.propose(segment, language, text);
    else if (text !== null)
      records.write(segment, language, { text, writer: { kind: 'unknown' } }, original.language);
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
 * Tells whether the original's own words are meant as the translation of a part: something else of the language is translated,
 * and this did not fail.
 */
export function isMeant(document: PostDocument, part: SegmentPart, language: Language): boolean {
  const { title, content, translations, untranslated } = document;
  const original = { title, content };
  const isTranslated = (['title', 'content'] as const).some((one) => {
    const text = translations[language]?.[one]?.trim();
    return text && text !== original[one].trim();
  });
  return isTranslated && !untranslated?.split(',').includes(`${part}:${language}`);
}

/** Returns the segments whose texts differ from those of the records. */
async function segmentTexts(
  { originals: { parse }, records }: { originals: Originals; records: PostRecords },
  original: Original,
  { part, language, text, isMeant: meant }: WrittenPart,
): Promise<TextOfSegment[]> {
  const segments = records.identify(original).filter((segment) => segment.part === part);
  const present = segments.map(({ id }) => records.find(id, language)?.text ?? null);
  const source = original.split.get(part);
  if (!source) return [];
  const format = part === 'content' ? original.format : 'plain';
  const texts =
    text === ''
      ? present.map(() => null)
      : (takenWhole(present, source.slots, { text, isMeant: meant }) ??
        (await alignTranslation({ source, format, present, text, parse })));
  return segments.flatMap((segment, at) => {
    const words = texts[at] ?? null;
    return words === (present[at] ?? null) ? [] : [{ segment, language, text: words }];
  });
}

/** A part of one line is one segment, whatever is written there. */
function takenWhole(
  present: readonly (string | null)[],
  slots: readonly { form: string; text: string }[],
  { text, isMeant: meant }: Pick<WrittenPart, 'text' | 'isMeant'>,
): (string | null)[] | undefined {
  const [slot, ...others] = slots;
  if (slot?.form !== 'line' || others.length > 0) return undefined;
  return [text === slot.text && !meant && present[0] == null ? null : text];
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

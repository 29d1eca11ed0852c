import type { PostDocument } from '../../../project/document.ts';
import type { Language } from '../../../project/languages.ts';
import type { ReleasedTranslations } from '../../../project/translations.ts';
import { isReleased } from '../../../segments/split-post.ts';
import { type PostRow, publicDocument, type SlugRow } from '../../queries.ts';
import { type Original, type Originals, partIn, targetLanguages } from '../original.ts';
import { doubtFacts, labelOfAll, parseFacts } from '../releases/release-facts.ts';
import { columnsHash } from '../releases/release-languages.ts';
import { examine } from './examine.ts';
import type { PostRecords } from './post-records.ts';
import { isMissing, takeForeign } from './take-texts.ts';
import { labelOf } from './writer.ts';

export interface PostToRecord {
  draft: object | undefined;
  post: PostRow | undefined;
  slugs: readonly SlugRow[];
  /** The working copy. */
  document: PostDocument;
  records: PostRecords;
}

interface OpenedRecords {
  /** The original of the working copy. */
  original: Original;
  /** Says what readers may know of the translations that they have. */
  facts: ReleasedTranslations;
}

/**
 * Brings the records of a post up to date with what other programs have written: the columns of its row, and translations of
 * a working copy from before there were records.
 */
export async function openRecords(originals: Originals, opened: PostToRecord): Promise<OpenedRecords> {
  const { draft, post, slugs, document, records } = opened;
  const original = await originals.of(document);
  const isNew = !records.exists;
  records.adopt(original, undefined);
  const isForeign = post && records.postUpdatedAt !== post.updated_at;
  const facts = isForeign
    ? await takeColumns(originals, records, { post, slugs })
    : parseFacts(post?.translations);
  if (isNew && draft) {
    for (const language of targetLanguages(original.language)) {
      await takeLanguage({ originals, records }, original, document, { language });
    }
  }
  const shown = post?.pictures ? publicDocument(post, slugs) : undefined;
  if (shown) records.publish(await originals.of(shown), post?.updated_at ?? 0);
  for (const one of shown ? [document, shown] : [document])
    takePictures(records, await originals.of(one), one);
  return { original, facts };
}

/** Opens records by whose findings something may be released: those of an earlier guard are computed anew before. */
export async function openExamined(originals: Originals, opened: PostToRecord): Promise<OpenedRecords> {
  const { original, facts } = await openRecords(originals, opened);
  const { records } = opened;
  if (records.isExamined) return { original, facts };
  await records.examineAnew(original.language);
  return { original, facts: doubtFacts(facts, records.all()) };
}

/** Records what is said about further pictures in documents from before that was translated. */
function takePictures(records: PostRecords, original: Original, document: PostDocument): void {
  for (const segment of records.identify(original)) {
    if (!segment.part.includes(':')) continue;
    for (const language of targetLanguages(original.language)) {
      const text = partIn(document, segment.part, language);
      if (text === null || records.find(segment.id, language)) continue;
      records.write(segment, language, { text, writer: { kind: 'unknown' } }, original.language);
    }
  }
}

/** Records what the columns of a post say in each language, where another program has changed them. */
async function takeColumns(
  originals: Originals,
  records: PostRecords,
  { post, slugs }: { post: PostRow; slugs: readonly SlugRow[] },
): Promise<ReleasedTranslations> {
  const document = publicDocument(post, slugs);
  const original = await originals.of(document);
  const facts = parseFacts(post.translations);
  const machineColumns = records.machineColumns();
  records.publish(original, post.updated_at);
  for (const language of targetLanguages(original.language)) {
    const hash = columnsHash(document, language);
    const { columns_hash: known, state } = records.language(language);
    if (hash === known) continue;
    delete facts[language];
    const texts = await takeLanguage({ originals, records }, original, document, {
      language,
      machineColumns,
    });
    const content = { part: 'content', language } as const;
    const isTranslated = partIn(document, 'content', language) && !isMissing(document, original, content);
    if (isTranslated) {
      const releasedAt = post.updated_at;
      records.setLanguage(language, { state: 'released', released_at: releasedAt, user_id: null });
      facts[language] = foreignFacts(records, original, { texts, language, releasedAt });
    } else if (state === 'released') records.setLanguage(language, { state: 'none', released_at: null });
    records.setLanguage(language, { columns_hash: hash });
  }
  return facts;
}

type SegmentTexts = Awaited<ReturnType<typeof takeForeign>>;

async function takeLanguage(
  into: { originals: Originals; records: PostRecords },
  original: Original,
  document: PostDocument,
  { language, machineColumns }: { language: Language; machineColumns?: ReadonlySet<string> },
): Promise<SegmentTexts> {
  const taken: SegmentTexts = [];
  for (const [part, { slots }] of original.split) {
    const text = partIn(document, part, language);
    if (text === null || slots.length === 0) continue;
    const isMachine = machineColumns?.has(`${part}_${language}`);
    const written = {
      ...{ part, language },
      text: isMissing(document, original, { part, language }) ? '' : text,
      writer: isMachine ? ({ kind: 'model', name: null } as const) : ({ kind: 'unknown' } as const),
    };
    taken.push(...(await takeForeign(into, original, written)));
  }
  return taken;
}

/** Returns what readers may know of what another program has stored: the guard can check it, and nobody has reviewed it. */
function foreignFacts(
  records: PostRecords,
  original: Original,
  { texts, language, releasedAt }: { texts: SegmentTexts; language: Language; releasedAt: number },
): NonNullable<ReleasedTranslations[Language]> {
  const released = texts.filter(({ segment }) => isReleased(segment));
  const isChecked = ({ segment, text }: SegmentTexts[number]) => {
    const source = { text: segment.text, language: original.language };
    return text !== null && examine({ source, target: { text, language } }, records.terms).length === 0;
  };
  const labels = released.map(({ segment, text }) => {
    const row = records.find(segment.id, language);
    return row && row.text === text ? labelOf(row) : 'machine';
  });
  return {
    by: labelOfAll(labels),
    checked: original.language !== null && released.every(isChecked),
    ...{ reviewedBy: null, reviewedAt: null },
    releasedAt,
    hashes: original.segments.filter(isReleased).map(({ hash }) => hash),
  };
}

import { allOf, equals, type TablePlan } from '@fabrica/backend';
import { followChange } from '../../../project/dated-changes.ts';
import type { PostDocument } from '../../../project/document.ts';
import { LANGUAGE_CODES, type Language } from '../../../project/languages.ts';
import type { ReleasedTranslations } from '../../../project/translations.ts';
import { hashWords } from '../../../segments/hash-words.ts';
import type { JobContext } from '../../desk-context.ts';
import { columnsOfDocument, type StoredRow } from '../../post-columns.ts';
import { planSlugs } from '../../publishing/slugs.ts';
import { currentSlugs, findNames, type PostRow, publicDocument, type SlugRow } from '../../queries.ts';
import {
  type Original,
  type PartTexts,
  partAmong,
  partIn,
  standIn,
  targetLanguages,
  withParts,
} from '../original.ts';
import type { PostRecords } from '../records/post-records.ts';
import { readyTexts, releaseFault, textsIn } from './readiness.ts';
import { releaseFacts, reviewersOf, writeFacts } from './release-facts.ts';

interface ReleasedDocument {
  /** The original with the texts that readers get in each language. */
  document: PostDocument;
  facts: ReleasedTranslations;
}

/** Tells whether a second reader, where there is one, has still to read what a machine has translated of an original into a language. */
export function waitsForReader(
  { judge }: Pick<JobContext, 'judge'>,
  records: PostRecords,
  { original, language }: { original: Original; language: Language },
): boolean {
  if (original.language === null || judge === undefined) return false;
  return records.identify(original).some((one) => records.isUnread(one, language));
}

/**
 * Returns the languages that a publication releases: those that are ready, and that nobody holds back. What a second reader has still to
 * read, the job that has it read releases.
 */
export function languagesToRelease(
  desk: Pick<JobContext, 'judge'>,
  records: PostRecords,
  original: Original,
): Language[] {
  return targetLanguages(original.language).filter((language) => {
    const { state } = records.language(language);
    const isOpen = state !== 'held' && state !== 'withdrawn';
    return (
      isOpen &&
      !waitsForReader(desk, records, { original, language }) &&
      releaseFault(records, original, language) === undefined
    );
  });
}

/**
 * Returns a document as readers get it when these languages are released. Other languages stay what they are for readers, who
 * have the original in a language that was never released.
 */
export async function releaseLanguages(
  { project, originals }: JobContext,
  records: PostRecords,
  options: {
    document: PostDocument;
    post: PostRow | undefined;
    slugs: readonly SlugRow[];
    languages: readonly Language[];
    /** Says what readers may know before. */
    facts: ReleasedTranslations;
    by: string;
    now: number;
  },
): Promise<ReleasedDocument> {
  const { post, slugs, languages, by, now } = options;
  const original = await originals.of(options.document);
  const before = post && publicDocument(post, slugs);
  const facts = { ...options.facts };
  const names = await findNames(project.database, reviewersOf(records));
  let { document } = options;
  for (const language of targetLanguages(original.language)) {
    const isWanted = languages.includes(language);
    const texts = isWanted
      ? textsIn(records, original, { language, currentOnly: true })
      : textsOfUnreleased(records, { before, after: options.document, original, language });
    document = withParts(
      document,
      language,
      keepWithoutOriginal(original, texts, partsOf(original, options.document, language)),
    );
    if (isWanted) {
      const segments = records.identify(original);
      facts[language] = releaseFacts(records, {
        ...{ segments, source: original.language, language, names },
        releasedAt: now,
      });
      records.setLanguage(language, { state: 'released', released_at: now, user_id: by });
    }
    if (document.translations[language] === undefined) delete facts[language];
    noteColumns(records, document, language);
  }
  if (original.language) delete facts[original.language];
  const untranslated = stillUntranslated(document, original, languages);
  return { document: { ...document, untranslated }, facts };
}

/**
 * Returns what readers get in a language that is not released: what they had. Where the original stands in for translations that
 * failed, it stays the present one, beside the parts that are translated.
 */
function textsOfUnreleased(
  records: PostRecords,
  {
    before,
    after,
    original,
    language,
  }: { before: PostDocument | undefined; after: PostDocument; original: Original; language: Language },
): PartTexts {
  const given = before ?? after;
  const { state } = records.language(language);
  const isWithheld = state === 'held' || state === 'withdrawn';
  const hasStandIn = (['title', 'content'] as const).some((part) => standIn(given, part, language) !== null);
  const parts = [...original.split.keys()].map((part) => {
    const known = before && partAmong(part, after, before);
    return [part, before && known ? partIn(before, known, language) : null] as const;
  });
  if (isWithheld || !hasStandIn) return new Map(parts);
  const ready = readyTexts(records, original, language);
  const textOf = (part: 'title' | 'content') => [part, ready.get(part) ?? after[part].trim()] as const;
  return new Map([...parts, textOf('title'), textOf('content')]);
}

/**
 * Returns the fields that still stand in the original's words: in a language that is not released, and not in the original's own,
 * which needs no translation.
 */
function stillUntranslated(
  document: PostDocument,
  original: Original,
  released: readonly Language[],
): string | null {
  const still = targetLanguages(original.language)
    .filter((language) => !released.includes(language))
    .flatMap((language) =>
      (['title', 'content'] as const)
        .filter((part) => [null, document[part].trim()].includes(partIn(document, part, language)))
        .map((part) => `${part}:${language}`),
    );
  const named = document.untranslated?.split(',').filter((one) => still.includes(one)) ?? [];
  return named.length > 0 ? named.join(',') : null;
}

/** Notes what readers have in a language, by which a change of another program is seen. */
function noteColumns(records: PostRecords, document: PostDocument, language: Language): void {
  const hash = columnsHash(document, language);
  if (records.language(language).columns_hash !== hash) records.setLanguage(language, { columns_hash: hash });
}

export function columnsHash(document: PostDocument, language: Language): string | null {
  const [title, content] = [partIn(document, 'title', language), partIn(document, 'content', language)];
  return title === null && content === null ? null : hashWords(JSON.stringify([title, content]));
}

/** Keeps what an author wrote in a language where the original says nothing: it has no segments, and is released as it is. */
function keepWithoutOriginal({ split }: Original, texts: PartTexts, written: PartTexts): PartTexts {
  return new Map(
    [...split].map(([part, { slots }]) => [part, (slots.length === 0 ? written : texts).get(part) ?? null]),
  );
}

/** Returns the texts of a document in a language, by the parts of its original. */
function partsOf({ split }: Original, document: PostDocument, language: Language): PartTexts {
  return new Map([...split.keys()].map((part) => [part, partIn(document, part, language)]));
}

/** Returns the columns of a post with what readers may know of its translations. */
export function columnsOfRelease({ document, facts }: ReleasedDocument): StoredRow {
  return { ...columnsOfDocument(document), translations: writeFacts(facts) };
}

interface OwnRelease {
  post: PostRow;
  slugs: readonly SlugRow[];
  /** `post_updated_at` of the working copy; undefined without one. */
  draftUpdatedAt: number | null | undefined;
  languages: readonly Language[];
  facts: ReleasedTranslations;
  by: string;
  /** Whether the server releases what it has translated after a change of the original. */
  follows?: boolean | undefined;
}

/**
 * Plans a release of languages by themselves: it is one of the original that readers have. Their columns, addresses and facts
 * are written together, if the post is still the one that was read.
 */
export async function planRelease(
  desk: JobContext,
  records: PostRecords,
  { post, slugs, draftUpdatedAt, languages, facts, by, follows }: OwnRelease,
): Promise<TablePlan[]> {
  const now = Math.max(desk.now(), post.updated_at + 1);
  const released = await releaseLanguages(desk, records, {
    ...{ post, slugs, languages, facts, by, now },
    document: publicDocument(post, slugs),
  });
  records.publish(await desk.originals.of(released.document), now);
  return planColumns(desk, { post, slugs, draftUpdatedAt, released, now, follows });
}

/** Plans a withdrawal: readers get the original in place of a language. */
export async function planWithdrawal(
  desk: JobContext,
  records: PostRecords,
  { post, slugs, draftUpdatedAt, languages, facts: before }: OwnRelease,
): Promise<TablePlan[]> {
  const now = Math.max(desk.now(), post.updated_at + 1);
  const facts = { ...before };
  let document = publicDocument(post, slugs);
  for (const language of languages) {
    const texts = partsOf(await desk.originals.of(document), document, language);
    document = withParts(document, language, new Map([...texts, ['title', null], ['content', null]]));
    delete facts[language];
    noteColumns(records, document, language);
  }
  records.publish(await desk.originals.of(document), now);
  return planColumns(desk, { post, slugs, draftUpdatedAt, released: { document, facts }, now });
}

interface ColumnsChange extends Pick<OwnRelease, 'post' | 'slugs' | 'draftUpdatedAt' | 'follows'> {
  released: ReleasedDocument;
  now: number;
}

async function planColumns(
  desk: JobContext,
  { post, slugs, draftUpdatedAt, released, now, follows }: ColumnsChange,
): Promise<TablePlan[]> {
  const { plans } = desk;
  const document = { ...released.document, slugs: currentSlugs(slugs) };
  const planned = await planSlugs(desk, { postId: post.id, document, present: slugs });
  const all = columnsOfRelease({ ...released, document });
  const names = [
    'translations',
    'untranslated',
    'cover',
    'pictures',
    ...LANGUAGE_CODES.flatMap((code) => [`title_${code}`, `content_${code}`]),
  ];
  const changes = Object.fromEntries(names.map((name) => [name, all[name] ?? null]));
  if (follows) changes.dated_changes = followChange(post.dated_changes, now);
  const unchanged = allOf(equals('id', post.id), equals('updated_at', post.updated_at));
  return [
    plans.update('journal_posts', unchanged, { changes: { ...changes, updated_at: now }, single: true }),
    // A change of another program is still to be seen.
    ...(draftUpdatedAt === post.updated_at
      ? [
          plans.update('post_drafts', equals('id', post.id), {
            changes: { post_updated_at: now },
            single: true,
          }),
        ]
      : []),
    ...planned.plans,
  ];
}

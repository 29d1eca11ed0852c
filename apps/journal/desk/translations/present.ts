import { type Database, publicName } from '@fabrica/backend';
import type { PostDocument } from '../../project/document.ts';
import type { Language } from '../../project/languages.ts';
import type {
  Finding,
  LanguageStatus,
  PostTranslations,
  ReleasedTranslations,
  ReleaseState,
  TranslatedSegment,
} from '../../project/translations.ts';
import { isReleased } from '../../segments/split-post.ts';
import type { JobContext } from '../desk-context.ts';
import { findNames, publicDocument } from '../queries.ts';
import type { OpenedTranslations } from './change-records.ts';
import { findJob, presentJob } from './jobs/job-rows.ts';
import { readingOf } from './judge/readings.ts';
import { type Original, type PartTexts, partIn, targetLanguages } from './original.ts';
import { countSegments } from './records/count-segments.ts';
import type { IdentifiedSegment, PostRecords } from './records/post-records.ts';
import { type TranslationRow, translationReader } from './records/record-rows.ts';
import { isProtected } from './records/writer.ts';
import { releaseFault, textsIn } from './releases/readiness.ts';

type Names = ReadonlyMap<string, string | null>;

/** Returns the public names of everybody whom the records name. */
export function namesIn(database: Database, records: PostRecords): Promise<Names> {
  const ids = records
    .all()
    .flatMap(({ user_id, reviewed_by, overruled_by }) => [user_id, reviewed_by, overruled_by]);
  return findNames(database, ids);
}

/** Returns the original that a release is of: what readers have, or what they will have first. */
export async function releasedOriginal(
  { originals }: Pick<JobContext, 'originals'>,
  opened: OpenedTranslations,
): Promise<Original> {
  const { post, slugs, original } = opened;
  return post?.published === 1 ? originals.of(publicDocument(post, slugs)) : original;
}

/** Returns the state of a language: what readers have of it, unless somebody holds it back or has withdrawn it. */
export function shownState(state: ReleaseState, fact: ReleasedTranslations[Language]): ReleaseState {
  if (state === 'held' || state === 'withdrawn') return state;
  return fact ? 'released' : 'none';
}

/** Returns what became of a post in a language. */
export async function presentLanguage(
  desk: Pick<JobContext, 'originals'>,
  opened: OpenedTranslations,
  language: Language,
): Promise<LanguageStatus> {
  const { records, original, facts, post, slugs } = opened;
  const { state, rule } = records.language(language);
  const segments = records.identify(original);
  const proposed = segments.filter((segment) => {
    const row = records.find(segment.id, language);
    return row && isProtected(row) && records.state(segment, language) === 'outdated';
  });
  const counts = countSegments(
    segments.map((segment) => ({
      state: records.state(segment, language),
      isBlocked: records.isBlocked(segment, language),
    })),
  );
  const released = await releasedOriginal(desk, opened);
  const fact = facts[language];
  const hashes = released.segments.filter(isReleased).map(({ hash }) => hash);
  const shown = post && publicDocument(post, slugs);
  const texts = textsIn(records, released, { language, currentOnly: true });
  const isReady = releaseFault(records, released, language) === undefined;
  const hasChanges = isReady && (!shown || isOther(texts, released, shown, language));
  const isStale = fact !== undefined && fact.hashes.join() !== hashes.join();
  const isOpen = state !== 'held' && state !== 'withdrawn';
  return {
    language,
    state: shownState(state, fact),
    rule,
    counts,
    proposed: proposed.length,
    releasedAt: fact?.releasedAt ?? null,
    isStale,
    isReady,
    hasChanges,
    isDue: post?.published === 1 && isOpen && isReady && (hasChanges || isStale || !fact),
    reviewedBy: fact?.reviewedBy ?? null,
  };
}

/** Tells whether readers would see other words. What the original says nothing of is not released. */
function isOther(texts: PartTexts, { split }: Original, shown: PostDocument, language: Language): boolean {
  return [...texts].some(
    ([part, text]) => split.get(part)?.slots.length !== 0 && text !== partIn(shown, part, language),
  );
}

/** Returns what became of a post in each language, with the job that translates it. */
export async function presentPost(desk: JobContext, opened: OpenedTranslations): Promise<PostTranslations> {
  const { language } = opened.original;
  const languages: LanguageStatus[] = [];
  for (const one of targetLanguages(language)) languages.push(await presentLanguage(desk, opened, one));
  const job = await findJob(desk.project.database, opened.id);
  return {
    source: language,
    languages,
    job: job ? presentJob(job) : null,
    isOffered: desk.wakeJobs !== undefined,
  };
}

interface SegmentContext {
  records: PostRecords;
  language: Language;
  names: Names;
  /** Comments on each segment, by its id. */
  comments: ReadonlyMap<string, number>;
}

/** Returns a segment in a language. */
export function presentSegment(
  segment: IdentifiedSegment,
  position: number,
  { records, language, names, comments }: SegmentContext,
): TranslatedSegment {
  const row = records.find(segment.id, language);
  const state = records.state(segment, language);
  const { id, part, kind, text: source } = segment;
  return {
    ...{ id, part, kind, position, source },
    previousSource: row && state === 'outdated' ? row.source_text : null,
    text: row?.text ?? '',
    state,
    writer: row && row.text !== null ? writerOf(row, names) : null,
    proposal: row && row.proposal_hash === segment.hash && row.proposal !== row.text ? row.proposal : null,
    findings: row?.findings && state !== 'outdated' ? (JSON.parse(row.findings) as Finding[]) : [],
    reading: row && state !== 'outdated' ? readingOf(row) : null,
    blocked: records.isBlocked(segment, language),
    overruled:
      row && row.overruled_at !== null && state !== 'outdated'
        ? {
            by: personOf(row.overruled_by, names),
            reason: row.overruled_reason ?? '',
            at: row.overruled_at,
          }
        : null,
    reviewed: row?.reviewed_at != null ? { by: personOf(row.reviewed_by, names), at: row.reviewed_at } : null,
    comments: comments.get(id) ?? 0,
    version: row?.version ?? 0,
  };
}

export function writerOf(
  row: Pick<TranslationRow, 'writer_kind' | 'writer_name' | 'user_id'>,
  names: Names,
): NonNullable<TranslatedSegment['writer']> {
  const name = row.user_id === null ? row.writer_name : publicName(names.get(row.user_id) ?? null);
  return { kind: row.writer_kind, name };
}

export function personOf(id: string | null, names: Names): { id: string; name: string } {
  return { id: id ?? 'deleted', name: publicName((id && names.get(id)) || null) };
}

/** Counts the comments on each segment of a post in a language. */
export async function countComments(
  database: Database,
  { postId, language }: { postId: string; language: Language },
): Promise<Map<string, number>> {
  const rows = await translationReader(database)
    .selectFrom('segment_comments')
    .select(['segment_id', (builder) => builder.fn.countAll<number>().as('count')])
    .where('post_id', '=', postId)
    .where('language', '=', language)
    .groupBy('segment_id')
    .execute();
  return new Map(rows.map(({ segment_id, count }) => [segment_id, Number(count)]));
}

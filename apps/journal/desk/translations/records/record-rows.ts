import type { Database } from '@fabrica/backend';
import type { Kysely } from 'kysely';
import type { Language } from '../../../project/languages.ts';
import type { ReleaseRule, ReleaseState, SegmentState, WriterKind } from '../../../project/translations.ts';

/** The rows of the tables that `project/translation-tables.ts` describes. Times are epoch ms; types, because plans take any row. */
type PostSegmentsRow = {
  id: string;
  version: number;
  segments: string;
  published: string | null;
  post_updated_at: number | null;
  examined: number | null;
  updated_at: number;
};

export type TranslationRow = {
  id: string;
  post_id: string;
  segment_id: string;
  language: Language;
  text: string | null;
  state: Exclude<SegmentState, 'outdated'>;
  writer_kind: WriterKind;
  writer_name: string | null;
  user_id: string | null;
  source_hash: string;
  source_text: string;
  proposal: string | null;
  proposal_hash: string | null;
  findings: string | null;
  blocks: number;
  reading: string | null;
  overruled_by: string | null;
  overruled_reason: string | null;
  overruled_at: number | null;
  reviewed_by: string | null;
  reviewed_at: number | null;
  version: number;
  updated_at: number;
};

export type VersionRow = {
  id: string;
  translation_id: string;
  version: number;
  text: string;
  state: Exclude<SegmentState, 'outdated'>;
  writer_kind: WriterKind;
  writer_name: string | null;
  user_id: string | null;
  source_text: string;
  created_at: number;
};

export type CommentRow = {
  id: string;
  post_id: string;
  segment_id: string;
  language: Language;
  user_id: string;
  text: string;
  created_at: number;
};

export type PostLanguageRow = {
  id: string;
  post_id: string;
  language: Language;
  state: ReleaseState;
  rule: ReleaseRule;
  missing: number;
  machine: number;
  edited: number;
  reviewed: number;
  outdated: number;
  blocked: number;
  columns_hash: string | null;
  released_at: number | null;
  user_id: string | null;
  updated_at: number;
};

/** A column of a post whose text a machine wrote, as the program that stored it has said; what was taken before `since` apart. */
type MachineColumnRow = {
  post_id: string;
  name: string;
  since: number;
};

interface TranslationTables {
  post_segments: PostSegmentsRow;
  segment_translations: TranslationRow;
  segment_versions: VersionRow;
  segment_comments: CommentRow;
  post_languages: PostLanguageRow;
  machine_columns: MachineColumnRow;
}

export function translationReader(database: Database): Kysely<TranslationTables> {
  return database.reader as Kysely<TranslationTables>;
}

export interface RecordRows {
  row: PostSegmentsRow | undefined;
  translations: TranslationRow[];
  languages: PostLanguageRow[];
  machineColumns: MachineColumnRow[];
}

/** Reads all that is known of a post's translations. */
export async function findRecords(database: Database, postId: string): Promise<RecordRows> {
  const reader = translationReader(database);
  const [row, machineColumns] = await Promise.all([
    reader.selectFrom('post_segments').selectAll().where('id', '=', postId).executeTakeFirst(),
    reader.selectFrom('machine_columns').selectAll().where('post_id', '=', postId).execute(),
  ]);
  if (!row) return { row, translations: [], languages: [], machineColumns };
  const [translations, languages] = await Promise.all([
    reader.selectFrom('segment_translations').selectAll().where('post_id', '=', postId).execute(),
    reader.selectFrom('post_languages').selectAll().where('post_id', '=', postId).execute(),
  ]);
  return { row, translations, languages, machineColumns };
}

/** Returns the former texts of segments in a language, the last one first. */
export function findVersions(database: Database, translationIds: readonly string[]): Promise<VersionRow[]> {
  return translationReader(database)
    .selectFrom('segment_versions')
    .selectAll()
    .where('translation_id', 'in', [...translationIds])
    .orderBy('version', 'desc')
    .execute();
}

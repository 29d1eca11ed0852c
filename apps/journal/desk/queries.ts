import type { Database } from '@fabrica/backend';
import type { Kysely } from 'kysely';
import { type PostDocument, postDocument } from '../project/document.ts';
import { keepUnknown, parseStored, withoutUnknown } from '../project/stored-json.ts';
import { documentOfRow, type StoredRow } from './post-columns.ts';

export type PostStatus = 'draft' | 'scheduled' | 'published' | 'unpublished';

/** A working copy as it is stored. Times are epoch ms. */
export interface DraftRow {
  id: string;
  user_id: string;
  version: number;
  state: PostStatus;
  changed: number;
  title: string;
  image_url: string | null;
  languages: string;
  people: string;
  revisions: number;
  revised_at: number;
  published_revision: string | null;
  published_at: number | null;
  post_updated_at: number | null;
  scheduled_at: number | null;
  time_zone: string | null;
  schedule_fault: string | null;
  discarded_at: number | null;
  /** JSON of `ChangeAnnouncement`. */
  announcement: string | null;
  created_at: number;
  updated_at: number;
  updated_by: string | null;
  /** The words that the desk searches; `null` in a row that another release wrote. */
  words: string | null;
  /** JSON. */
  document: string;
}

export interface RevisionRow {
  id: string;
  post_id: string;
  user_id: string;
  number: number;
  kind: 'published' | 'saved';
  created_at: number;
  /** JSON. */
  document: string;
}

export interface SlugRow {
  id: string;
  post_id: string;
  language: string;
  current: number;
  created_at: number;
}

interface PreviewRow {
  id: string;
  post_id: string;
  user_id: string;
  created_at: number;
  expires_at: number;
}

export interface PostRow extends StoredRow {
  id: string;
  dated_changes: string | null;
  user_id: string;
  published: number;
  created_at: number;
  updated_at: number;
}

interface DeskTables {
  post_drafts: DraftRow;
  post_revisions: RevisionRow;
  post_slugs: SlugRow;
  post_previews: PreviewRow;
  post_files: { id: string; post_id: string; user_id: string; url: string };
  journal_posts: PostRow;
  profiles: { id: string; display_name: string | null };
  users: { id: string; role: string; disabled_at: number | null };
}

export function deskReader(database: Database): Kysely<DeskTables> {
  return database.reader as Kysely<DeskTables>;
}

export async function findDraft(database: Database, id: string): Promise<DraftRow | undefined> {
  return deskReader(database).selectFrom('post_drafts').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findPost(database: Database, id: string): Promise<PostRow | undefined> {
  const row = deskReader(database).selectFrom('journal_posts').selectAll().where('id', '=', id);
  return (await row.executeTakeFirst()) as PostRow | undefined;
}

export async function findRevision(
  database: Database,
  postId: string,
  id: string,
): Promise<RevisionRow | undefined> {
  return deskReader(database)
    .selectFrom('post_revisions')
    .selectAll()
    .where('id', '=', id)
    .where('post_id', '=', postId)
    .executeTakeFirst();
}

/** Returns the revisions of a post in which an id stands, such as one of an account. */
export function findRevisionsWith(database: Database, postId: string, id: string): Promise<RevisionRow[]> {
  return deskReader(database)
    .selectFrom('post_revisions')
    .selectAll()
    .where('post_id', '=', postId)
    .where('document', 'like', `%${id}%`)
    .execute();
}

export function findSlugs(database: Database, postId: string): Promise<SlugRow[]> {
  return deskReader(database).selectFrom('post_slugs').selectAll().where('post_id', '=', postId).execute();
}

/** Returns the public names of accounts by id; an account that is gone has none. */
export async function findNames(
  database: Database,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string | null>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await deskReader(database)
    .selectFrom('profiles')
    .select(['id', 'display_name'])
    .where('id', 'in', wanted)
    .execute();
  return new Map(rows.map(({ id, display_name }) => [id, display_name]));
}

export function parseDocument(json: string): PostDocument {
  return parseStored(postDocument, JSON.parse(json));
}

/** Returns a document as a client gets it, who may send no key that this version does not know. */
export function presentDocument(document: PostDocument): PostDocument {
  return withoutUnknown(postDocument, document);
}

/** Returns a document that takes the place of another one, with what a newer version has stored there. */
export function replaceDocument(before: PostDocument, after: PostDocument): PostDocument {
  return keepUnknown(postDocument, before, after);
}

/** Returns the slugs that are in use, by language. */
export function currentSlugs(slugs: readonly SlugRow[]): PostDocument['slugs'] {
  return Object.fromEntries(
    slugs.filter(({ current }) => current === 1).map(({ language, id }) => [language, id]),
  );
}

/** Returns the document of a post as readers see it. */
export function publicDocument(post: PostRow, slugs: readonly SlugRow[]): PostDocument {
  return documentOfRow(post, currentSlugs(slugs));
}

import { AppError, countPageViews, type Database, publicName, type UserCaller } from '@fabrica/backend';
import { foldText } from '@fabrica/contract';
import type { Language } from '../app/language/languages.ts';
import { maySeeAll } from './access.ts';
import type { DeskContext } from './desk-context.ts';
import { deskReader, findNames, type PostStatus } from './queries.ts';

export interface PostListQuery {
  state?: PostStatus | undefined;
  language?: Language | undefined;
  /** Words of the title, the text or the people. */
  search?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

interface ListedRow {
  id: string;
  user_id: string;
  title: string;
  state: PostStatus;
  changed: number;
  languages: string;
  image_url: string | null;
  created_at: number;
  updated_at: number;
  published_at: number | null;
  scheduled_at: number | null;
}

const LISTED =
  'id, user_id, title, state, changed, languages, image_url, created_at, updated_at, published_at, scheduled_at';

/** Working copies, and the posts of other programs, which have none. */
const POSTS = `
  SELECT id, user_id, title, state, changed, languages, image_url, created_at, updated_at, published_at, scheduled_at, people, words
  FROM post_drafts WHERE discarded_at IS NULL
  UNION ALL
  SELECT p.id, p.user_id, p.title, CASE WHEN p.published = 1 THEN 'published' ELSE 'unpublished' END, 0,
    CASE WHEN p.title_en IS NULL THEN '' ELSE 'en,' END || CASE WHEN p.title_es IS NULL THEN '' ELSE 'es,' END ||
    CASE WHEN p.title_fr IS NULL THEN '' ELSE 'fr,' END || CASE WHEN p.title_de IS NULL THEN '' ELSE 'de,' END,
    p.image_url, p.created_at, p.updated_at, CASE WHEN p.published = 1 THEN p.created_at END, NULL, '', NULL
  FROM journal_posts AS p WHERE NOT EXISTS (SELECT 1 FROM post_drafts AS d WHERE d.id = p.id)`;

/** Lists an account's own posts and those that it is named in; editors' lists have all. The last changed ones come first. */
export async function listPosts(
  { project: { database } }: DeskContext,
  caller: UserCaller,
  { state, language, search, cursor, limit }: PostListQuery,
) {
  const values: (string | number)[] = [];
  const bind = (value: string | number) => {
    values.push(value);
    return database.syntax.placeholder(values.length);
  };
  const { syntax } = database;
  const conditions = ['1 = 1'];
  if (!maySeeAll(caller)) {
    // Values are bound in the order in which they stand in the statement.
    const owns = `user_id = ${bind(caller.id)}`;
    conditions.push(`(${owns} OR ${syntax.like('people', `%,${escapeLike(caller.id)},%`, bind)})`);
  }
  if (state) conditions.push(`state = ${bind(state)}`);
  if (language) conditions.push(syntax.like('languages', `%${language}%`, bind));
  if (search) conditions.push(...(await searchConditions(database, search, bind)));
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (after) {
    const [time, same] = [bind(after.updatedAt), bind(after.updatedAt)];
    conditions.push(`(updated_at < ${time} OR (updated_at = ${same} AND id < ${bind(after.id)}))`);
  }
  const rows = (await database.query(
    `SELECT ${LISTED} FROM (${POSTS}) AS posts WHERE ${conditions.join(' AND ')}
     ORDER BY updated_at DESC, id DESC LIMIT ${bind(limit + 1)}`,
    values,
  )) as unknown as ListedRow[];
  const page = rows.slice(0, limit);
  const [names, views, published] = await Promise.all([
    findNames(
      database,
      page.map(({ user_id }) => user_id),
    ),
    countPageViews(
      database,
      page.map(({ id }) => pagePath(id)),
    ),
    findLanguages(
      database,
      page.map(({ id }) => id),
    ),
  ]);
  const posts = page.map((row) => ({
    id: row.id,
    title: row.title,
    state: row.state,
    changed: row.changed === 1,
    language: published.has(row.id) ? published.get(row.id) : row.languages.split(',')[0] || null,
    languages: row.languages.split(',').filter((code) => code !== ''),
    imageUrl: row.image_url,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
    scheduledAt: row.scheduled_at,
    views: views.get(pagePath(row.id)) ?? 0,
    owner: { id: row.user_id, name: publicName(names.get(row.user_id) ?? null) },
  }));
  const last = page.at(-1);
  return { posts, cursor: rows.length > limit && last ? writeCursor(last) : null };
}

/** Returns the conditions that a post has each word: in its working copy, in what readers see of it, or in its owner's name. */
async function searchConditions(
  database: Database,
  search: string,
  bind: (value: string) => string,
): Promise<string[]> {
  const words = foldText(search).match(/[\p{L}\p{N}]+/gu);
  if (!words) return ['1 = 0'];
  const { like } = database.syntax;
  const owners = await findOwners(database);
  return words.map((word) => {
    // Values are bound in the order in which they stand in the statement.
    const alternatives = [
      like('words', `%${word}%`, bind),
      `id IN (SELECT post_id FROM post_search WHERE ${like('text', `%${word}%`, bind)})`,
    ];
    const named = owners.filter(({ name }) => name.includes(word)).map(({ id }) => bind(id));
    if (named.length > 0) alternatives.push(`user_id IN (${named.join(', ')})`);
    return `(${alternatives.join(' OR ')})`;
  });
}

/** Returns the languages of the originals that readers have, by the ids of their posts; null where it is not known. */
async function findLanguages(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await deskReader(database)
    .selectFrom('journal_posts')
    .select(['id', 'language'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, language }) => [id, language === null ? null : String(language)]));
}

/** Returns the accounts that have begun a post, by their public names as searches compare them. */
async function findOwners(database: Database): Promise<{ id: string; name: string }[]> {
  const rows = await deskReader(database)
    .selectFrom('profiles')
    .select(['id', 'display_name'])
    .where('id', 'in', deskReader(database).selectFrom('post_drafts').select('user_id'))
    .execute();
  return rows.map(({ id, display_name }) => ({ id, name: foldText(publicName(display_name) ?? '') }));
}

/** Views are counted under the path with the id, whichever address was read. */
function pagePath(id: string): string {
  return `/post/${id}`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function writeCursor({ updated_at, id }: ListedRow): string {
  return Buffer.from(`${updated_at} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): { updatedAt: number; id: string } {
  const [, time, id] = /^(\d{1,15}) (.{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined)
    throw new AppError('INVALID_CURSOR', 'This cursor is not ours.');
  return { updatedAt: Number(time), id };
}

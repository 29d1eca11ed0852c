import { AppError, countPageViews, publicName, type UserCaller } from '@fabrica/backend';
import type { Language } from '../app/language/languages.ts';
import { maySeeAll } from './access.ts';
import type { DeskContext } from './desk-context.ts';
import { findNames, type PostStatus } from './queries.ts';

export interface PostListQuery {
  state?: PostStatus | undefined;
  language?: Language | undefined;
  /** Part of the title. */
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
  people: string;
}

/** Working copies, and the posts of other programs, which have none. No long text is read. */
const POSTS = `
  SELECT id, user_id, title, state, changed, languages, image_url, created_at, updated_at, published_at, scheduled_at, people
  FROM post_drafts WHERE discarded_at IS NULL
  UNION ALL
  SELECT p.id, p.user_id, p.title, CASE WHEN p.published = 1 THEN 'published' ELSE 'unpublished' END, 0,
    CASE WHEN p.title_en IS NULL THEN '' ELSE 'en,' END || CASE WHEN p.title_es IS NULL THEN '' ELSE 'es,' END ||
    CASE WHEN p.title_fr IS NULL THEN '' ELSE 'fr,' END || CASE WHEN p.title_de IS NULL THEN '' ELSE 'de,' END,
    p.image_url, p.created_at, p.updated_at, CASE WHEN p.published = 1 THEN p.created_at END, NULL, ''
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
  if (search) conditions.push(syntax.ilike('title', `%${escapeLike(search)}%`, bind));
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (after) {
    const [time, same] = [bind(after.updatedAt), bind(after.updatedAt)];
    conditions.push(`(updated_at < ${time} OR (updated_at = ${same} AND id < ${bind(after.id)}))`);
  }
  const rows = (await database.query(
    `SELECT * FROM (${POSTS}) AS posts WHERE ${conditions.join(' AND ')}
     ORDER BY updated_at DESC, id DESC LIMIT ${bind(limit + 1)}`,
    values,
  )) as unknown as ListedRow[];
  const page = rows.slice(0, limit);
  const [names, views] = await Promise.all([
    findNames(
      database,
      page.map(({ user_id }) => user_id),
    ),
    countPageViews(
      database,
      page.map(({ id }) => pagePath(id)),
    ),
  ]);
  const posts = page.map((row) => ({
    id: row.id,
    title: row.title,
    state: row.state,
    changed: row.changed === 1,
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
